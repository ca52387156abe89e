import HTTPTypes
public import Interception

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
