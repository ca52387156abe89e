/// The error type of the chain: what failed, where, at which attempt, and whether the server may have
/// processed the request.
///
/// Its values are stored in one object, so that a call that throws it reserves one word for the error.
public struct NetworkError: Error, LoggableError, Sendable {
  private var parts: Parts

  /// What failed.
  public var kind: Kind {
    get { parts.values.kind }
    set { change { $0.kind = newValue } }
  }
  /// A sentence that names the culprit and the remedy; it never contains a secret.
  ///
  /// An error of another kind that an interceptor throws is named here by its type only, because its text may
  /// quote anything; ``underlying`` is the error itself. Throw a `NetworkError` to have a text of yours here.
  public var reason: String {
    get { parts.values.reason }
    set { change { $0.reason = newValue } }
  }
  /// Where the error was thrown; the pipeline sets it.
  public var origin: Origin? {
    get { parts.values.origin }
    set { change { $0.origin = newValue } }
  }
  /// The attempt that failed, counted from 1.
  public var attempt: Int {
    get { parts.values.attempt }
    set { change { $0.attempt = newValue } }
  }
  /// The request that failed, without its query, header fields and body; the pipeline sets it.
  ///
  /// After a redirect it is the request to which that led.
  public internal(set) var request: Request.Summary? {
    get { parts.values.request }
    set { change { $0.request = newValue } }
  }
  /// Whether the server may have processed the request; false only if it certainly has not.
  ///
  /// It is safe to resend a request that is not idempotent only if this is false (RFC 9110, section 9.2.2).
  public var requestMayHaveBeenProcessed: Bool {
    get { parts.values.requestMayHaveBeenProcessed }
    set { change { $0.requestMayHaveBeenProcessed = newValue } }
  }
  /// Why the request was not sent again; nil if the error is not one that is usually retried.
  public var retryRefusal: Exchange.RetryRefusal? {
    get { parts.values.retryRefusal }
    set { change { $0.retryRefusal = newValue } }
  }
  /// Whether the request was not sent because the work failed that completes it; see ``Request/Departure``.
  ///
  /// Such an error does not concern the request's own origin.
  package var preventedDeparture: Bool {
    get { parts.values.preventedDeparture }
    set { change { $0.preventedDeparture = newValue } }
  }
  /// The bytes that the dispatcher had counted when the exchange failed.
  package var progress: Progress {
    get { parts.values.progress }
    set { change { $0.progress = newValue } }
  }
  /// The error that was wrapped, or that caused this one.
  public var underlying: (any Error)? {
    get { parts.values.underlying }
    set { change { $0.underlying = newValue } }
  }

  /// Creates an error.
  public init(
    _ kind: Kind, _ reason: String, requestMayHaveBeenProcessed: Bool = false,
    underlying: (any Error)? = nil, origin: Origin? = nil, attempt: Int = 1
  ) {
    parts = Parts(
      Values(
        kind: kind, reason: reason, origin: origin, attempt: attempt,
        requestMayHaveBeenProcessed: requestMayHaveBeenProcessed, underlying: underlying))
  }

  /// Creates the error with which a request fails if an app's code, which `culprit` names, throws an error of
  /// its own.
  package init(foreign error: any Error, from culprit: String) {
    // The text of a foreign error may contain secrets, so it isn't quoted.
    self.init(
      .rejected, "\(culprit) failed with \(type(of: error)); see its `underlying` error.", underlying: error)
  }

  /// The part of the chain that failed.
  public enum Origin: Sendable, Hashable {
    /// An interceptor, by name.
    case interceptor(String)
    /// The dispatcher, by the name of its type.
    case dispatcher(String)
    /// The pipeline itself.
    case pipeline
  }

  private mutating func change(_ change: (inout Values) -> Void) {
    var values = parts.values
    change(&values)
    parts = Parts(values)
  }

  /// Whether the network failed, or had no room, so that a later connection to the same server may succeed.
  package var isOfNetwork: Bool {
    switch kind {
    case .offline, .resolve, .connect, .timeout, .queueFull, .descriptorsExhausted, .transport: true
    default: false
    }
  }

  /// Returns the wrapped error if it has the given type.
  public func underlying<Failure: Error>(as type: Failure.Type) -> Failure? { underlying as? Failure }
}

