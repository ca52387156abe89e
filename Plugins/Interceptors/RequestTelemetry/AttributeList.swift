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

/// The names of spans, from a bounded set.
enum SpanName {
  /// The method, and the API if it is known.
  static func request(_ method: MethodLabel, _ api: APIIdentity?) -> String {
    // OpenTelemetry's HTTP conventions: "HTTP" stands for a method that isn't known.
    let name = method.isKnown ? method.name : "HTTP"
    return api.map { name + " " + $0.service + "/" + $0.name } ?? name
  }

  /// The API if it is known.
  static func call(_ api: APIIdentity?) -> String { api.map { $0.service + "/" + $0.name } ?? "HTTP call" }
}

/// A method as the attribute `http.request.method`, which has a bounded set of values.
struct MethodLabel: Sendable, Hashable {
  /// The method, or `_OTHER`.
  let name: String

  init(_ method: HTTPRequest.Method) {
    name = Self.known.contains(method.rawValue) ? method.rawValue : Self.other
  }

  var isKnown: Bool { name != Self.other }

  private static let other = "_OTHER"
  // An array: the first few are nearly all, and found faster than a hash is computed.
  private static let known = [
    "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "QUERY", "CONNECT", "TRACE",
  ]
}

/// Writes the attribute `url.full` without credentials.
struct SpanURL: Sendable {
  let shownQueryNames: Set<String>

  /// Returns the request's URL without user name and fragment, and with the values of its query replaced.
  func full(of head: HTTPRequest) -> String {
    let host = Self.hostAndPort(of: head)
    var path = head.path ?? ""
    // Bytes, because a separator and a combining character after it are one Character, and because appending
    // to a string costs several times as much.
    var url: [UInt8] = []
    url.reserveCapacity(path.utf8.count + host.utf8.count + 64)
    url += (head.scheme ?? "").utf8
    url += "://".utf8
    url += host.utf8
    path.withUTF8 { bytes in
      let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
      let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
      url += bytes[..<mark]
      if mark < end {
        url.append(UInt8(ascii: "?"))
        addRedacted(bytes[(mark + 1)..<end], to: &url)
      }
    }
    return String(decoding: url, as: UTF8.self)
  }

  /// Returns the authority without a user name.
  static func hostAndPort(of head: HTTPRequest) -> Substring {
    let authority = head.authority ?? ""
    // Nearly every authority has no user name. Contiguous bytes are searched several times as fast.
    let hasName = authority.utf8.withContiguousStorageIfAvailable { $0.contains(UInt8(ascii: "@")) }
    guard hasName != false, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else {
      return authority[...]
    }
    return authority[authority.utf8.index(after: at)...]
  }

  /// Adds the names of a query; a part without `=` is replaced as a whole, because it may be a value.
  private func addRedacted(_ query: Slice<UnsafeBufferPointer<UInt8>>, to url: inout [UInt8]) {
    var start = query.startIndex
    while true {
      let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.endIndex
      if let equals = query[start..<end].firstIndex(of: UInt8(ascii: "=")) {
        let isShown =
          !shownQueryNames.isEmpty
          && shownQueryNames.contains(String(decoding: query[start..<equals], as: UTF8.self))
        url += query[start...(isShown ? end - 1 : equals)]
        if !isShown { url += "REDACTED".utf8 }
      } else if start < end {
        url += "REDACTED".utf8
      }
      guard end < query.endIndex else { return }
      url.append(UInt8(ascii: "&"))
      start = end + 1
    }
  }
}
