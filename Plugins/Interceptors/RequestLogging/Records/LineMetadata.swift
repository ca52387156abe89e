import HTTPTypes
import Interception
import Logging

/// Builds the metadata of a log line; created only if the line is logged.
struct LineMetadata {
  private(set) var values = Logger.Metadata(minimumCapacity: 24)

  private mutating func set(_ key: String, _ value: String) { values[key] = .string(value) }

  mutating func add(_ id: RequestID, attempt: Int) {
    set("request.id", "\(id)")
    set("request.attempt", "\(attempt)")
  }

  mutating func add(_ summary: Request.Summary) {
    set("request.method", LogText.escaped(summary.method.rawValue))
    set("request.scheme", LogText.escaped(summary.scheme))
    set("request.authority", LogText.escaped(summary.authority))
    set("request.path", LogText.escaped(summary.path))
    if let api = summary.api { set("request.api", LogText.escaped("\(api)")) }
  }

  mutating func addQuery(of request: Request, _ redaction: Redaction) {
    guard let path = request.head.path, let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return }
    let rest = path[path.utf8.index(after: mark)...]
    let query = rest.utf8.firstIndex(of: UInt8(ascii: "#")).map { rest[..<$0] } ?? rest
    set("request.query", LogText.escaped(redaction.query(String(query))))
  }

  mutating func addBytes(of request: Request) {
    if let length = request.body.length { set("request.bytes", "\(length)") }
  }

  mutating func addTarget(of request: Request) {
    if let target = request.context.connectTarget { set("connect.target", "\(target)") }
  }

  mutating func addHeaders(_ fields: HTTPFields, as key: String, _ redaction: Redaction) {
    guard !fields.isEmpty else { return }
    var shown: Logger.Metadata = [:]
    shown.reserveCapacity(fields.count)
    let mark = LogText.escaped(redaction.mark)
    for field in fields {
      let value = redaction.hides(field.name) ? mark : LogText.escaped(redaction.value(of: field))
      if let former = shown.updateValue(.string(value), forKey: field.name.rawName) {
        shown[field.name.rawName] = "\(former), \(value)"
      }
    }
    values[key] = .dictionary(shown)
  }

  mutating func add(curl: CurlCommand) { set("request.curl", curl.line) }

  mutating func add(body: String?, as key: String) {
    if let body { set(key, body) }
  }

  mutating func add(status: HTTPResponse.Status) { set("response.status", "\(status.code)") }

  mutating func add(responseBytes count: Int64, isStream: Bool) {
    set("response.bytes", "\(count)")
    if isStream { set("response.streamed", "true") }
  }

  mutating func add(duration: Duration) { set("duration.ms", LogText.milliseconds(duration)) }

  mutating func add(cache: Exchange.CacheStatus?) {
    guard let cache else { return }
    set("cache.status", "\(cache)")
    set("cache.hit", "\(cache.isHit)")
  }

  mutating func add(retryRefusal: Exchange.RetryRefusal?) {
    if let retryRefusal { set("retry.refusal", retryRefusal.rawValue) }
  }

  mutating func add(transport: TransportReport?) {
    guard let transport else { return }
    for (name, time) in transport.phases.named {
      set("timing.\(name.split(separator: " ").joined(separator: "_")).ms", LogText.milliseconds(time))
    }
    if let address = transport.remoteAddress { set("transport.address", LogText.escaped(address)) }
    if let version = transport.version { set("transport.version", version.rawValue) }
    if let coding = transport.contentCoding { set("transport.coding", LogText.escaped(coding.name)) }
    set("transport.reused", "\(transport.connectionWasReused)")
    set("transport.sent.bytes", "\(transport.bytes.sent)")
    set("transport.received.bytes", "\(transport.bytes.received)")
    set("transport.decoded.bytes", "\(transport.bytes.decoded)")
  }

  /// Adds an error.
  ///
  /// The text of a foreign error is omitted, because it may contain secrets.
  mutating func add(_ error: NetworkError, scrub: (String) -> String = { $0 }) {
    set("error.label", error.label)
    set("error.processed", "\(error.requestMayHaveBeenProcessed)")
    add(retryRefusal: error.retryRefusal)
    switch error.origin {
    case .interceptor(let name): set("error.origin", "interceptor \(name)")
    case .dispatcher(let name): set("error.origin", "dispatcher \(name)")
    case .pipeline: set("error.origin", "pipeline")
    case nil: break
    }
    guard let underlying = error.underlying else {
      set("error.reason", LogText.escaped(scrub(error.reason)))
      return
    }
    set("error.underlying", "\(type(of: underlying))")
    if error.reason != "\(underlying)" { set("error.reason", LogText.escaped(scrub(error.reason))) }
  }
}
