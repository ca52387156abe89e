import HTTPTypes
public import Interception

/// The content of a request together with its `Content-Type`.
///
/// ```swift
/// try await pipeline.post("https://api.example.com/homes", .json(home))
/// try await pipeline.post("https://api.example.com/login", .form(["user": name]))
/// ```
public struct RequestContent: Sendable {
  /// The bytes.
  package let body: RequestBody
  /// The value of the `Content-Type` field, or nil for none.
  package let contentType: String?

  private init(_ body: RequestBody, checked contentType: String?) {
    self.body = body
    self.contentType = contentType
  }

  /// Creates content from a body, such as that of a file.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` if `contentType` is not a media type (RFC 9110, section
  ///   8.3.1).
  public init(_ body: RequestBody, contentType: String) throws(NetworkError) {
    guard MediaTypeSyntax.isValid(contentType) else {
      throw NetworkError(
        .invalidRequest,
        "The content type of the request is not a media type; use the form type/subtype, such as image/png.")
    }
    self.init(body, checked: contentType)
  }

  /// No content.
  public static let empty = RequestContent(.empty, checked: nil)

  /// Returns a value as JSON.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` if the value cannot be encoded; the error names the field.
  public static func json(
    _ value: some Encodable, by coding: JSONCoding = JSONCoding()
  ) throws(NetworkError) -> RequestContent {
    try encoded(value, by: coding)
  }

  /// Returns a value in the format of an encoder.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` if the value cannot be encoded.
  public static func encoded(
    _ value: some Encodable, by encoder: some BodyEncoder
  ) throws(NetworkError) -> RequestContent {
    let bytes: [UInt8]
    do {
      bytes = try encoder.encode(value)
    } catch let error as NetworkError {
      throw error
    } catch {
      throw NetworkError(
        .invalidRequest,
        "\(type(of: encoder)) cannot encode the content of the request, a value of the type \(type(of: value)); "
          + "inspect the underlying error.", underlying: error)
    }
    return try RequestContent(.bytes(bytes), contentType: encoder.contentType)
  }

  /// Returns a form, `application/x-www-form-urlencoded`.
  public static func form(_ fields: FormFields) -> RequestContent {
    RequestContent(.text(fields.encoded), checked: "application/x-www-form-urlencoded")
  }

  /// Returns a form with files, `multipart/form-data`.
  public static func multipart(_ form: MultipartForm) -> RequestContent {
    RequestContent(form.body, checked: form.contentType)
  }

  /// Returns plain text in UTF-8.
  public static func text(_ text: String) -> RequestContent {
    RequestContent(.text(text), checked: "text/plain; charset=utf-8")
  }
}

extension Request {
  /// Sets the body, and the `Content-Type` field to that of the content.
  public mutating func setContent(_ content: RequestContent) {
    body = content.body
    head.headerFields[.contentType] = content.contentType
  }

  /// Appends fields to the query of the path.
  public mutating func appendQuery(_ fields: FormFields) {
    guard !fields.isEmpty else { return }
    let path = head.path ?? "/"
    let separator =
      switch path.utf8.firstIndex(of: UInt8(ascii: "?")) {
      case nil: "?"
      case path.utf8.index(before: path.utf8.endIndex)?: ""
      default: path.utf8.last == UInt8(ascii: "&") ? "" : "&"
      }
    head.path = path + separator + fields.encoded
  }
}
