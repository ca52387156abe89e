/// The one error of the chain: what failed, who says so, at which attempt, and whether the server may have
/// acted.
///
/// It is one reference, so that whoever awaits an answer sets aside no more than that for the case of an
/// error.
public struct NetworkError: Error, Sendable {
  private var parts: Parts

  /// What failed.
  public var kind: Kind {
    get { parts.values.kind }
    set { change { $0.kind = newValue } }
  }
  /// A sentence that names the culprit and the remedy; it never holds a secret.
  public var reason: String {
    get { parts.values.reason }
    set { change { $0.reason = newValue } }
  }
  /// Who failed; the pipeline fills it in where the error was thrown.
  public var origin: Origin? {
    get { parts.values.origin }
    set { change { $0.origin = newValue } }
  }
  /// The attempt that failed, counted from 1.
  public var attempt: Int {
    get { parts.values.attempt }
    set { change { $0.attempt = newValue } }
  }
  /// Whether the server may have acted on the request; false only if that is certain.
  ///
  /// A request that is not idempotent is safe to send again only when this is false (RFC 9110, section
  /// 9.2.2).
  public var requestMayHaveBeenProcessed: Bool {
    get { parts.values.requestMayHaveBeenProcessed }
    set { change { $0.requestMayHaveBeenProcessed = newValue } }
  }
  /// The error that was wrapped, or that caused this one.
  public var underlying: (any Error)? {
    get { parts.values.underlying }
    set { change { $0.underlying = newValue } }
  }

  /// Makes an error.
  public init(
    _ kind: Kind, _ reason: String, requestMayHaveBeenProcessed: Bool = false,
    underlying: (any Error)? = nil, origin: Origin? = nil, attempt: Int = 1
  ) {
    parts = Parts(
      Values(
        kind: kind, reason: reason, origin: origin, attempt: attempt,
        requestMayHaveBeenProcessed: requestMayHaveBeenProcessed, underlying: underlying))
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

  private mutating func change(_ change: (inout Values) -> Void) {
    var values = parts.values
    change(&values)
    parts = Parts(values)
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

extension NetworkError {
  fileprivate struct Values: Sendable {
    var kind: Kind
    var reason: String
    var origin: Origin?
    var attempt: Int
    var requestMayHaveBeenProcessed: Bool
    var underlying: (any Error)?
  }

  fileprivate final class Parts: Sendable {
    let values: Values

    init(_ values: Values) { self.values = values }
  }
}
