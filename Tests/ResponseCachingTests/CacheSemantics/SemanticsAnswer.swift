import HTTPTypes
import Interception

/// What the server of a test responds, before a transport frames it.
struct SemanticsAnswer: Sendable {
  let status: Int
  /// The header fields that the test and the server state; nothing is added for the framing.
  let fields: HTTPFields
  /// The content; nil if the request's method or the status allows none.
  let content: String?
  /// The informational responses sent before.
  let informational: [SemanticsStep.Informational]
  /// Whether the server closes the connection instead of responding.
  let disconnects: Bool

  /// The response as a client receives it over HTTP/1.1; nil if the server closes the connection.
  var response: Response? {
    guard !disconnects else { return nil }
    var fields = fields
    let bytes = Array((content ?? "").utf8)
    let announced = fields[.contentLength].flatMap { Int($0) }
    if content != nil, announced == nil { fields[.contentLength] = String(bytes.count) }
    // A client sees no more bytes than the declared length.
    return Response(
      HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields),
      body: .bytes(Array(bytes.prefix(announced ?? bytes.count))), exchange: Exchange(attempts: 1))
  }

  /// The response as HTTP/1.1 bytes, framed as by Node.js, on which the original server runs.
  ///
  /// A length that the test states is sent as it is, even if the content is longer.
  var wire: [UInt8] {
    var lines: [String] = []
    for response in informational {
      lines.append("HTTP/1.1 \(response.status) Informational")
      lines += response.fields.map { "\($0.name): \($0.value)" } + [""]
    }
    lines.append("HTTP/1.1 \(status) Test")
    lines += fields.map { "\($0.name): \($0.value)" }
    if let content, isDelimited, !fields.contains(.contentLength) {
      lines.append("Content-Length: \(content.utf8.count)")
    }
    lines += ["", content ?? ""]
    // Node.js sends header fields in ISO 8859-1; the data has no other characters.
    return lines.joined(separator: "\r\n").unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  /// Whether a length delimits the content; a `Transfer-Encoding` of the test's own replaces it, so
  /// that the content ends with the connection (RFC 9112, section 6.3).
  var isDelimited: Bool { !fields.contains(.transferEncoding) }
}
