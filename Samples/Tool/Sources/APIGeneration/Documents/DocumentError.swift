/// Why a document can't be read: the place, what is wrong there, and what to do.
public struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// A sentence that says what is wrong and what to do.
  public let reason: String

  init(_ line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  /// The line and the reason.
  public var description: String { "\(line): \(reason)" }
}
