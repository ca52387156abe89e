/// Why params are not fit to be sent; a param validator throws it.
public struct ParamsFault: Error, Sendable, Hashable {
  /// The field at fault; nil when it is about the params as a whole.
  public let field: String?
  /// A sentence that says what is wrong and what would be right.
  public let reason: String

  /// Makes a fault.
  public init(field: String? = nil, _ reason: String) {
    self.field = field
    self.reason = reason
  }
}

extension ParamsFault: CustomStringConvertible {
  /// The field and the sentence.
  public var description: String { field.map { "\($0): \(reason)" } ?? reason }
}