extension NetworkError: CustomStringConvertible {
  /// The label, the name of the interceptor or dispatcher that failed, and the reason.
  ///
  /// The request, the number of its attempt, and why it was not sent again follow in brackets if they are
  /// known.
  public var description: String {
    let culprit =
      switch origin {
      case .interceptor(let name), .dispatcher(let name): " (\(name))"
      case .pipeline, nil: ""
      }
    return "\(label)\(culprit): \(reason)"
      + RequestNote.text(of: request, attempt: attempt, retryRefusal: retryRefusal)
  }
}

extension NetworkError {
  /// The bytes of an exchange's unfinished content.
  package struct Progress: Sendable, Hashable {
    /// The bytes of a request's body that were sent, if that was not complete.
    package var sentBytes: Int64
    /// The bytes of the response's content that were received.
    package var receivedBytes: Int64

    /// Creates a progress; none by default.
    package init(sentBytes: Int64 = 0, receivedBytes: Int64 = 0) {
      self.sentBytes = sentBytes
      self.receivedBytes = receivedBytes
    }
  }

  fileprivate struct Values: Sendable {
    var kind: Kind
    var reason: String
    var origin: Origin?
    var attempt: Int
    var request: Request.Summary?
    var requestMayHaveBeenProcessed: Bool
    var retryRefusal: Exchange.RetryRefusal?
    var preventedDeparture = false
    var progress = Progress()
    var underlying: (any Error)?
  }

  fileprivate final class Parts: Sendable {
    let values: Values

    init(_ values: Values) { self.values = values }
  }
}

/// An error whose description quotes nothing that may be secret: no header field, content or query, and no
/// text of an error that isn't loggable itself.
///
/// Only such descriptions become a part of ``NetworkError/reason``, and so of logs and traces. The error
/// types of this package conform to it if that is true of them.
package protocol LoggableError: Error {}

extension NetworkError {
  /// Returns what may be logged of an error: the description of a loggable one, and only the type of another
  /// one, with the domain and the code if it has them from Foundation.
  package static func loggableText(of error: any Error) -> String {
    if error is any LoggableError { return "\(error)" }
    let type = type(of: error)
    // Swift's own errors have their type as their domain.
    let isCoded = error._domain != String(reflecting: type)
    return isCoded ? "\(type) (\(error._domain) \(error._code))" : "\(type)"
  }

  /// Returns `error` as a network error of a request, thrown at `origin`; an error that already has an origin
  /// keeps it.
  package static func wrapping(
    _ error: any Error, of request: Request? = nil, origin: Origin, attempt: Int,
    requestMayHaveBeenProcessed: Bool
  ) -> NetworkError {
    let wrapped = wrapping(
      error, origin: origin, attempt: attempt, requestMayHaveBeenProcessed: requestMayHaveBeenProcessed)
    return request.map { wrapped.of($0) } ?? wrapped
  }

  /// Returns the error with its request, unless it has one.
  package func of(_ request: Request) -> NetworkError {
    guard self.request == nil else { return self }
    var error = self
    error.request = Request.Summary(request, includingPartition: false)
    return error
  }

  private static func wrapping(
    _ error: any Error, origin: Origin, attempt: Int, requestMayHaveBeenProcessed: Bool
  ) -> NetworkError {
    if var known = error as? NetworkError {
      guard known.origin == nil else { return known }
      known.origin = origin
      known.attempt = attempt
      if requestMayHaveBeenProcessed { known.requestMayHaveBeenProcessed = true }
      return known
    }
    if error is CancellationError {
      return NetworkError(
        .cancelled(.task), "The request was cancelled.",
        requestMayHaveBeenProcessed: requestMayHaveBeenProcessed, underlying: error, origin: origin,
        attempt: attempt)
    }
    let text = loggableText(of: error)
    let reason = error is any LoggableError ? text : "\(text) was thrown; see the error's `underlying`."
    return NetworkError(
      .rejected, reason, requestMayHaveBeenProcessed: requestMayHaveBeenProcessed,
      underlying: error, origin: origin, attempt: attempt)
  }

  /// Returns an error for a body that is longer than allowed.
  package static func bodyTooLarge(limit: Int64, requestMayHaveBeenProcessed: Bool = true) -> NetworkError {
    NetworkError(
      .bodyTooLarge(limit: limit),
      "The body is longer than the \(limit) bytes allowed; raise the limit, or stream the body.",
      requestMayHaveBeenProcessed: requestMayHaveBeenProcessed)
  }
}
