public import HTTPTypes

/// The parts of a request or response that a signature can cover.
public struct SignableMessage: Sendable {
  /// The content, or its digests if it is too large to be kept in memory.
  public enum Content: Sendable, Hashable {
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
    let value: String
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
  public init(_ head: HTTPRequest, content: Content = .bytes([]), trailers: HTTPFields = [:]) {
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
  public init(_ head: HTTPResponse, content: Content = .bytes([]), trailers: HTTPFields = [:]) {
    start = .response(status: head.status.code)
    fields = Self.lines(head.headerFields)
    self.trailers = Self.lines(trailers)
    self.content = content
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
  public init(
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
        method: method, scheme: scheme, authority: hosts.count == 1 ? hosts.first?.value : nil, target: target
      ))
  }

  /// Creates a message from the lines of a response over HTTP/1.1.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - fields: The header fields, in order; values may be folded.
  ///   - content: The content as sent, after any content coding.
  ///   - trailers: The trailer fields.
  public init(
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
    var values: [String] = []
    for line in inTrailers ? trailers : fields where line.name == name { values.append(line.value) }
    return values.isEmpty ? nil : values
  }

  private static func lines(_ fields: HTTPFields) -> [FieldLine] {
    var lines: [FieldLine] = []
    lines.reserveCapacity(fields.count)
    for field in fields where field.name != .cookie {
      lines.append(FieldLine(name: field.name.canonicalName, value: field.value))
    }
    // swift-http-types keeps a field for each cookie, but one line is sent (RFC 9113, section 8.2.3).
    if let cookies = fields[.cookie] {
      lines.append(FieldLine(name: HTTPField.Name.cookie.canonicalName, value: cookies))
    }
    return lines
  }

  private static func lines(_ fields: [(name: String, value: String)]) -> [FieldLine] {
    fields.map { FieldLine(name: $0.name.lowercased(), value: $0.value) }
  }
}
