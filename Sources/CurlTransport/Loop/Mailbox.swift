import Synchronization

/// The way into libcurl's thread: commands in order, and one wake-up per burst of them.
final class Mailbox: Sendable {
  private struct State {
    var commands: [Command] = []
    var waker: Waker?
    var isSleeping = false
    var isClosed = false
    var onClosed: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  // Whether there may be commands; the thread can look without the lock.
  private let isFilled = Atomic(false)
  // Whether the thread looks out for a command.
  private let lookingOut = Atomic(false)

  /// Puts a command in; false when nobody reads any more.
  @discardableResult
  func post(_ command: Command) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.commands.append(command)
      isFilled.store(true, ordering: .releasing)
      // Under the lock, so that the multi handle cannot go meanwhile; only the first command of a burst pays
      // for it.
      if state.isSleeping {
        state.isSleeping = false
        state.waker?.wake()
      }
      return true
    }
  }

  /// Whether the thread does nothing but look out for a command: it carries no transfer, and a caller's request comes
  /// right after an answer.
  var isLookingOut: Bool { lookingOut.load(ordering: .relaxed) }

  /// Waits until the thread has ended.
  func waitUntilClosed() async {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.onClosed.append(continuation) }
        return state.isClosed
      }
      if isClosed { continuation.resume() }
    }
  }

  // MARK: The thread's side

  /// Names the waker of the thread that reads.
  func open(_ waker: Waker) { state.withLock { $0.waker = waker } }

  /// Exchanges the commands so far for an empty list that keeps its memory.
  func take(into commands: inout [Command]) {
    commands.removeAll(keepingCapacity: true)
    state.withLock { state in
      state.isSleeping = false
      swap(&state.commands, &commands)
      isFilled.store(false, ordering: .relaxed)
    }
  }

  /// Looks out for a command without sleeping; returns whether one came within the time.
  func lookOut(for time: Duration) -> Bool {
    lookingOut.store(true, ordering: .relaxed)
    defer { lookingOut.store(false, ordering: .relaxed) }
    return LookOut.waits(time, for: { isFilled.load(ordering: .acquiring) })
  }

  /// Announces that the thread is about to wait; false when there is something to do instead.
  func prepareToSleep() -> Bool {
    state.withLock { state in
      state.isSleeping = state.commands.isEmpty
      return state.isSleeping
    }
  }

  /// Lets go of the waker, before its multi handle goes.
  func release() { state.withLock { $0.waker = nil } }

  /// Accepts nothing more; returns what was left inside.
  func close() -> [Command] {
    state.withLock { state in
      state.isClosed = true
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Tells those that wait in ``waitUntilClosed()`` that the thread is done.
  func announceClosed() {
    let waiting = state.withLock { state in
      defer { state.onClosed = [] }
      return state.onClosed
    }
    for continuation in waiting { continuation.resume() }
  }
}
