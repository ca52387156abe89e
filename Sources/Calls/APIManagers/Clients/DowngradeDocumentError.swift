public import Interception

/// The error of a ``DowngradeDocument`` that can't be applied.
public struct DowngradeDocumentError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// A sentence that says what is wrong and what to do.
  public let description: String

  private init(_ description: String) { self.description = description }

  /// The document is longer than the limit in bytes.
  package static func tooLong(limit: Int) -> DowngradeDocumentError {
    DowngradeDocumentError("The document is longer than \(limit) bytes; list fewer APIs.")
  }

  /// The document has more entries than allowed.
  package static func tooManyEntries(limit: Int) -> DowngradeDocumentError {
    DowngradeDocumentError("The document has more than \(limit) entries; list fewer APIs.")
  }

  /// The document is not valid JSON, or not of the required form.
  ///
  /// - Parameter field: The path to the faulty field, if known.
  package static func malformed(field: String?) -> DowngradeDocumentError {
    DowngradeDocumentError(
      field.map { "`\($0)` is missing or has another type; correct the document on the server." }
        ?? "The document is not a valid JSON object; correct it on the server.")
  }

  /// The reason of an entry is empty, too long, or has a control character.
  ///
  /// - Parameter index: The entry's index, counted from 0.
  package static func invalidReason(index: Int) -> DowngradeDocumentError {
    DowngradeDocumentError(
      "`switchedOff[\(index)].reason` should be a text of 1 to \(DowngradeDocument.maximumReasonLength) characters "
        + "without control characters.")
  }
}
