/// A field of a form on the command line: `NAME=VALUE`, or `NAME=@FILE` for the content of a file.
public struct FormArgument: Sendable, Hashable {
  /// What the field has.
  public enum Content: Sendable, Hashable {
    /// A text.
    case text(String)
    /// The content of a file, by its path.
    case file(String)
  }

  /// The name of the field.
  public let name: String
  /// Its content.
  public let content: Content

  /// Parses an argument; `NAME=@@TEXT` is a text that begins with `@`.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/usage``.
  public init(_ text: String) throws(ToolFailure) {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex else {
      throw ToolFailure(.usage, "--form needs NAME=VALUE, or NAME=@FILE for the content of a file.")
    }
    name = String(text[..<equals])
    let value = text[text.utf8.index(after: equals)...]
    if value.utf8.starts(with: "@@".utf8) {
      content = .text(String(value.dropFirst()))
    } else if value.utf8.first == UInt8(ascii: "@") {
      content = .file(String(value.dropFirst()))
    } else {
      content = .text(String(value))
    }
  }

  /// Whether a form is sent as `multipart/form-data`, because one of its fields is a file; otherwise it is
  /// `application/x-www-form-urlencoded`.
  public static func needsParts(_ fields: [FormArgument]) -> Bool {
    fields.contains { if case .file = $0.content { true } else { false } }
  }
}
