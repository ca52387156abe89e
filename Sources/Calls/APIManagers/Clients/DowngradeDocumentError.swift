public import Interception

/// The error of a ``DowngradeDocument`` that can't be applied.
public struct DowngradeDocumentError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// A sentence that says what is wrong and what to do.
  public let description: String

  /// The offset of the fault in the document; nil if it concerns the document as a whole.
  package let offset: Int?

  private init(_ description: String, at offset: Int? = nil) {
    self.description = description
    self.offset = offset
  }

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
  /// - Parameters:
  ///   - field: The path to the faulty field, if known.
  ///   - offset: The offset of the fault in the document, if known.
  package static func malformed(field: String?, at offset: Int? = nil) -> DowngradeDocumentError {
    DowngradeDocumentError(
      field.map { "`\($0)` is missing or has another type; correct the document on the server." }
        ?? "The document is not a valid JSON object; correct it on the server.", at: offset)
  }

  /// The reason of an entry is empty, too long, or has a control character.
  ///
  /// - Parameters:
  ///   - index: The entry's index, counted from 0.
  ///   - offset: The offset of the entry in the document.
  package static func invalidReason(index: Int, at offset: Int? = nil) -> DowngradeDocumentError {
    DowngradeDocumentError(
      "`switchedOff[\(index)].reason` should be a text of 1 to \(DowngradeDocument.maximumReasonLength) characters "
        + "without control characters.", at: offset)
  }
}

extension DowngradeDocumentError {
  /// Whether two errors say the same, wherever the fault is.
  public static func == (left: DowngradeDocumentError, right: DowngradeDocumentError) -> Bool {
    left.description == right.description
  }

  /// Hashes what the error says.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
