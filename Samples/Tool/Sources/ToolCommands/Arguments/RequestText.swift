public import HTTPTypes

/// A request as text, in the form of an HTTP/1.1 message: what `sign --message` prints and `verify` reads.
public struct RequestText: Sendable, Hashable {
  /// The method, the authority, the path and the header fields.
  public var head: HTTPRequest
  /// The content.
  public var body: [UInt8]

  /// Creates a text of a request.
  public init(_ head: HTTPRequest, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// Parses a message: a request line, header fields, an empty line and the body.
  ///
  /// Lines end in CR LF or LF. The target may be a path, with the authority in `Host`, or a whole URL.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/malformedRequest``, which names the line.
  public init(parsing bytes: [UInt8]) throws(ToolFailure) {
    var rest = bytes[...]
    let words = Self.line(&rest).split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/"), let method = HTTPRequest.Method(String(words[0]))
    else {
      throw Self.fault(1, "is no request line; begin with one, such as \"GET /path HTTP/1.1\"")
    }
    var fields = HTTPFields()
    var host: String?
    var number = 1
    while true {
      number += 1
      guard !rest.isEmpty else { break }
      let line = Self.line(&rest)
      if line.isEmpty { break }
      guard let field = Self.field(line) else { throw Self.fault(number, "is no header field") }
      if field.name == HTTPField.Name("Host") { host = field.value } else { fields.append(field) }
    }
    let target = String(words[1])
    var (scheme, authority, path) = ("https", host ?? "", target)
    if let separator = target.firstRange(of: "://") {
      scheme = String(target[..<separator.lowerBound])
      let hostAndPath = target[separator.upperBound...]
      let end = hostAndPath.firstIndex { "/?".contains($0) } ?? hostAndPath.endIndex
      authority = String(hostAndPath[..<end])
      path = hostAndPath[end...].hasPrefix("/") ? String(hostAndPath[end...]) : "/" + hostAndPath[end...]
    }
    guard !authority.isEmpty else {
      throw Self.fault(1, "names no host; add a Host field, or write the whole URL")
    }
    head = HTTPRequest(method: method, scheme: scheme, authority: authority, path: path, headerFields: fields)
    body = Array(rest)
  }

  /// The message's bytes.
  public var bytes: [UInt8] {
    var text = "\(head.method.rawValue) \(head.path ?? "/") HTTP/1.1\r\nHost: \(head.authority ?? "")\r\n"
    for field in head.headerFields { text += "\(field.name.rawName): \(field.value)\r\n" }
    return Array(text.utf8) + [0x0D, 0x0A] + body
  }

  /// Removes the next line from the bytes, and returns it without its end.
  private static func line(_ rest: inout ArraySlice<UInt8>) -> String {
    let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
    var line = rest[..<end]
    if line.last == 0x0D { line.removeLast() }
    rest = rest[min(end + 1, rest.endIndex)...]
    return String(decoding: line, as: UTF8.self)
  }

  private static func field(_ line: String) -> HTTPField? {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")),
      let name = HTTPField.Name(String(line[..<colon]))
    else { return nil }
    let value = line[line.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    let end = value.lastIndex { $0 != " " && $0 != "\t" }.map(value.index(after:)) ?? value.startIndex
    guard HTTPField.isValidValue(String(value[..<end])) else { return nil }
    return HTTPField(name: name, value: String(value[..<end]))
  }

  private static func fault(_ line: Int, _ what: String) -> ToolFailure {
    ToolFailure(.malformedRequest, "Line \(line) of the request \(what).")
  }
}
