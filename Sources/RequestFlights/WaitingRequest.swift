import Interception
import Synchronization

/// A request that waits for a flight, resolved once: with the flight's result, or because it was cancelled.
final class WaitingRequest: Sendable {
  private enum State {
    case pending
    case suspended(ResultContinuation<Response>)
    case resolved(Result<Response, NetworkError>)
    case over
  }

  private let state = Mutex(State.pending)

  /// Resolves the request; later calls have no effect.
  func resolve(_ result: Result<Response, NetworkError>) {
    let continuation = state.withLock { state -> ResultContinuation<Response>? in
      switch state {
      case .pending:
        state = .resolved(result)
        return nil
      case .suspended(let continuation):
        state = .over
        return continuation
      case .resolved, .over: return nil
      }
    }
    continuation?.resume(returning: result)
  }

  /// Returns the result if the request is resolved, without suspending.
  func resolved() -> Result<Response, NetworkError>? {
    state.withLock { state in
      guard case .resolved(let result) = state else { return nil }
      state = .over
      return result
    }
  }

  /// Resumes a continuation with the result as soon as the request is resolved.
  func resume(_ continuation: ResultContinuation<Response>) {
    let result = state.withLock { state -> Result<Response, NetworkError>? in
      if case .resolved(let result) = state {
        state = .over
        return result
      }
      state = .suspended(continuation)
      return nil
    }
    if let result { continuation.resume(returning: result) }
  }
}
