public import Interception

extension MultipartForm {
  /// A field or file of a form.
  public struct Part: Sendable {
    /// The field's name.
    public let name: String
    /// The file's name; nil for a field that is not a file.
    public let fileName: String?
    /// The media type; nil for plain text (RFC 7578, section 4.4).
    public let contentType: String?
    /// The content.
    public let body: RequestBody
  }

  /// Appends a text field.
  ///
  /// The value is sent unchanged in UTF-8, including its line endings.
  public mutating func append(_ text: String, named name: String) {
    append(Part(name: name, fileName: nil, contentType: nil, body: .text(text)))
  }

  /// Appends bytes, as a file if `fileName` is given.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` if `contentType` is not a valid media type.
  public mutating func append(
    bytes: [UInt8], named name: String, fileName: String? = nil,
    contentType: String = "application/octet-stream"
  ) throws(NetworkError) {
    try append(.bytes(bytes), named: name, fileName: fileName, contentType: contentType)
  }

  /// Appends a file, which is opened when the form is sent and read in pieces.
  ///
  /// - Parameter fileName: The name sent to the server; the last component of `path` by default.
  /// - Throws: `NetworkError.Kind.invalidRequest` if `path` is not a regular file, or `contentType` is not
  ///   a valid media type.
  public mutating func append(
    file path: String, named name: String, fileName: String? = nil,
    contentType: String = "application/octet-stream"
  ) throws(NetworkError) {
    let last = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
    try append(try .file(path), named: name, fileName: fileName ?? last ?? path, contentType: contentType)
  }

  /// Appends any content, as a file if `fileName` is given.
  ///
  /// A form with a part that can be read only once can be sent only once.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` if `contentType` is not a valid media type, or the body's
  ///   length is negative.
  public mutating func append(
    _ body: RequestBody, named name: String, fileName: String? = nil, contentType: String
  ) throws(NetworkError) {
    guard MediaTypeSyntax.isValid(contentType) else {
      throw NetworkError(
        .invalidRequest,
        "The content type of the form's part \"\(Self.escaped(name))\" is not a media type; use the form type/subtype, such as image/png."
      )
    }
    if let fault = body.lengthFault { throw NetworkError(.invalidRequest, fault) }
    append(Part(name: name, fileName: fileName, contentType: contentType, body: body))
  }

  /// Returns the boundary and the header lines that precede a part's content.
  func opening(of part: Part) -> [UInt8] {
    var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(part.name))\""
    if let fileName = part.fileName { text += "; filename=\"\(Self.escaped(fileName))\"" }
    if let contentType = part.contentType { text += "\r\nContent-Type: \(contentType)" }
    return Array((text + "\r\n\r\n").utf8)
  }

  /// The line that follows the last part.
  var closing: [UInt8] { Array("--\(boundary)--\r\n".utf8) }

  /// Returns a name with line endings, double quotes and null bytes percent-encoded.
  ///
  /// Browsers write names in this way (WHATWG HTML, multipart/form-data encoding algorithm), except that they
  /// send null bytes unchanged. Many parsers would end the header line there.
  static func escaped(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case 0x0D: bytes += Array("%0D".utf8)
      case 0x0A: bytes += Array("%0A".utf8)
      case 0x22: bytes += Array("%22".utf8)
      case 0x00: bytes += Array("%00".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
