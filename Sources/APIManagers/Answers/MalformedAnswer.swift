/// Why the content of an answer is not what a reader of it expected; a reformer throws it.
public struct MalformedAnswer: Error, Sendable, Hashable {
  /// The field at fault, such as `items[3].price`; nil when it is about the content as a whole.
  public let field: String?
  /// A sentence that says what was expected, and what is there.
  public let reason: String

  /// Makes a fault.
  public init(field: String? = nil, _ reason: String) {
    self.field = field
    self.reason = reason
  }

  /// The reformer knows nothing of the answers of a manager.
  public static func unknownManager(_ manager: ManagerIdentity) -> MalformedAnswer {
    MalformedAnswer("The reformer doesn't know the answers of \(manager); fetch with one that does.")
  }
}

extension MalformedAnswer: CustomStringConvertible {
  /// The sentence.
  public var description: String { reason }
}
