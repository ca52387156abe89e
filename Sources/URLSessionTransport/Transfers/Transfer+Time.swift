import Interception
import Synchronization

extension Transfer {
  /// Starts to monitor the time limits while the request waits for admission.
  func watchTime() {
    state.withLock { state in if state.end == nil { rearm(&state) } }
  }

  /// Ensures that the limits are checked no later than the next deadline.
  func rearm(_ state: inout TransferState) {
    guard let next = state.deadlines.next else { return }
    if let armed = state.armed, armed <= next.time { return }
    state.timer?.cancel()
    state.armed = next.time
    state.timer = Task { await watch(until: next.time) }
  }

  private func watch(until first: Duration) async {
    var moment = first
    while true {
      let wait = moment - owner.time.now()
      if wait > .zero { do { try await owner.time.sleep(for: wait) } catch { return } }
      guard !Task.isCancelled else { return }
      let look: (next: Duration?, failure: NetworkError?) = state.withLock { state in
        guard state.end == nil, let next = state.deadlines.next else {
          state.armed = nil
          return (nil, nil)
        }
        guard next.time <= owner.time.now() else {
          state.armed = next.time
          return (next.time, nil)
        }
        let failure = NetworkError.timeout(
          next.phase, origin: origin, limit: state.deadlines.limits.limit(of: next.phase),
          mayHaveBeenProcessed: state.launchedAt != nil)
        return (nil, failure)
      }
      if let failure = look.failure { return fail(failure) }
      guard let next = look.next else { return }
      moment = next
    }
  }
}
