/// One thing that is wrong with a request or an answer.
public struct ValidationFault: Sendable, Hashable, CustomStringConvertible {
  /// The rule that is broken, such as `authority`, `fields` or the name of a rule of your own.
  public let rule: String
  /// A sentence that says what to do and names the culprit; no value of a field or a parameter is in it.
  public let sentence: String

  /// The sentence.
  public var description: String { sentence }
}
