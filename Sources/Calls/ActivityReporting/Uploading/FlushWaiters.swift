#if SQLite
import Synchronization

/// The callers that wait until what they had recorded has left the queue.
final class FlushWaiters: Sendable {
  private struct Waiter {
    let id: UInt64
    let target: Int64
    let account: String
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var lastID: UInt64 = 0
    var waiters: [Waiter] = []
    var cancelled: Set<UInt64> = []
    var runs = 0
    /// The number of the run that resumes the callers; nil if nothing is being uploaded.
    var run: Int?
  }

  private let state = Mutex(State())

  /// Waits until events up to a number have left the queue; returns false if an upload fails first, nothing
  /// is being uploaded, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - account: The account whose events they are.
  ///   - ready: Called when the caller waits.
  func wait(for target: Int64, of account: String = "", ready: () -> Void) async -> Bool {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    defer { _ = state.withLock { $0.cancelled.remove(id) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          guard state.run != nil, state.cancelled.remove(id) == nil else { return false }
          state.waiters.append(Waiter(id: id, target: target, account: account, continuation: continuation))
          return true
        }
        if isWaiting { ready() } else { continuation.resume(returning: false) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.waiters.remove(at: index)
      }
      waiter?.continuation.resume(returning: false)
    }
  }

  /// Accepts waiting callers, and returns the number of the run that will resume them.
  func open() -> Int {
    state.withLock { state in
      state.runs += 1
      state.run = state.runs
      return state.runs
    }
  }

  /// Resumes the callers whose events, those of an account, have left the queue.
  func advance(to head: Int64, of account: String = "") {
    resume(with: true) { $0.target <= head && $0.account == account }
  }

  /// The number of the latest flush.
  ///
  /// The uploader reads it before it looks at the state, and its decision does not apply to later flushes.
  var mark: UInt64 { state.withLock { $0.lastID } }

  /// Ends the flushes up to a mark, because their events can't be uploaded now.
  ///
  /// A later flush has woken the uploader, which looks at the state again.
  func fail(through mark: UInt64) { resume(with: false) { $0.id <= mark } }

  /// Ends the flushes of accounts that don't use the app.
  func fail(exceptOf account: String) { resume(with: false) { $0.account != account } }

  /// Resumes all callers at the end of a run, and accepts no others, unless another run has begun.
  func close(_ run: Int) {
    let isLast = state.withLock { state in
      guard state.run == run else { return false }
      state.run = nil
      return true
    }
    if isLast { fail(through: .max) }
  }

  private func resume(with result: Bool, where isReady: (Waiter) -> Bool) {
    let ready = state.withLock { state in
      let ready = state.waiters.filter(isReady)
      state.waiters.removeAll(where: isReady)
      return ready
    }
    for waiter in ready { waiter.continuation.resume(returning: result) }
  }
}
#endif
