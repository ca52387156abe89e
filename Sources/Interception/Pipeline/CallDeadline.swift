import Synchronization

/// The end of a call whose time is limited by ``RequestOptions/Timeouts/call``.
///
/// A class, so that a context that carries it stays small.
package final class CallDeadline: Sendable {
  let limit: Duration
  let time: TimeSource
  private let end: Mutex<Duration>
  /// Whether several calls wait for the request, each of which ends its own wait.
  let isShared: Bool

  /// Creates the deadline of a call that starts now.
  package init(after limit: Duration, time: TimeSource) {
    self.limit = limit
    self.time = time
    end = Mutex(time.now() + limit)
    isShared = false
  }

  /// Creates the deadline of a request that several calls wait for, with that of the first one.
  ///
  /// Interceptors see how much time is left for the last of the calls. No attempt is limited by it, because
  /// another call may still join.
  package init(sharing first: CallDeadline) {
    limit = first.limit
    time = first.time
    end = Mutex(first.end.withLock { $0 })
    isShared = true
  }

  /// Moves the deadline to that of a call that joins, if it is later.
  package func extend(to other: CallDeadline) {
    let otherEnd = other.end.withLock { $0 }
    end.withLock { $0 = max($0, otherEnd) }
  }

  /// The time left; zero once the deadline is reached.
  package var remaining: Duration { max(.zero, end.withLock { $0 } - time.now()) }

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
