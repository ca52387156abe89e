extension NetworkError {
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
    return NetworkError(
      .rejected, "\(error)", requestMayHaveBeenProcessed: requestMayHaveBeenProcessed,
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
