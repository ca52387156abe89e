/// The error that a reformer throws when the content of an answer is not as expected.
public struct MalformedAnswer: Error, Sendable, Hashable {
  /// The field at fault, such as `items[3].price`, or nil if the fault concerns the content as a whole.
  public let field: String?
  /// A sentence that says what was expected and what was found.
  public let reason: String

  /// Creates an error.
  public init(field: String? = nil, _ reason: String) {
    self.field = field
    self.reason = reason
  }

  /// Creates an error for a manager whose answers the reformer does not support.
  public static func unknownManager(_ manager: ManagerIdentity) -> MalformedAnswer {
    MalformedAnswer("The reformer doesn't support the answers of \(manager); use one that does.")
  }
}

extension MalformedAnswer: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}
