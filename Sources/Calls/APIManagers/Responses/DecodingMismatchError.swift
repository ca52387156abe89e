public import Interception

/// The error that a reformer throws when the content of a response is not as expected.
public struct DecodingMismatchError: Error, LoggableError, Sendable, Hashable {
  /// The field at fault, such as `items[3].price`, or nil if the fault concerns the content as a whole.
  package let field: String?
  /// A sentence that says what was expected and what was found.
  package let reason: String

  /// Creates an error.
  public init(field: String? = nil, _ reason: String) {
    self.field = field
    self.reason = reason
  }

  /// Creates an error for a manager whose responses the reformer does not support.
  public static func unknownManager(_ manager: ManagerIdentity) -> DecodingMismatchError {
    DecodingMismatchError("The reformer doesn't support the responses of \(manager); use one that does.")
  }
}

extension DecodingMismatchError: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}
