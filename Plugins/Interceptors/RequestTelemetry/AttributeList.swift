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

  /// Returns the attributes of an event of a call's span, for a request that has ended.
  static func event(_ outcome: RequestOutcome, resendCount: Int) -> AttributeList {
    var list = AttributeList(capacity: 3)
    list["http.request.resend_count"] = .int64(Int64(resendCount))
    list.add(outcome)
    return list
  }

  /// Returns the attributes of a call's span.
  static func call(of api: APIIdentity?, _ outcome: RequestOutcome) -> AttributeList {
    var list = AttributeList(capacity: 4)
    if let api {
      list["peer.service"] = .string(api.service)
      list["switchyard.api"] = .string(api.name)
    }
    list.add(outcome)
    return list
  }

  /// Adds what is known of a request before it is sent.
  mutating func add(_ head: HTTPRequest, _ method: MethodLabel, url: String, resendCount: Int) {
    let (host, port) = Self.server(of: head)
    self["http.request.method"] = .string(method.name)
    self["server.address"] = .string(host)
    if let port { self["server.port"] = .int64(Int64(port)) }
    if !method.isKnown { self["http.request.method_original"] = .string(head.method.rawValue) }
    add(url: url, resendCount: resendCount)
  }

  /// Adds what differs from one request to a server to the next.
  mutating func add(url: String, resendCount: Int) {
    self["url.full"] = .string(url)
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

  private static let mark = Array("REDACTED".utf8)

  /// Returns the request's URL without user name and fragment, and with the values of its query replaced.
  func full(of head: HTTPRequest) -> String { full(head.path ?? "", after: Self.origin(of: head)) }

  /// Returns a URL without fragment, and with the values of its query replaced.
  ///
  /// - Parameter origin: The scheme and the authority.
  func full(_ path: String, after origin: String) -> String {
    var (path, origin) = (path, origin)
    // Bytes, because a separator and a combining character after it are one Character, and because appending
    // to a string costs several times as much.
    return origin.withUTF8 { origin in
      path.withUTF8 { path in
        let separator = path.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? path.count
        let end = path[separator...].firstIndex(of: UInt8(ascii: "#")) ?? path.count
        let values = path[separator..<end].count { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "?") }
        let capacity = origin.count + end + values * Self.mark.count
        return String(unsafeUninitializedCapacity: capacity) { buffer in
          var url = ByteWriter(buffer)
          url.write(origin)
          url.write(path[..<separator])
          if separator < end {
            url.write(UInt8(ascii: "?"))
            writeRedacted(path[(separator + 1)..<end], to: &url)
          }
          return url.count
        }
      }
    }
  }

  /// Returns the beginning of a URL: the scheme, and the authority without a user name.
  static func origin(of head: HTTPRequest) -> String { (head.scheme ?? "") + "://" + hostAndPort(of: head) }

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

  /// Writes the names of a query; a part without `=` is replaced as a whole, because it may be a value.
  private func writeRedacted(_ query: Slice<UnsafeBufferPointer<UInt8>>, to url: inout ByteWriter) {
    var start = query.startIndex
    while true {
      let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.endIndex
      if let equals = query[start..<end].firstIndex(of: UInt8(ascii: "=")) {
        let isShown =
          !shownQueryNames.isEmpty
          && shownQueryNames.contains(String(decoding: query[start..<equals], as: UTF8.self))
        url.write(query[start...(isShown ? end - 1 : equals)])
        if !isShown { url.write(Self.mark) }
      } else if start < end {
        url.write(Self.mark)
      }
      guard end < query.endIndex else { return }
      url.write(UInt8(ascii: "&"))
      start = end + 1
    }
  }
}

/// Writes bytes one after another into a buffer that has room for all of them.
private struct ByteWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  mutating func write(_ bytes: some Collection<UInt8>) {
    count = buffer[count...].initialize(fromContentsOf: bytes)
  }

  mutating func write(_ byte: UInt8) {
    buffer.initializeElement(at: count, to: byte)
    count += 1
  }
}
