import Dispatch
import RequestSigning
import Synchronization

/// The claims that wait for the thread of a connection, which takes all of them at once.
final class ClaimQueue: Sendable {
  /// A claim and the continuation of its caller.
  struct Entry: Sendable {
    let claim: NonceClaim
    /// The time after which the claim is not sent any more.
    let deadline: Duration
    let continuation: CheckedContinuation<NonceVerdict, Never>
  }

  /// The result of adding a claim.
  enum Admission: Sendable, Hashable {
    /// The claim was added, and the thread runs.
    case added
    /// The claim was added as the first one ever: the thread must be started.
    case addedFirst
    /// The maximum number of claims waits.
    case full
  }

  /// The maximum number of claims that the thread takes at once, so that a batch is written in one piece.
  static let batchSize = 256

  private struct State {
    var waiting: [Entry] = []
    var isClosed = false
    var hasThread = false
  }

  private let maximumCount: Int
  private let state = Mutex(State())
  // The thread blocks on it while no claim waits.
  private let arrivals = DispatchSemaphore(value: 0)

  init(maximumCount: Int) { self.maximumCount = max(maximumCount, 1) }

  /// Adds a claim.
  func add(_ entry: Entry) -> Admission {
    let (admission, wakes) = state.withLock { state -> (Admission, Bool) in
      guard state.waiting.count < maximumCount else { return (.full, false) }
      state.waiting.append(entry)
      guard state.hasThread else {
        state.hasThread = true
        return (.addedFirst, true)
      }
      return (.added, state.waiting.count == 1)
    }
    if wakes { arrivals.signal() }
    return admission
  }

  /// Removes all claims because no thread could be started; the next claim tries again.
  func removeAll() -> [Entry] {
    state.withLock { state in
      state.hasThread = false
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Ends the thread after it has handled the claims that wait.
  func close() {
    state.withLock { $0.isClosed = true }
    arrivals.signal()
  }

  /// Blocks until claims wait, and removes up to ``batchSize`` of them; nil once the queue is closed and
  /// empty.
  func next() -> [Entry]? {
    while true {
      let (entries, isClosed) = state.withLock { state -> ([Entry], Bool) in
        guard state.waiting.count > Self.batchSize else {
          defer { state.waiting = [] }
          return (state.waiting, state.isClosed)
        }
        defer { state.waiting.removeFirst(Self.batchSize) }
        return (Array(state.waiting.prefix(Self.batchSize)), state.isClosed)
      }
      if !entries.isEmpty { return entries }
      if isClosed { return nil }
      arrivals.wait()
    }
  }
}
