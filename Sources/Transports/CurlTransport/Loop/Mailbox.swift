import Interception
import Synchronization

/// The commands for a loop's thread, in order, with one wake-up per burst.
///
/// The first request starts the thread. A thread that cannot open its loop refuses the commands so far and
/// ends, and the next request starts another.
final class Mailbox: Sendable {
  private enum Reader {
    case absent
    case running
    /// The dispatcher was shut down.
    case ended
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
  private let filled = Atomic(false)
  private let spinning = Atomic(false)

  /// Creates a mailbox whose thread `startReader` starts.
  init(startReader: @escaping @Sendable (Mailbox) -> Void) { self.startReader = startReader }

  /// Appends a command; returns false after a shutdown.
  @discardableResult
  func post(_ command: Command) -> Bool {
    let (isAccepted, isFirst) = state.withLock { state in
      let isFirst = state.reader == .absent && command.startsLoop
      if isFirst { state.reader = .running }
      if state.reader == .running { append(command, &state) }
      return (state.reader != .ended, isFirst)
    }
    if isFirst { startReader(self) }
    return isAccepted
  }

  private func append(_ command: Command, _ state: inout State) {
    state.commands.append(command)
    filled.store(true, ordering: .releasing)
    guard state.isSleeping else { return }
    // Under the lock, so that the multi handle is not freed meanwhile.
    state.isSleeping = false
    state.waker?.wake()
  }

  /// Lets the thread end, after `grace` at the latest, and accepts no more commands.
  func close(grace: Duration) {
    // In one step: the thread may be about to leave for want of descriptors.
    state.withLock { state in
      switch state.reader {
      case .absent: state.reader = .ended
      case .running: append(.close(grace: grace), &state)
      case .ended: break
      }
    }
  }

  /// Whether the thread carries no transfer and spins for a command.
  var isSpinning: Bool { spinning.load(ordering: .relaxed) }

  var hasNoThread: Bool { state.withLock { $0.reader != .running } }

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

  /// Sets what wakes the thread; nil before its multi handle is freed.
  func setWaker(_ waker: Waker?) { state.withLock { $0.waker = waker } }

  /// Replaces `commands` by the commands so far, and reuses its storage.
  func take(into commands: inout [Command]) {
    commands.removeAll(keepingCapacity: true)
    state.withLock { state in
      state.isSleeping = false
      swap(&state.commands, &commands)
      filled.store(false, ordering: .relaxed)
    }
  }

  /// Whether there is a command.
  var isFilled: Bool { filled.load(ordering: .acquiring) }

  /// Spins for a command; returns whether one came.
  func spin() -> Bool {
    spinning.store(true, ordering: .relaxed)
    defer { spinning.store(false, ordering: .relaxed) }
    return SpinPolicy.spin(SpinPolicy.requestTime) { isFilled }
  }

  /// Announces that the thread is about to block; returns false if there is a command.
  func prepareToSleep() -> Bool {
    state.withLock { state in
      state.isSleeping = state.commands.isEmpty
      return state.isSleeping
    }
  }

  /// Refuses the commands so far; the next request starts another thread.
  func refuse(_ error: (WebOrigin) -> NetworkError) {
    for command in suspend() {
      command.refuse(error)
      if case .close = command { close(grace: .zero) }
    }
  }

  /// Returns the commands so far, and lets the next request start another thread.
  func suspend() -> [Command] { leave(.absent) }

  /// Ends the thread after a shutdown; returns the commands that came too late.
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

  /// Runs a job on the thread, which calls this.
  func run(_ job: UnownedJob) { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }

  /// Runs a job on Swift's pool.
  static func runElsewhere(_ job: UnownedJob) { globalConcurrentExecutor.enqueue(job) }
}

/// A command for the loop's thread; rare payloads are boxed, so that copying it takes few instructions.
enum Command: Sendable {
  case submit(Submission)
  case cancel(TransferID)
  /// The body that a request streams was opened; the transfer can be launched.
  case uploadOpened(TransferID)
  /// The body that a request streams has bytes again.
  case uploadReady(TransferID)
  indirect case uploadFailed(TransferID, NetworkError)
  /// The reader of a streamed response has room again.
  case readerReady(TransferID)
  /// The user of an upgraded connection has bytes or room, or has closed it.
  case upgradeReady(TransferID)
  /// The network has changed; the number is what the store of advertisements has counted, 0 without one.
  case networkChanged(Int)
  indirect case census(CheckedContinuation<TransferCensus, Never>)
  /// Run a job of a task that prefers this thread.
  case run(UnownedJob)
  /// Accept no more requests, and end after the grace at the latest.
  indirect case close(grace: Duration)

  /// Whether the command needs a thread; the others concern requests that a thread carries.
  var startsLoop: Bool {
    switch self {
    case .submit, .census, .run: true
    case .cancel, .uploadOpened, .uploadReady, .uploadFailed, .readerReady, .upgradeReady, .networkChanged,
      .close:
      false
    }
  }

  /// Ends a command that no loop will carry out; `error` makes the error of a request to an origin.
  func refuse(_ error: (WebOrigin) -> NetworkError) {
    switch self {
    case .submit(let submission): submission.answer(.failure(error(submission.plan.origin)))
    case .census(let continuation): continuation.resume(returning: TransferCensus())
    case .run(let job): Mailbox.runElsewhere(job)
    case .cancel, .uploadOpened, .uploadReady, .uploadFailed, .readerReady, .upgradeReady, .networkChanged,
      .close:
      break
    }
  }
}
