public import HTTPTypes
import Interception

/// The parts of a request or response that a signature can cover.
public struct SignableMessage: Sendable {
  /// The content, or its digests if it is too large to be kept in memory.
  package enum Content: Sendable, Hashable {
    /// Content in memory, after any content coding.
    case bytes([UInt8])
    /// Digests of content that was hashed while it was received, and its length in bytes.
    case digests([DigestAlgorithm: [UInt8]], length: Int64)

    var isEmpty: Bool {
      switch self {
      case .bytes(let bytes): bytes.isEmpty
      case .digests(_, let length): length == 0
      }
    }

    /// Returns the digest by an algorithm, or nil if it is unknown.
    func digest(by algorithm: DigestAlgorithm) throws(MessageSignatureError) -> [UInt8]? {
      switch self {
      case .bytes(let bytes): try algorithm.digest(of: bytes)
      case .digests(let digests, _): digests[algorithm]
      }
    }
  }

  /// What the first line of a message says.
  enum Start: Sendable, Hashable {
    case request(RequestStart)
    case response(status: Int)
  }

  /// A line of a header or trailer section.
  struct FieldLine: Sendable, Hashable {
    /// In lower case.
    let name: String
    let value: FieldText
  }

  let start: Start
  var fields: [FieldLine]
  let trailers: [FieldLine]
  let content: Content

  /// Creates a message from the head of a request.
  ///
  /// - Parameters:
  ///   - head: The head as received; configure proxies to forward the authority unchanged.
  ///   - content: The content as sent, after any content coding.
  ///   - trailers: The trailer fields.
  public init(_ head: HTTPRequest, content: [UInt8] = [], trailers: HTTPFields = [:]) {
    self.init(head, content: .bytes(content), trailers: trailers)
  }

  /// Creates a message from the head of a request and content that can be too large to be kept in memory.
  package init(_ head: HTTPRequest, content: Content, trailers: HTTPFields = [:]) {
    let isConnect = head.method == .connect
    start = .request(
      RequestStart(
        method: head.method.rawValue, scheme: head.scheme ?? "https", authority: head.authority,
        target: isConnect ? head.authority ?? "" : head.path ?? ""))
    fields = Self.lines(head.headerFields)
    self.trailers = Self.lines(trailers)
    self.content = content
  }

  /// Creates a message from the head of a response.
  ///
  /// - Parameters:
  ///   - head: The head as received.
  ///   - content: The content as sent, after any content coding.
  ///   - trailers: The trailer fields.
  public init(_ head: HTTPResponse, content: [UInt8] = [], trailers: HTTPFields = [:]) {
    start = .response(status: head.status.code)
    fields = Self.lines(head.headerFields)
    self.trailers = Self.lines(trailers)
    self.content = .bytes(content)
  }

  /// Creates a message from the lines of a request over HTTP/1.1.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - scheme: The scheme, which the lines don't contain unless the target is a URL.
  ///   - target: The target of the request line, in any of the four forms (RFC 9112, section 3.2).
  ///   - fields: The header fields with `Host`, in order; values may be folded.
  ///   - content: The content as sent, after any content coding.
  ///   - trailers: The trailer fields.
  package init(
    method: String, scheme: String = "https", target: String, fields: [(name: String, value: String)],
    content: Content = .bytes([]), trailers: [(name: String, value: String)] = []
  ) {
    self.fields = Self.lines(fields)
    self.trailers = Self.lines(trailers)
    self.content = content
    // Several Host fields are an attack (RFC 9112, section 3.2), so none of them is the authority then.
    let hosts = self.fields.filter { $0.name == "host" }
    start = .request(
      RequestStart(
        method: method, scheme: scheme, authority: hosts.count == 1 ? hosts.first?.value.description : nil,
        target: target
      ))
  }

  /// Creates a message from the lines of a response over HTTP/1.1.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - fields: The header fields, in order; values may be folded.
  ///   - content: The content as sent, after any content coding.
  ///   - trailers: The trailer fields.
  package init(
    status: Int, fields: [(name: String, value: String)], content: Content = .bytes([]),
    trailers: [(name: String, value: String)] = []
  ) {
    start = .response(status: status)
    self.fields = Self.lines(fields)
    self.trailers = Self.lines(trailers)
    self.content = content
  }

  /// Whether the message is a response.
  var isResponse: Bool { if case .response = start { true } else { false } }

