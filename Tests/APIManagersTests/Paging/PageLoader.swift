import APIManagers
import SwitchyardTesting

/// A loader whose pages a test releases one by one.
final class PageLoader: Sendable {
  struct State: Sendable {
    var requests: [PageRequest] = []
    var results: [Int: Result<PageContent<Row>, PageFailure>] = [:]
    var cancelled: [PageRequest] = []
    var running = 0
    var maximumRunning = 0
  }

  let state = WaitableValue(State())

  /// Loads a page: waits until the test has set the result of this call, counted from 0.
  @Sendable func load(_ request: PageRequest) async throws -> PageContent<Row> {
    let call = state.update { state in
      state.requests.append(request)
      state.running += 1
      state.maximumRunning = max(state.maximumRunning, state.running)
      return state.requests.count - 1
    }
    defer { state.update { $0.running -= 1 } }
    do {
      let result = try await state.wait { $0.results[call] != nil }.results[call]
      return try result?.get() ?? PageContent([], next: .exists(false))
    } catch let error as CancellationError {
      state.update { $0.cancelled.append(request) }
      throw error
    }
  }

  /// Sets the result of a call, counted from 0.
  func finish(_ call: Int, _ result: Result<PageContent<Row>, PageFailure>) {
    state.update { $0.results[call] = result }
  }

  func waitForCalls(_ count: Int) async throws { try await state.wait { $0.requests.count >= count } }

  func waitForCancellations(_ count: Int) async throws {
    try await state.wait { $0.cancelled.count >= count }
  }

  /// Returns when no call is in progress.
  func waitUntilIdle() async throws { try await state.wait { $0.running == 0 } }
}
