/// A place in a source file that breaks a rule of a module.
public struct SourceViolation: Sendable, Hashable, CustomStringConvertible {
  /// The path of the source file, as given.
  public var path: String
  /// The line, starting at 1.
  public var line: Int
  /// The column in UTF-8 bytes, starting at 1.
  public var column: Int
  /// What is wrong, and the alternative, without the place.
  public var sentence: String

  /// The violation in the format of a compiler error, which build logs and editors understand.
  public var description: String { "\(path):\(line):\(column): error: \(sentence)" }

  init(_ path: String, line: Int = 1, column: Int = 1, _ sentence: String) {
    self.path = path
    self.line = line
    self.column = column
    self.sentence = sentence
  }
}
