import HTTPTypes
public import Interception

/// A form of fields and files, sent as `multipart/form-data` (RFC 7578).
///
/// ```swift
/// var form = MultipartForm()
/// form.append("Harbour", named: "title")
/// try form.append(file: "/photos/harbour.jpeg", named: "photo", contentType: "image/jpeg")
/// request.setContent(.multipart(form))
/// ```
///
/// Files are read while they are sent and never held in memory as a whole. To send a single content, use
/// `RequestBody`.
public struct MultipartForm: Sendable {
  /// The parts, in the order in which they are sent.
  package private(set) var parts: [Part] = []
  /// The boundary that separates the parts.
  package let boundary: String

  /// Creates an empty form with a boundary of 128 random bits.
  public init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// Creates an empty form with a boundary drawn from `generator`.
  ///
  /// The parts are not searched for the boundary. If their content comes from others, use an unpredictable
  /// generator.
  package init(using generator: inout some RandomNumberGenerator) {
    boundary = RandomIdentifier.next(using: &generator)
  }

  /// Creates an empty form with a given boundary, which must not occur in any part.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` unless the boundary consists of 1 to 70 of the characters
  ///   allowed by RFC 2046, section 5.1.1, and does not end in a space.
  package init(boundary: String) throws(NetworkError) {
    guard Self.isLegal(boundary) else {
      throw NetworkError(
        .invalidRequest,
        "The boundary of the multipart form is invalid; use 1 to 70 letters, digits or '()+_,-./:=?.")
    }
    self.boundary = boundary
  }

  /// The value of the form's `Content-Type` field, with the boundary.
  package var contentType: String {
    let isToken = boundary.utf8.allSatisfy { Self.isAlphanumeric($0) || "'+_-.".utf8.contains($0) }
    return "multipart/form-data; boundary=" + (isToken ? boundary : "\"\(boundary)\"")
  }

  /// The form's length in bytes, or nil if the length of any part is unknown.
  package var length: Int64? {
    var sum = Int64(closing.count)
    for part in parts {
      guard let length = part.body.length else { return nil }
      let (next, overflows) = sum.addingReportingOverflow(Int64(opening(of: part).count) + 2)
      let (total, overflowsToo) = next.addingReportingOverflow(length)
      guard !overflows, !overflowsToo else { return nil }
      sum = total
    }
    return sum
  }

  /// Whether the form can be sent again; that requires every part to be replayable.
  package var replay: RequestBody.Replay { parts.contains { $0.body.replay == .once } ? .once : .any }

  /// Sets the body and the `Content-Type` field of `request` to those of the form.
  package func apply(to request: inout Request) {
    request.body = body
    request.head.headerFields[.contentType] = contentType
  }

  mutating func append(_ part: Part) { parts.append(part) }

  // MARK: Boundaries

  private static func isLegal(_ boundary: String) -> Bool {
    let bytes = boundary.utf8
    return (1...70).contains(bytes.count) && bytes.last != UInt8(ascii: " ")
      && bytes.allSatisfy { isAlphanumeric($0) || "'()+_,-./:=? ".utf8.contains($0) }
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

extension MultipartForm {
  /// A field or file of a form.
  package struct Part: Sendable {
    /// The field's name.
    package let name: String
    /// The file's name; nil for a field that is not a file.
    package let fileName: String?
    /// The media type; nil for plain text (RFC 7578, section 4.4).
    package let contentType: String?
    /// The content.
    package let body: RequestBody
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
  package mutating func append(
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
