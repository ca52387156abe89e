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
