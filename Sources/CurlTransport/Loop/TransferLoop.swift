import CCurlShims
import COpenSSL
import Interception

/// The event loop of one thread: takes commands, asks ``DispatchState`` what to do, and lets libcurl do it.
///
/// A round is ``round()``; what it decides is carried out in `TransferLoop+Starting.swift` and
/// `TransferLoop+Ending.swift`. No user code runs here but tasks that prefer the thread: callers are resumed
/// on Swift's pool, which also reads and writes bodies. The loop is a value on its thread's stack, so no
/// access to it is checked at run time.
struct TransferLoop: ~Copyable {
  let mailbox: Mailbox
  let limits: CurlDispatcher.Limits
  let library: LoadedLibrary
  let watchesIdleConnections: Bool
  let multi: MultiHandle
  /// What the transfers share with the loop.
  let shared: LoopRound
  let defaults: HandleDefaults
  /// The defaults of handles whose connections carry one request at a time.
  let dedicatedDefaults: HandleDefaults
  var pool: HandlePool
  var dedicated = DedicatedHandles()
  var connections: ConnectionStock
  var state: DispatchState
  var actions: [DispatchState.Action] = []
  /// Requests that have not started.
  var waiting: [TransferID: Submission] = [:]
  /// The request that was submitted last; most requests start at once and are never inserted into
  /// ``waiting``.
  var incoming: Submission?
  var running: [TransferID: Transfer] = [:]
  /// Whether a transfer has ended since the thread last spun or blocked.
  var hasFinished = false
  private var commands: [Command] = []
  private var isDrained = false
  private var spinPolicy: SpinPolicy
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
    // Nothing is stored before the last `return nil`: Swift 6.3 destroys properties that were not
    // initialized.
    self.multi = multi
    self.connections = connections
    shared = LoopRound(connections.poller, configuration: configuration)
    self.mailbox = mailbox
    self.limits = limits
    self.library = library
    watchesIdleConnections = IdleConnectionWatch.isNeeded(by: library)
    self.time = time
    spinPolicy = SpinPolicy(isEnabled: configuration.spinning)
    defaults = HandleDefaults(
      configuration, receiveBuffer: ReceiveBuffer(transfers: limits.total))
    dedicatedDefaults = HandleDefaults(configuration, receiveBuffer: .alone)
    pool = HandlePool(capacity: limits.total)
    state = DispatchState(limits: limits, learnsStreams: StreamAllowance.isNeeded(by: library))
  }

  /// Runs a loop until it was told to close and everything has ended; later commands are refused.
  static func run(
    mailbox: Mailbox, configuration: CurlDispatcher.Configuration, library: LoadedLibrary,
    time: TimeSource
  ) {
    if configuration.reusesMemory { BlockStore.open() }
    let hasRun = runOnce(mailbox: mailbox, configuration: configuration, library: library, time: time)
    BlockStore.close()
    // OpenSSL would free its memory of the thread when the thread ends, and the program may end at the same
    // moment.
    OPENSSL_thread_stop()
    guard hasRun else {
      return mailbox.refuse { .resources(origin: $0, "an event loop") }
    }
    for command in mailbox.end() {
      command.refuse { .cancelled(.shutdown, origin: $0, mayHaveBeenProcessed: false) }
    }
  }

  // A function of its own, so that the loop and its descriptors are gone when it returns.
  private static func runOnce(
    mailbox: Mailbox, configuration: CurlDispatcher.Configuration, library: LoadedLibrary,
    time: TimeSource
  ) -> Bool {
    guard
      var loop = TransferLoop(
        mailbox: mailbox, configuration: configuration, library: library, time: time)
    else { return false }
    loop.run()
    return true
  }

  private mutating func run() {
    mailbox.open(multi.waker)
    while !isDrained { round() }
    mailbox.releaseWaker()
  }

  /// Carries out the commands and expired limits, lets libcurl go on, and waits for news.
  private mutating func round() {
    mailbox.take(into: &commands)
    shared.now = time.now()
    for command in commands { carryOut(command) }
    // A command retains its request, and with it the loop's owner: none may be kept while the thread blocks.
    commands.removeAll(keepingCapacity: true)
    endExpired()
    state.tick(at: shared.now, &actions)
    carryOutActions()
    // What was just started is sent before the thread waits.
    repeat {
      multi.advance()
      for departure in shared.takeDepartures() {
        state.depart(departure.id, from: departure.previous, to: departure.port, &actions)
      }
      collectFinished()
      shared.resumeAnswered()
      for news in shared.takeLearned() {
        state.learn(isMultiplexed: news.isMultiplexed, origin: news.origin, &actions)
      }
    } while carryOutActions()
    shared.resumeAnswered()
    if !isDrained { waitForNews() }
  }

  // MARK: Waiting

  private mutating func waitForNews() {
    if spin() { return }
    // The network is looked at even if there is no time to wait: it must not starve under endless commands.
    guard mailbox.prepareToSleep() else { return _ = multi.wait(milliseconds: 0) }
    guard running.isEmpty, BlockStore.isLarge else { return _ = multi.wait(milliseconds: patience) }
    if !multi.wait(milliseconds: min(patience, 1_000)) { BlockStore.trim() }
  }

  /// Spins for the next request after a response; returns whether it came.
  private mutating func spin() -> Bool {
    guard hasFinished else { return false }
    hasFinished = false
    // While transfers run, the network must be looked at too.
    guard running.isEmpty, spinPolicy.shouldSpin() else { return false }
    let hasCommand = mailbox.spin()
    spinPolicy.record(success: hasCommand)
    // Bytes that came over a kept connection meanwhile must be noticed before it carries the next request.
    if hasCommand { multi.wait(milliseconds: 0) }
    return hasCommand
  }

  /// The time until the next limit in milliseconds.
  private var patience: Int {
    guard let next = [state.nextTick, shared.alarm].compactMap(\.self).min() else { return 3_600_000 }
    return max((next - shared.now).wholeMilliseconds, 0)
  }

  // MARK: Commands

  private mutating func carryOut(_ command: Command) {
    switch command {
    case .submit(let submission): submit(submission)
    case .cancel(let id): state.cancel(id, &actions)
    case .uploadOpened(let id): if let transfer = running[id] { launch(transfer) }
    case .uploadReady(let id): resume(id) { $0.resumeSending() }
    case .uploadFailed(let id, let error): if let transfer = running[id] { end(transfer, error) }
    case .readerReady(let id): resume(id) { $0.resumeReceiving() }
    case .networkChanged: renewConnections()
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

  private mutating func renewConnections() {
    guard let fresh = ConnectionStock(multi.poller) else { return }
    connections = fresh
    pool = HandlePool(capacity: limits.total)
    dedicated = DedicatedHandles()
  }

  private var census: TransferCensus {
    TransferCensus(
      waiting: state.waiting, running: state.running, transfers: running.count,
      streams: running.values.count { $0.pipe != nil }, unanswered: waiting.count)
  }

  // MARK: Actions

  /// Carries out what the state decided; returns whether a transfer was started.
  @discardableResult
  mutating func carryOutActions() -> Bool {
    var hasStarted = false
    var index = 0
    // Carrying out an action may append others.
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
