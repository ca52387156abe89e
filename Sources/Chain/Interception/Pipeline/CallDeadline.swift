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
      requestMayHaveBeenProcessed: requestMayHaveBeenProcessed, origin: .pipeline, attempt: attempt
    ).of(request)
  }
}

extension CallDeadline {
  private enum Event: Sendable {
    case ended(Result<Response, NetworkError>)
    case expired
    /// The wait for the deadline was cancelled.
    case interrupted
  }

  /// Passes a request on, and cancels its call when the time limit of the call is reached, if it has one.
  ///
  /// - Throws: ``NetworkError/Kind/timeout(_:)`` of ``NetworkError/Phase/call`` if the call was cancelled by
  ///   its time limit, and otherwise its own error.
  static func limiting(
    _ request: Request, time: TimeSource,
    _ call: @escaping @Sendable (Request) async throws(NetworkError) -> Response
  ) async throws(NetworkError) -> Response {
    guard let limit = request.callLimit else { return try await call(request) }
    let deadline = CallDeadline(after: limit, time: time)
    var request = request
    request.context.deadline = deadline
    let (result, isExpired) = await deadline.race(request, call)
    do {
      return try result.get()
    } catch {
      // Any other error is the call's own, and says more.
      guard isExpired, error.kind == .cancelled(.task) else { throw error }
      throw deadline.error(
        request, attempt: error.attempt, requestMayHaveBeenProcessed: error.requestMayHaveBeenProcessed)
    }
  }

  private func race(
    _ request: Request, _ call: @escaping @Sendable (Request) async throws(NetworkError) -> Response
  ) async -> (Result<Response, NetworkError>, isExpired: Bool) {
    await withTaskGroup(of: Event.self) { group in
      group.addTask {
        do throws(NetworkError) {
          return .ended(.success(try await call(request)))
        } catch {
          return .ended(.failure(error))
        }
      }
      group.addTask { [self] in
        do {
          try await time.sleep(for: remaining)
          return .expired
        } catch {
          return .interrupted
        }
      }
      var isExpired = false
      while let event = await group.next() {
        switch event {
        case .ended(let result):
          group.cancelAll()
          return (result, isExpired)
        case .expired:
          isExpired = true
          group.cancelAll()
        case .interrupted: break
        }
      }
      // Not reached: the loop returns when the call ends.
      let error = error(request, attempt: request.attempt, requestMayHaveBeenProcessed: true)
      return (.failure(error), isExpired)
    }
  }
}
