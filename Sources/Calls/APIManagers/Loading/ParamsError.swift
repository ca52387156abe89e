public import Interception

/// The error that a param validator throws when params cannot be sent.
public struct ParamsError: Error, LoggableError, Sendable, Hashable {
  /// The field at fault, or nil if the fault concerns the params as a whole.
  package let field: String?
  /// A sentence that says what is wrong and what to do.
  package let reason: String

  /// Creates an error.
  public init(field: String? = nil, _ reason: String) {
    self.field = field
    self.reason = reason
  }
}

extension ParamsError: CustomStringConvertible {
  /// The field and the reason.
  public var description: String { field.map { "\($0): \(reason)" } ?? reason }
}
