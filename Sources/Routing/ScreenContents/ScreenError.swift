/// The reason why a document is not a screen that the app can show; nothing of it is shown.
public struct ScreenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  package enum Kind: Sendable, Hashable {
    /// The document is no JSON, too long or too deep.
    case malformed
    /// A part is missing or has a value that is not allowed.
    case invalid
    /// A word is unknown, and there is no fallback.
    case unknown
    /// A route does not exist, or is not exposed to the origin.
    case unroutable
  }

  /// What is wrong.
  package let kind: Kind
  /// The line of the document, from 1; nil for the document as a whole.
  package let line: Int?
  /// The path to the part, such as `blocks[3].action.route`; nil for the document as a whole.
  package let field: String?
  /// A sentence that names the part and the remedy, without any of the document's values.
  package let reason: String

  /// The line and the part at fault, and what to do about it.
  public var description: String { (line.map { "Line \($0): " } ?? "") + reason }
}
