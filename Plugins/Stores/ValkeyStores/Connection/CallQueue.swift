import CHiredis
import Dispatch
import Synchronization

/// The calls that wait for the thread of a connection, which takes all of them at once.
final class CallQueue<Call: Sendable>: Sendable {
  /// The maximum number of calls that the thread takes at once, so that a batch is written in one piece.
  static var batchSize: Int { 256 }

  private struct State {
    var waiting: [Call] = []
    var isClosed = false
    var hasThread = false
  }

  private let maximumCount: Int
  private let state = Mutex(State())
  // The thread blocks on it while no call waits.
  private let arrivals = DispatchSemaphore(value: 0)

  init(maximumCount: Int) { self.maximumCount = max(maximumCount, 1) }

  /// Adds a call.
  func add(_ call: Call) -> CallAdmission {
    let (admission, wakes) = state.withLock { state -> (CallAdmission, Bool) in
      guard state.waiting.count < maximumCount else { return (.full, false) }
      state.waiting.append(call)
      guard state.hasThread else {
        state.hasThread = true
        return (.addedFirst, true)
      }
      return (.added, state.waiting.count == 1)
    }
    if wakes { arrivals.signal() }
    return admission
  }

  /// Removes all calls because no thread could be started; the next call tries again.
  func removeAll() -> [Call] {
    state.withLock { state in
      state.hasThread = false
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Ends the thread after it has handled the calls that wait.
  func close() {
    state.withLock { $0.isClosed = true }
    arrivals.signal()
  }

  /// Blocks until calls wait, and removes up to ``batchSize`` of them; nil once the queue is closed and
  /// empty.
  func next() -> [Call]? {
    while true {
      let (calls, isClosed) = state.withLock { state -> ([Call], Bool) in
        guard state.waiting.count > Self.batchSize else {
          defer { state.waiting = [] }
          return (state.waiting, state.isClosed)
        }
        defer { state.waiting.removeFirst(Self.batchSize) }
        return (Array(state.waiting.prefix(Self.batchSize)), state.isClosed)
      }
      if !calls.isEmpty { return calls }
      if isClosed { return nil }
      arrivals.wait()
    }
  }
}

/// The result of adding a call to a queue.
enum CallAdmission: Sendable, Hashable {
  /// The call was added, and the thread runs.
  case added
  /// The call was added as the first one ever: the thread must be started.
  case addedFirst
  /// The maximum number of calls waits.
  case full
}

/// A thread of its own for calls that block, which must not run on Swift's pool.
enum WorkerThread {
  private final class Work {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `run` on a new, detached thread; returns false if the system can't create one.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let work = unsafe Unmanaged.passRetained(Work(run))
    let code = unsafe switchyard_hiredis_thread_start(
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    if code != 0 { unsafe work.release() }
    return code == 0
  }
}