  /// Returns the values of a field's lines; nil if there is none.
  func values(of name: String, inTrailers: Bool = false) -> [String]? {
    lines(of: name, inTrailers: inTrailers)?.map(\.description)
  }

  /// Returns the bytes of a field's lines; nil if there is none.
  func lines(of name: String, inTrailers: Bool = false) -> [FieldText]? {
    var values: [FieldText] = []
    for line in inTrailers ? trailers : fields where line.name == name { values.append(line.value) }
    return values.isEmpty ? nil : values
  }

  private static func lines(_ fields: HTTPFields) -> [FieldLine] {
    var lines: [FieldLine] = []
    lines.reserveCapacity(fields.count)
    for field in fields where field.name != .cookie {
      lines.append(FieldLine(name: field.name.canonicalName, value: FieldText(field.bytes)))
    }
    // swift-http-types keeps a field for each cookie, but one line is sent (RFC 9113, section 8.2.3).
    if let cookies = fields.bytes(of: .cookie) {
      lines.append(FieldLine(name: HTTPField.Name.cookie.canonicalName, value: FieldText(cookies)))
    }
    return lines
  }

  private static func lines(_ fields: [(name: String, value: String)]) -> [FieldLine] {
    fields.map { FieldLine(name: $0.name.lowercased(), value: FieldText($0.value.utf8)) }
  }
}

/// The method and target of a request, and the values derived from them (RFC 9421, section 2.2).
struct RequestStart: Sendable, Hashable {
  let method: String
  /// In lower case.
  let scheme: String
  /// In lower case, without the scheme's default port; nil if it is unknown.
  let authority: String?
  /// The target as on the request line of HTTP/1.1.
  let target: String
  /// The path with its query; empty for a target without one.
  let pathAndQuery: String

  init(method: String, scheme: String, authority: String?, target: String) {
    self.method = method
    self.target = target
    guard let url = Self.split(target), method != "CONNECT" else {
      self.scheme = Self.lowercased(scheme)
      self.authority = authority.map { [scheme = self.scheme] in Self.normalized($0, scheme: scheme) }
      pathAndQuery = target.utf8.first == UInt8(ascii: "/") ? target : ""
      return
    }
    // The authority of a URL as target takes precedence over Host (RFC 9112, section 3.2.2).
    self.scheme = Self.lowercased(url.scheme)
    self.authority = Self.normalized(url.authority, scheme: self.scheme)
    pathAndQuery = url.path
  }

  /// The whole URI; nil without an authority, and for CONNECT.
  var targetURI: String? {
    guard let authority, method != "CONNECT" else { return nil }
    return "\(scheme)://\(authority)\(pathAndQuery)"
  }

  /// The path without its query; a slash if it is empty.
  var path: String {
    let utf8 = pathAndQuery.utf8
    let end = utf8.firstIndex(of: UInt8(ascii: "?")) ?? utf8.endIndex
    return end == utf8.startIndex ? "/" : String(pathAndQuery[..<end])
  }

  /// The query with its question mark; a question mark if there is no query.
  var query: String {
    guard let mark = pathAndQuery.utf8.firstIndex(of: UInt8(ascii: "?")) else { return "?" }
    return String(pathAndQuery[mark...])
  }

  /// Splits a target in absolute form.
  private static func split(_ target: String) -> (scheme: String, authority: String, path: String)? {
    let text = Array(target.utf8)
    guard text.first != UInt8(ascii: "/"), let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      text[colon...].starts(with: "://".utf8)
    else { return nil }
    let rest = text[(colon + 3)...]
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    return (
      String(decoding: text[..<colon], as: UTF8.self), String(decoding: rest[..<end], as: UTF8.self),
      String(decoding: rest[end...], as: UTF8.self)
    )
  }

  /// Returns an authority as RFC 9110, section 4.2.3 normalizes it.
  private static func normalized(_ authority: String, scheme: String) -> String {
    let authority = lowercased(authority)
    let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ":"
    for suffix in [port, ":"] where authority.utf8.count > suffix.utf8.count && authority.hasSuffix(suffix) {
      return String(Substring(authority.utf8.dropLast(suffix.utf8.count)))
    }
    return authority
  }

  /// Returns a text with ASCII letters in lower case; nearly all are, and need no copy.
  private static func lowercased(_ text: String) -> String {
    guard text.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return text }
    return String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
