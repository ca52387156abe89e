import CCurlShims
import COpenSSL
import Interception

/// The event loop of one thread: takes commands, has ``DispatchState`` decide, and drives libcurl.
///
/// The thread runs no user code but tasks that prefer it: callers and bodies use Swift's pool. The loop is a
/// value on the thread's stack, so accesses need no exclusivity checks at run time.
struct TransferLoop: ~Copyable {
  let mailbox: Mailbox
  let library: LoadedLibrary
  let watchesIdleConnections: Bool
  let multi: MultiHandle
  let shared: LoopRound
  var handles: HandleStock
  var state: DispatchState
  var actions: [DispatchState.Action] = []
  var waiting = WaitingSubmissions()
  var running = RunningTransfers()
  var upgrades: OpenUpgrades
  private var commands: [Command] = []
  private var isDrained = false
  var spinning: LoopSpinning
  private let time: TimeSource

  private init?(
    mailbox: Mailbox, configuration: CurlDispatcher.Configuration, library: LoadedLibrary,
    time: TimeSource
  ) {
    let limits = configuration.limits
    guard
      let multi = MultiHandle(
        streams: limits.streamsPerOrigin, keptConnections: configuration.connections.kept ?? limits.total),
      let connections = ConnectionStock(multi.poller)
    else { return nil }
    // Nothing is stored before the last `return nil`: Swift 6.3 would destroy uninitialized properties.
    self.multi = multi
    shared = LoopRound(connections.poller, configuration: configuration)
    handles = HandleStock(connections, shared: shared)
    self.mailbox = mailbox
    self.library = library
    watchesIdleConnections = IdleConnectionWatch.isNeeded(by: library)
    self.time = time
    spinning = LoopSpinning(isEnabled: configuration.spinning)
    upgrades = OpenUpgrades(limit: limits.upgrades)
    state = DispatchState(limits: limits, learnsStreams: StreamAllowance.isNeeded(by: library))
  }

  /// Runs a loop until it was closed and every request has ended, and refuses the commands that come later.
  static func run(
    mailbox: Mailbox, configuration: CurlDispatcher.Configuration, library: LoadedLibrary, time: TimeSource
  ) {
    if configuration.reusesMemory { BlockStore.open() }
    let hasRun = runOnce(
      TransferLoop(mailbox: mailbox, configuration: configuration, library: library, time: time))
    BlockStore.close()
    // Else OpenSSL would free the thread's memory when the thread ends, possibly while the program ends.
    OPENSSL_thread_stop()
    guard hasRun else { return mailbox.refuse { .resources(origin: $0, "an event loop") } }
    for command in mailbox.end() {
      command.refuse { .cancelled(.shutdown, origin: $0, mayHaveBeenProcessed: false) }
    }
  }

  // The loop and its descriptors are released when this returns.
  private static func runOnce(_ loop: consuming TransferLoop?) -> Bool {
    guard var loop else { return false }
    loop.mailbox.setWaker(loop.multi.waker)
    while !loop.isDrained { loop.round() }
    loop.endUpgrades()
    loop.mailbox.setWaker(nil)
    return true
  }

  /// Carries out commands, ends expired requests, lets libcurl work, and waits.
  private mutating func round() {
    mailbox.take(into: &commands)
    shared.now = time.now()
    for command in commands { carryOut(command) }
    // A command retains its request and the loop's owner; none may be kept while the thread blocks.
    commands.removeAll(keepingCapacity: true)
    endExpired()
    state.tick(at: shared.now, &actions)
    carryOutActions()
    // Repeats, so that started requests are sent before the thread blocks.
    repeat {
      multi.advance { port in running.uses(port: port) }
      for departure in shared.takeDepartures() {
        state.depart(departure.id, from: departure.previous, to: departure.port, &actions)
      }
      collectFinished()
      advanceUpgrades()
      shared.resumeAnswered()
      for news in shared.takeLearned() {
        state.learn(isMultiplexed: news.isMultiplexed, origin: news.origin, &actions)
      }
    } while carryOutActions()
    shared.resumeAnswered()
    if !isDrained { wait() }
  }

  // MARK: Waiting

  private mutating func wait() {
    if spin() { return }
    // Sockets are polled even if there is a command: endless commands must not starve them.
    guard !shared.hasReady, mailbox.prepareToSleep() else { return _ = multi.wait(milliseconds: 0) }
    guard running.isEmpty, BlockStore.isLarge else { return _ = multi.wait(milliseconds: patience) }
    if !multi.wait(milliseconds: min(patience, 1_000)) { BlockStore.trim() }
  }

  /// Spins for the next request after a response, or for bytes to send after received ones; returns whether a
  /// command came.
  private mutating func spin() -> Bool {
    guard spinning.shouldSpin(isIdle: running.isEmpty, hasCommand: mailbox.isFilled) else { return false }
    let hasCommand = mailbox.spin()
    spinning.record(success: hasCommand)
    // Bytes that an idle connection received meanwhile must be noticed before it carries the next request.
    if hasCommand { multi.wait(milliseconds: 0) }
    return hasCommand
  }

  /// The time until the next limit in milliseconds, at most an hour.
  private var patience: Int {
    let latest = shared.now + .seconds(3600)
    let next = min(state.nextTick ?? latest, shared.alarm ?? latest, latest)
    return max((next - shared.now).wholeMilliseconds, 0)
  }

  // MARK: Commands

  private mutating func carryOut(_ command: Command) {
    switch command {
    case .submit(let submission): submit(submission)
    case .cancel(let id): state.cancel(id, &actions)
    case .uploadOpened(let id): if let transfer = running[id], !transfer.phase.isLaunched { launch(transfer) }
    case .uploadReady(let id): resume(id) { $0.resumeSending() }
    case .uploadFailed(let id, let error): if let transfer = running[id] { end(transfer, error) }
    case .readerReady(let id): resume(id) { $0.resumeReceiving() }
    case .upgradeReady(let id): advanceUpgrade(id)
    case .networkChanged: handles.renew()
    case .census(let continuation): continuation.resume(returning: census)
    case .run(let job): mailbox.run(job)
    case .close(let grace): state.close(graceEnd: shared.now + grace, &actions)
    }
    carryOutActions()
  }

  private mutating func resume(_ id: TransferID, _ direction: (Transfer) -> NetworkError?) {
    guard let transfer = running[id], let error = direction(transfer) else { return }
    end(transfer, error)
  }

  private var census: TransferCensus {
    TransferCensus(
      waiting: state.waiting, running: state.running, transfers: running.count,
      streams: running.streamCount, unanswered: waiting.count,
      sockets: multi.poller.openCount)
  }

  // MARK: Actions

  /// Carries out the state's decisions; returns whether a transfer was started.
  @discardableResult
  mutating func carryOutActions() -> Bool {
    var hasStarted = false
    var index = 0
    // Carrying out an action may append more.
    while index < actions.count {
      switch actions[index] {
      case .start(let id):
        hasStarted = true
        start(id)
      case .refuse(let id, let limit): refuse(id) { .queueFull(origin: $0.origin, limit: limit) }
      case .expire(let id, let phase): expire(id, phase)
      case .drop(let id, let cause):
        refuse(id) { .cancelled(cause, origin: $0.origin, mayHaveBeenProcessed: false) }
      case .abort(let id, let cause):
        if let transfer = running[id] { end(transfer, transfer.cancellation(cause)) }
      case .drained: isDrained = true
      }
      index += 1
    }
    actions.removeAll(keepingCapacity: true)
    return hasStarted
  }
}
