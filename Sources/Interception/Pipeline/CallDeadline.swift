/// The end of a call whose time is limited by ``RequestOptions/Timeouts/call``.
///
/// A class, so that a context that carries it stays small.
package final class CallDeadline: Sendable {
  let limit: Duration
  let time: TimeSource
  private let end: Duration

  /// Creates the deadline of a call that starts now.
  package init(after limit: Duration, time: TimeSource) {
    self.limit = limit
    self.time = time
    end = time.now() + limit
  }

  /// The time left; zero once the deadline is reached.
  package var remaining: Duration { max(.zero, end - time.now()) }

  /// Returns a request that ends with the call, for one attempt.
  func limited(_ request: Request) -> Request {
    var request = request
    let remaining = remaining
    request.options.timeouts.call = min(request.callLimit ?? remaining, remaining)
    return request
  }

  /// Returns the error of a call that reached the deadline.
  func error(_ request: Request, attempt: Int, requestMayHaveBeenProcessed: Bool) -> NetworkError {
    NetworkError(
      .timeout(.call),
      "The call to \(Request.Summary(request).authority) did not end within \(limit), with all its attempts; check "
        + "the server, or raise timeouts.call.",
      requestMayHaveBeenProcessed: requestMayHaveBeenProcessed, origin: .pipeline, attempt: attempt)
  }
}
