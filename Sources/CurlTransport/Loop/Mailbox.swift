import Synchronization

/// The commands for a loop's thread: in order, with one wake-up per burst.
///
/// The first request starts the thread. A thread that cannot open its loop refuses the commands so far and
/// ends, and the next request starts another one.
final class Mailbox: Sendable {
  private enum Reader {
    case absent
    case running
    /// The dispatcher was shut down.
    case ended
  }

  private enum Outcome {
    case accepted
    /// The caller must start the thread.
    case starts
    case refused
  }

  private struct State {
    var commands: [Command] = []
    var reader = Reader.absent
    var waker: Waker?
    var isSleeping = false
    var onEnded: [CheckedContinuation<Void, Never>] = []
  }

  private let startReader: @Sendable (Mailbox) -> Void
  private let state = Mutex(State())
  // Whether there may be commands; the thread reads it without the lock.
  private let isFilled = Atomic(false)
  private let spinning = Atomic(false)

  /// Creates an empty mailbox.
  ///
  /// - Parameter startReader: Starts the thread. The thread ends with ``end()``, or with ``suspend()`` if it
  ///   could not begin.
  init(startReader: @escaping @Sendable (Mailbox) -> Void) { self.startReader = startReader }

  /// Appends a command; returns false after a shutdown.
  @discardableResult
  func post(_ command: Command) -> Bool {
    let outcome = state.withLock { state -> Outcome in
      switch state.reader {
      case .ended: return .refused
      case .absent where !command.startsLoop: return .accepted
      case .absent:
        state.reader = .running
        append(command, &state)
        return .starts
      case .running:
        append(command, &state)
        return .accepted
      }
    }
    if outcome == .starts { startReader(self) }
    return outcome != .refused
  }

  private func append(_ command: Command, _ state: inout State) {
    state.commands.append(command)
    isFilled.store(true, ordering: .releasing)
    guard state.isSleeping else { return }
    // Under the lock, because the multi handle must not be freed meanwhile; only the first command of a burst
    // pays for it.
    state.isSleeping = false
    state.waker?.wake()
  }

  /// Lets the thread end, at the latest after `grace`; nothing is accepted afterwards.
  func close(grace: Duration) {
    let isRunning = state.withLock { state in
      if state.reader == .absent { state.reader = .ended }
      return state.reader == .running
    }
    if isRunning { post(.close(grace: grace)) }
  }

  /// Whether the thread carries no transfer and spins for a command.
  var isSpinning: Bool { spinning.load(ordering: .relaxed) }

  /// Whether no thread runs.
  var hasNoThread: Bool { state.withLock { $0.reader != .running } }

  /// Waits until the thread has ended.
  func waitUntilEnded() async {
    await withCheckedContinuation { continuation in
      let isRunning = state.withLock { state in
        if state.reader == .running { state.onEnded.append(continuation) }
        return state.reader == .running
      }
      if !isRunning { continuation.resume() }
    }
  }

  // MARK: The thread's side

  /// Sets what wakes the thread.
  func open(_ waker: Waker) { state.withLock { $0.waker = waker } }

  /// Exchanges the commands so far for `commands`, whose memory is reused.
  func take(into commands: inout [Command]) {
    commands.removeAll(keepingCapacity: true)
    state.withLock { state in
      state.isSleeping = false
      swap(&state.commands, &commands)
      isFilled.store(false, ordering: .relaxed)
    }
  }

  /// Spins for a command; returns whether one came.
  func spin() -> Bool {
    spinning.store(true, ordering: .relaxed)
    defer { spinning.store(false, ordering: .relaxed) }
    return SpinPolicy.spin(SpinPolicy.requestTime) { isFilled.load(ordering: .acquiring) }
  }

  /// Announces that the thread is about to block; returns false if there is a command.
  func prepareToSleep() -> Bool {
    state.withLock { state in
      state.isSleeping = state.commands.isEmpty
      return state.isSleeping
    }
  }

  /// Releases the waker, before its multi handle is freed.
  func releaseWaker() { state.withLock { $0.waker = nil } }

  /// The thread could not begin: returns the commands so far, and lets the next request start another thread.
  func suspend() -> [Command] { leave(.absent) }

  /// The thread ends after a shutdown: returns the commands that came too late.
  func end() -> [Command] { leave(.ended) }

  private func leave(_ reader: Reader) -> [Command] {
    let (commands, waiting) = state.withLock { state in
      state.reader = reader
      defer { (state.commands, state.onEnded) = ([], []) }
      return (state.commands, state.onEnded)
    }
    for continuation in waiting { continuation.resume() }
    return commands
  }
}

extension Mailbox: TaskExecutor {
  /// Runs a task's job on the thread, or on Swift's pool once the thread has ended.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !post(.run(job)) { Self.runElsewhere(job) }
  }

  /// Runs a job; on the thread.
  func run(_ job: UnownedJob) { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }

  /// Hands a job to Swift's pool.
  static func runElsewhere(_ job: UnownedJob) { globalConcurrentExecutor.enqueue(job) }
}
