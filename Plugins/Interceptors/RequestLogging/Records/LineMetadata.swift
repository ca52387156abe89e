import HTTPTypes
import Interception
import Logging

/// Builds the metadata of a log line; created only if the line is logged.
struct LineMetadata: Sendable {
  private(set) var values = Logger.Metadata(minimumCapacity: 24)

  private mutating func set(_ key: String, _ value: String) { values[key] = .string(value) }

  /// Creates metadata without a value.
  init() {}

  /// Creates the metadata that identifies an attempt to send a request.
  init(of request: Request, _ redaction: Redaction) {
    add(request.id, attempt: request.attempt)
    // Read once, because reading it copies it.
    let head = request.head
    let path = PathParts(head.path ?? "")
    addTarget(
      method: head.method, scheme: Self.lowercased(head.scheme ?? ""),
      authority: redaction.authority(head.authority ?? ""), path: path.path, api: request.api)
    if let query = path.query { set("request.query", LogText.escaped(redaction.query(query))) }
    if let length = request.body.length { set("request.bytes", String(length)) }
    if let target = request.connectTarget { set("connect.target", LogText.escaped(target.description)) }
  }

  /// Returns a text in lower case; nearly every scheme is.
  private static func lowercased(_ text: String) -> String {
    text.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? text.lowercased() : text
  }

  mutating func add(_ id: RequestID, attempt: Int) {
    set("request.id", String(id.number))
    set("request.attempt", String(attempt))
  }

  mutating func add(_ summary: Request.Summary) {
    addTarget(
      method: summary.method, scheme: summary.scheme, authority: summary.authority, path: summary.path,
      api: summary.api)
  }

  private mutating func addTarget(
    method: HTTPRequest.Method, scheme: String, authority: String, path: String, api: APIIdentity?
  ) {
    set("request.method", LogText.escaped(method.rawValue))
    set("request.scheme", LogText.escaped(scheme))
    set("request.authority", LogText.escaped(authority))
    set("request.path", LogText.escaped(path))
    if let api { set("request.api", LogText.escaped(api.service + "/" + api.name)) }
  }

  mutating func addHeaders(_ fields: HTTPFields, as key: String, _ format: LineFormat, of request: Request) {
    guard !fields.isEmpty else { return }
    let credentials = request.context.credentialFields
    // An array keeps the order of the message; each process prints a dictionary in another order.
    values[key] = .array(fields.map { "\($0.name.rawName): \(format.value(of: $0, besides: credentials))" })
  }

  mutating func add(_ alteration: CallAlteration) {
    set("intervention.rule", LogText.escaped(alteration.rule))
    set("intervention.effect", LogText.escaped(alteration.effect))
  }

  mutating func add(curl: CurlCommand) { set("request.curl", curl.line) }

  mutating func add(body: String?, as key: String) {
    if let body { set(key, body) }
  }

  mutating func add(status: HTTPResponse.Status) { set("response.status", String(status.code)) }

  mutating func add(responseBytes count: Int64, isStream: Bool) {
    set("response.bytes", String(count))
    if isStream { set("response.streamed", "true") }
  }

  mutating func add(duration: Duration) { set("duration.ms", LogText.milliseconds(duration)) }

  mutating func add(cache: Exchange.CacheStatus?) {
    guard let cache else { return }
    set("cache.status", cache.description)
    set("cache.hit", cache.isHit ? "true" : "false")
  }

  mutating func add(retryRefusal: Exchange.RetryRefusal?) {
    if let retryRefusal { set("retry.refusal", retryRefusal.label) }
  }

  mutating func add(transport: TransportReport?) {
    guard let transport else { return }
    let phases = transport.phases
    add(phases.queue, as: "timing.queue.ms")
    add(phases.name, as: "timing.name.ms")
    add(phases.connect, as: "timing.connect.ms")
    add(phases.tls, as: "timing.tls.ms")
    add(phases.firstByte, as: "timing.first_byte.ms")
    add(phases.lastByte, as: "timing.last_byte.ms")
    if let address = transport.remoteAddress { set("transport.address", LogText.escaped(address)) }
    if let version = transport.version { set("transport.version", version.rawValue) }
    if let reason = transport.http3?.notableReason { set("transport.http3", reason) }
    if let coding = transport.contentCoding { set("transport.coding", LogText.escaped(coding.name)) }
    set("transport.reused", transport.connectionWasReused ? "true" : "false")
    set("transport.sent.bytes", String(transport.bytes.sent))
    set("transport.received.bytes", String(transport.bytes.received))
    set("transport.decoded.bytes", String(transport.bytes.decoded))
  }

  private mutating func add(_ phase: Duration?, as key: String) {
    if let phase { set(key, LogText.milliseconds(phase)) }
  }

  /// Adds an error.
  ///
  /// The text of a foreign error is omitted, because it may contain secrets.
  mutating func add(_ error: NetworkError, scrub: (String) -> String = { $0 }) {
    set("error.label", error.label)
    set("error.processed", "\(error.requestMayHaveBeenProcessed)")
    add(retryRefusal: error.retryRefusal)
    switch error.origin {
    case .interceptor(let name): set("error.origin", LogText.escaped("interceptor \(name)"))
    case .dispatcher(let name): set("error.origin", LogText.escaped("dispatcher \(name)"))
    case .pipeline: set("error.origin", "pipeline")
    case nil: break
    }
    guard let underlying = error.underlying else {
      set("error.reason", LogText.escaped(scrub(error.reason)))
      return
    }
    set("error.underlying", "\(type(of: underlying))")
    if underlying is any LoggableError || error.reason != "\(underlying)" {
      set("error.reason", LogText.escaped(scrub(error.reason)))
    }
  }
}

extension TransportReport.HTTP3Outcome {
  /// Why HTTP/3 was not used, unless that holds for every exchange of the process; nil if it was.
  fileprivate var notableReason: String? {
    switch self {
    case .used, .off, .unsupported: nil
    case .notAdvertised, .proxied, .unsuitable, .lostRace, .broken, .throttled: description
    }
  }
}
