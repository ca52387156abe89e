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

  /// Returns `error` as a network error thrown at `origin`; an error that already has an origin is unchanged.
  package static func wrapping(
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
  public static func bodyTooLarge(limit: Int64, requestMayHaveBeenProcessed: Bool = true) -> NetworkError {
    NetworkError(
      .bodyTooLarge(limit: limit),
      "The body is longer than the \(limit) bytes allowed; raise the limit, or stream the body.",
      requestMayHaveBeenProcessed: requestMayHaveBeenProcessed)
  }
}
