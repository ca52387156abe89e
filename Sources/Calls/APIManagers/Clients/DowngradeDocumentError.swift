public import Interception

/// The error of a ``DowngradeDocument`` that can't be applied.
public enum DowngradeDocumentError: Error, LoggableError, Sendable, Hashable {
  /// The document is longer than the limit in bytes.
  case tooLong(limit: Int)
  /// The document has more entries than allowed.
  case tooManyEntries(limit: Int)
  /// The document is not valid JSON, or not of the required form; `field` is the path to the field at fault,
  /// if known.
  case malformed(field: String?)
  /// The reason of an entry is empty, too long, or has a control character; the index is counted from 0.
  case invalidReason(index: Int)
}

extension DowngradeDocumentError: CustomStringConvertible {
  /// A sentence that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .tooLong(let limit): "The document is longer than \(limit) bytes; list fewer APIs."
    case .tooManyEntries(let limit): "The document has more than \(limit) entries; list fewer APIs."
    case .malformed(let field?):
      "`\(field)` is missing or has another type; correct the document on the server."
    case .malformed(nil): "The document is not a valid JSON object; correct it on the server."
    case .invalidReason(let index):
      "`switchedOff[\(index)].reason` should be a text of 1 to \(DowngradeDocument.maximumReasonLength) characters without control characters."
    }
  }
}
