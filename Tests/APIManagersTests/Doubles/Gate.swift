import Interception
import SwitchyardTesting

/// Holds requests back until a test releases them; it never sleeps.
final class Gate: Sendable {
  private struct Held {
    let request: RequestID
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var held: [Held] = []
    var cancelled: Set<RequestID> = []
    var cancellations = 0
  }

  private let state = WaitableValue(State())

  /// Suspends until the test releases the request.
  func pass(_ request: Request) async throws(NetworkError) {
    let isThrough = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.update { state in
          let isCancelled = state.cancelled.contains(request.id)
          if !isCancelled { state.held.append(Held(request: request.id, continuation: continuation)) }
          return isCancelled
        }
        if isCancelled { continuation.resume(returning: false) }
      }
    } onCancel: {
      let held = state.update { state in
        state.cancelled.insert(request.id)
        state.cancellations += 1
        let held = state.held.first { $0.request == request.id }
        state.held.removeAll { $0.request == request.id }
        return held
      }
      held?.continuation.resume(returning: false)
    }
    guard isThrough else { throw NetworkError(.cancelled(.task), "The request was cancelled.") }
  }

  /// Returns when at least `count` requests are held at the same time.
  func waitForHeld(_ count: Int, fileID: String = #fileID, line: Int = #line) async throws {
    try await state.wait(fileID: fileID, line: line) { $0.held.count >= count }
  }

  /// Returns when at least `count` requests have been cancelled.
  func waitForCancellations(_ count: Int, fileID: String = #fileID, line: Int = #line) async throws {
    try await state.wait(fileID: fileID, line: line) { $0.cancellations >= count }
  }

  /// Releases one request.
  func open(_ request: RequestID) {
    let held = state.update { state in
      let held = state.held.first { $0.request == request }
      state.held.removeAll { $0.request == request }
      return held
    }
    held?.continuation.resume(returning: true)
  }

  /// Whether a request is held.
  func isHeld(_ request: RequestID) -> Bool {
    state.value.held.contains { $0.request == request }
  }

  /// Whether a request was cancelled.
  func wasCancelled(_ request: RequestID) -> Bool { state.value.cancelled.contains(request) }

  /// Releases all held requests, in the order that the test chooses.
  func openAll(_ order: ([RequestID]) -> [RequestID] = { $0 }) {
    for request in order(state.value.held.map(\.request)) { open(request) }
  }
}

extension Gate {
  /// Releases a request; returns false if it is neither held nor cancelled yet.
  func tryOpen(_ request: RequestID) -> Bool {
    if isHeld(request) {
      open(request)
      return true
    }
    return wasCancelled(request)
  }
}
