/// The one error of the chain: what failed, who says so, at which attempt, and whether the server may have acted.
public struct NetworkError: Error, Sendable {
  /// What failed.
  public var kind: Kind
  /// A sentence that names the culprit and the remedy; it never holds a secret.
  public var reason: String
  /// Who failed; the pipeline fills it in where the error was thrown.
  public var origin: Origin?
  /// The attempt that failed, counted from 1.
  public var attempt: Int
  /// Whether the server may have acted on the request; false only if that is certain.
  ///
  /// A request that is not idempotent is safe to send again only when this is false (RFC 9110, section 9.2.2).
  public var requestMayHaveBeenProcessed: Bool
  /// The error that was wrapped, or that caused this one.
  public var underlying: (any Error)?

  /// Makes an error.
  public init(
    _ kind: Kind, _ reason: String, requestMayHaveBeenProcessed: Bool = false,
    underlying: (any Error)? = nil, origin: Origin? = nil, attempt: Int = 1
  ) {
    self.kind = kind
    self.reason = reason
    self.requestMayHaveBeenProcessed = requestMayHaveBeenProcessed
    self.underlying = underlying
    self.origin = origin
    self.attempt = attempt
  }

  /// Who failed.
  public enum Origin: Sendable, Hashable {
    /// An interceptor, by its name.
    case interceptor(String)
    /// The dispatcher, by its type's name.
    case dispatcher(String)
    /// The pipeline itself.
    case pipeline
  }

  /// Returns the wrapped error when it has the asked type.
  public func underlying<Failure: Error>(as type: Failure.Type) -> Failure? { underlying as? Failure }
}

extension NetworkError: CustomStringConvertible {
  /// The label, who failed, and the sentence.
  public var description: String {
    switch origin {
    case .interceptor(let name), .dispatcher(let name): "\(label) (\(name)): \(reason)"
    case .pipeline, nil: "\(label): \(reason)"
    }
  }
}
