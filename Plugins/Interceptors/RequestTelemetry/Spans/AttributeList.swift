#if Telemetry
import HTTPTypes
import Interception
import Tracing

/// The attributes of a span, collected before they are set, because setting each would copy the others.
///
/// Names and values are those of OpenTelemetry's semantic conventions for HTTP client spans.
struct AttributeList {
  private(set) var values: [String: SpanAttribute]

  init(capacity: Int) { values = Dictionary(minimumCapacity: capacity) }

  subscript(name: String) -> SpanAttribute? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The list as a span takes it.
  var attributes: SpanAttributes { SpanAttributes(values) }

  /// Adds what is known of a request before it is sent.
  mutating func add(_ head: HTTPRequest, _ method: MethodLabel, url: String, resendCount: Int) {
    let (host, port) = Self.server(of: head)
    self["http.request.method"] = .string(method.name)
    self["server.address"] = .string(host)
    self["url.full"] = .string(url)
    if let port { self["server.port"] = .int64(Int64(port)) }
    if !method.isKnown { self["http.request.method_original"] = .string(head.method.rawValue) }
    if resendCount > 0 { self["http.request.resend_count"] = .int64(Int64(resendCount)) }
  }

  /// Adds how a request ended.
  mutating func add(_ outcome: RequestOutcome) {
    if case .answered(let status) = outcome { self["http.response.status_code"] = .int64(Int64(status.code)) }
    if let type = outcome.errorType { self["error.type"] = .string(type) }
  }

  /// Adds the HTTP version and the peer's address.
  mutating func add(_ transport: TransportReport) {
    switch transport.version {
    case .http1: self["network.protocol.version"] = .string("1.1")
    case .http2: self["network.protocol.version"] = .string("2")
    case .http3: self["network.protocol.version"] = .string("3")
    case nil: break
    }
    guard let address = transport.remoteAddress else { return }
    let (host, port) = Self.split(address[...])
    self["network.peer.address"] = .string(host)
    if let port { self["network.peer.port"] = .int64(Int64(port)) }
  }

  /// The host and the port, which is the scheme's if the URL names none.
  private static func server(of head: HTTPRequest) -> (host: String, port: Int?) {
    let (host, port) = split(SpanURL.hostAndPort(of: head))
    if let port { return (host, port) }
    let scheme = head.scheme ?? ""
    return (host, defaultPort(of: scheme) ?? defaultPort(of: scheme.lowercased()))
  }

  private static func defaultPort(of scheme: String) -> Int? {
    switch scheme {
    case "https": 443
    case "http": 80
    default: nil
    }
  }

  /// Splits an authority; an IPv6 address loses its brackets.
  private static func split(_ authority: Substring) -> (host: String, port: Int?) {
    let bytes = authority.utf8
    // Without a colon there is neither a port nor an IPv6 address.
    let hasColon = bytes.withContiguousStorageIfAvailable { $0.contains(UInt8(ascii: ":")) }
    guard hasColon != false, let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
      return (String(authority), nil)
    }
    if bytes.first == UInt8(ascii: "["), let end = bytes.lastIndex(of: UInt8(ascii: "]")) {
      let port = colon > end ? AuthoritySyntax.port(authority[bytes.index(after: colon)...]) : nil
      return (String(authority[bytes.index(after: bytes.startIndex)..<end]), port)
    }
    return (String(authority[..<colon]), AuthoritySyntax.port(authority[bytes.index(after: colon)...]))
  }
}
#endif
