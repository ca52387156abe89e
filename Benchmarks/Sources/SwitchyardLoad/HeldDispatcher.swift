import HTTPTypes
import Interception
import Synchronization

/// Holds its requests until they are released together, and counts them.
final class HeldDispatcher: Dispatcher {
  private struct State {
    var isHolding = true
    var transfers = 0
    var held: [CheckedContinuation<Void, Never>] = []
  }

  private let response = Response(status: .ok, bytes: Array(repeating: 0x61, count: 32))
  private let state = Mutex(State())

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        state.transfers += 1
        if state.isHolding { state.held.append(continuation) }
        return state.isHolding
      }
      if !isHeld { continuation.resume() }
    }
    return response
  }

  /// Responds to the held requests, and to further ones immediately.
  func release() {
    let held = state.withLock { state in
      state.isHolding = false
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  /// Holds further requests, and returns the number of those since the last call.
  func hold() -> Int {
    state.withLock { state in
      defer { state = State() }
      return state.transfers
    }
  }
}
