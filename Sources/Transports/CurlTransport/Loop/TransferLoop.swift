import CCurlShims
import CLibcurl
import COpenSSL
import Interception

/// The event loop of one thread: takes commands, has ``DispatchState`` decide, and drives libcurl.
///
/// The thread runs no user code but tasks that prefer it: callers and bodies use Swift's pool. The loop is a
/// value on the thread's stack, so accesses need no exclusivity checks at run time.
struct TransferLoop: ~Copyable {
  private let mailbox: Mailbox
  private let library: LoadedLibrary
  private let watchesIdleConnections: Bool
  private let multi: MultiHandle
  private let shared: LoopRound
  private var handles: HandleStock
  private var state: DispatchState
  private var actions: [DispatchState.Action] = []
  private var waiting = WaitingSubmissions()
  private var running = RunningTransfers()
  private var upgrades: OpenUpgrades
  private var commands: [Command] = []
  private var isDrained = false
  private var spinning: LoopSpinning
  private let time: TimeSource

  private init?(
    mailbox: Mailbox, configuration: CurlDispatcher.Configuration, library: LoadedLibrary,
    store: AlternativeServiceStore?, time: TimeSource
  ) {
    let limits = configuration.limits
    guard
      let multi = MultiHandle(
        streams: limits.streamsPerOrigin, keptConnections: configuration.connections.kept ?? limits.total),
      let connections = ConnectionStock(multi.poller)
    else { return nil }
    // Nothing is stored before the last `return nil`: Swift 6.3 would destroy uninitialized properties.
    self.multi = multi
    shared = LoopRound(connections.poller, configuration: configuration, library: library)
    handles = HandleStock(connections, shared: shared)
    self.mailbox = mailbox
    self.library = library
    watchesIdleConnections = IdleConnectionWatch.isNeeded(by: library)
    self.time = time
    spinning = LoopSpinning(isEnabled: configuration.spinning)
    upgrades = OpenUpgrades(limit: limits.upgrades)
    state = DispatchState(limits: limits, learnsStreams: StreamAllowance.isNeeded(by: library))
    if let store { shared.open(store, at: time.now()) }
  }

  /// Runs a loop until it was closed and every request has ended, and refuses the commands that come later.
  static func run(
    mailbox: Mailbox, configuration: CurlDispatcher.Configuration, library: LoadedLibrary,
    store: AlternativeServiceStore?, time: TimeSource
  ) {
    if configuration.reusesMemory { BlockStore.open() }
    let hasRun = runOnce(
      TransferLoop(
        mailbox: mailbox, configuration: configuration, library: library, store: store, time: time))
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
    shared.storeAlternatives()
    if !isDrained { wait() }
  }

  // MARK: Waiting

  private mutating func wait() {
    if spin() { return }
    // Sockets are polled even if there is a command: endless commands must not starve them.
    guard !shared.hasReady, mailbox.prepareToSleep() else { return _ = multi.wait(milliseconds: 0) }
    guard running.isEmpty, BlockStore.isLarge else { return _ = multi.wait(milliseconds: patience) }
    let limit = min(patience, 1_000)
    if !multi.wait(milliseconds: limit), limit == 1_000 { BlockStore.trim() }
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
    case .networkChanged(let number):
      handles.renew()
      shared.forgetAlternatives(network: number)
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
  private mutating func carryOutActions() -> Bool {
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

  // MARK: Starting

  /// Queues a request; the state's actions start or refuse it.
  private mutating func submit(_ submission: Submission) {
    let plan = submission.plan
    guard !submission.isCancelled else {
      return submission.answer(.failure(.cancelled(.task, origin: plan.origin, mayHaveBeenProcessed: false)))
    }
    waiting.receive(submission)
    state.submit(
      DispatchState.Submission(submission, needsOwnConnection: isolation(of: plan) == .ownConnection),
      at: shared.now, &actions)
    carryOutActions()
    guard let submission = waiting.keepIncoming() else { return }
    if let limit = plan.options.timeouts.idle {
      shared.setAlarm(.init(time: submission.handedOver + limit, phase: .idle))
    }
  }

  private func isolation(of plan: RequestPlan) -> UploadIsolation {
    // A connection that is switched to another protocol carries no other request.
    if plan.upgradeHead != nil || plan.spendsHandle { return .ownConnection }
    return UploadIsolation(for: plan, library: library, isMultiplexed: state.isMultiplexed(plan.origin))
  }

  /// Fails a request that never started.
  private mutating func refuse(_ id: TransferID, _ error: (RequestPlan) -> NetworkError) {
    guard let submission = waiting.take(id) else { return }
    submission.answer(.failure(error(submission.plan)))
  }

  /// Fails a request whose time limit was reached in the queue.
  private mutating func expire(_ id: TransferID, _ phase: NetworkError.Phase) {
    refuse(id) { [running] plan in
      let unread = running.unreadCount(of: plan.origin)
      return .expiredInQueue(
        phase, of: plan, unreadStreams: unread.own, ofOthers: phase == .idle ? unread.all : 0)
    }
  }

  /// Gives a request a handle, and launches it unless it has a streamed body, which is opened first.
  private mutating func start(_ id: TransferID) {
    guard let submission = waiting.take(id) else { return }
    let isolation = isolation(of: submission.plan)
    let http3 = shared.alternatives.choice(for: submission.plan, isolation, at: shared.now)
    guard let handle = handles.take(for: submission.plan, isolation, http3) else {
      submission.answer(.failure(.resources(origin: submission.plan.origin, "memory for a transfer")))
      return state.finish(id, &actions)
    }
    let transfer = Transfer(
      submission, handle: handle, shared: shared, isolation: isolation, library: library,
      http3: http3)
    handle.transfer = transfer
    running.insert(transfer)
    spinning.noteStart(inFlight: running.count)
    // An entry of a race opens its body once it is connected.
    if submission.plan.raceEntry != nil || !transfer.startUpload(mailbox) { launch(transfer) }
  }

  /// Sets a transfer's options and adds it to the multi handle.
  private mutating func launch(_ transfer: Transfer) {
    let handle = transfer.handle
    do throws(CurlError) {
      handle.begin()
      try handle.apply(transfer.description)
      if transfer.plan.upgradeHead != nil {
        try RawSocket.prepare(handle.easy, tunnels: transfer.plan.site.options.isProxiedByHTTP)
      }
      try multi.add(handle.easy)
      transfer.launched()
    } catch {
      let reason = "libcurl refuses the request to \(transfer.plan.origin): \(error.summary)."
      end(transfer, NetworkError(.invalidRequest, reason, underlying: error))
    }
  }

  // MARK: Ending

  /// Completes the transfers that libcurl has finished.
  private mutating func collectFinished() {
    while let (context, code) = unsafe multi.nextFinished() {
      let handle = unsafe Unmanaged<ReusableHandle>.fromOpaque(context).takeUnretainedValue()
      guard let transfer = handle.transfer else { continue }
      if let head = transfer.plan.upgradeHead, code == CURLE_OK, transfer.phase.fault == nil {
        beginUpgrade(transfer, head)
        continue
      }
      multi.remove(handle.easy)
      if transfer.mustReturnToOrigin(after: code) {
        returnToOrigin(transfer)
        continue
      }
      if watchesIdleConnections, code == CURLE_OK, transfer.phase.version == .http1 {
        shared.poller.rest(handle)
      }
      transfer.complete(code)
      spinning.noteResponse()
      retire(transfer)
    }
  }

  /// Launches a transfer again, without HTTP/3, that could not connect to another port of its origin's host,
  /// or over IPv4 alone.
  private mutating func returnToOrigin(_ transfer: Transfer) {
    let plan = transfer.plan
    shared.alternatives.fail(for: AlternativeServices.Key(plan, network: transfer.network), at: shared.now)
    handles.put(transfer.handle, of: plan, transfer.isolation)
    guard let handle = handles.take(for: plan, transfer.isolation, .none(.lostRace)) else {
      transfer.fail(.resources(origin: plan.origin, "memory for a transfer"))
      return retire(transfer)
    }
    transfer.returnToOrigin(by: handle)
    handle.transfer = transfer
    launch(transfer)
  }

  /// Ends the transfers whose time limits were reached.
  private mutating func endExpired() {
    guard let alarm = shared.alarm, alarm <= shared.now else { return }
    shared.alarm = nil
    let (expired, next) = running.limits(at: shared.now)
    shared.setAlarm(next)
    for (transfer, phase) in expired { end(transfer, transfer.timeout(phase)) }
    runBlockedUploads()
    endLingeringUpgrades()
    endBlocked()
  }

  /// Runs the uploads again that libcurl may have left blocked.
  private mutating func runBlockedUploads() {
    for transfer in running.heldUploads {
      if let alarm = transfer.blockage.alarm, alarm.time <= shared.now,
        let error = transfer.runBlockedUpload()
      {
        end(transfer, error)
      } else {
        shared.setAlarm(transfer.blockage.alarm)
      }
    }
  }

  /// Ends requests that wait for longer than their limit of silence while the app reads none of the streams
  /// that hold their places.
  private mutating func endBlocked() {
    let blocked = waiting.blocked(at: shared.now) { [running] in running.unreadSince($0) }
    for id in blocked.expired { state.expire(id, .idle, &actions) }
    shared.setAlarm(blocked.nextCheck.map { .init(time: $0, phase: .idle) })
  }

  /// Ends a transfer early.
  private mutating func end(_ transfer: Transfer, _ error: NetworkError) {
    if transfer.phase.isLaunched {
      // Else the system would continue to send the content in its buffers.
      if transfer.isInsideContent, isAlone(transfer) { shared.poller.cut(transfer.handle) }
      if transfer.plan.upgradeHead != nil { release(transfer) } else { multi.remove(transfer.handle.easy) }
    }
    transfer.fail(error)
    retire(transfer)
  }

  /// Whether a transfer's connection carries no other, according to its own or its origin's last response.
  private func isAlone(_ transfer: Transfer) -> Bool {
    if let version = transfer.phase.version { return version == .http1 }
    return !transfer.plan.origin.mayMultiplex || state.isMultiplexed(transfer.plan.origin) == false
  }

  private mutating func retire(_ transfer: Transfer) {
    running.remove(transfer.id)
    handles.put(transfer.handle, of: transfer.plan, transfer.isolation)
    state.finish(transfer.id, port: transfer.sharedPort, hasAnswer: transfer.phase.version != nil, &actions)
  }

  // MARK: Upgrades

  /// Begins the handshake over a connection that libcurl has opened.
  private mutating func beginUpgrade(_ transfer: Transfer, _ head: [UInt8]) {
    guard !upgrades.isFull else {
      // libcurl has connected, and sent nothing of the request.
      transfer.outgoing = OutgoingRequest()
      return end(
        transfer,
        NetworkError(
          .queueFull,
          "\(upgrades.limit) connections with another protocol, such as WebSockets, are open already; close one, or raise "
            + "CurlDispatcher.Limits(upgrades:)."))
    }
    guard let socket = RawSocket(transfer.handle.easy) else {
      return end(transfer, .resources(origin: transfer.plan.origin, "memory for a connection"))
    }
    let exchange = UpgradeExchange(transfer, socket, head: head)
    upgrades.insert(exchange)
    advance(exchange)
  }

  /// Advances the connections whose sockets have events.
  private mutating func advanceUpgrades() {
    for id in shared.takeReady() {
      upgrades[id]?.noteEvent()
      advanceUpgrade(id)
    }
  }

  /// Advances a connection for its socket or its user.
  private mutating func advanceUpgrade(_ id: TransferID) {
    if let exchange = upgrades[id] { advance(exchange) }
  }

  private mutating func advance(_ exchange: UpgradeExchange) {
    let id = exchange.transfer.id
    exchange.beginTurn(isAlone: running.isEmpty && spinning.isLatest(id))
    carryOn(exchange)
    if exchange.hasReceived { spinning.noteBytes(of: id) }
  }

  private mutating func carryOn(_ exchange: UpgradeExchange) {
    let transfer = exchange.transfer
    while true {
      switch exchange.advance(at: shared.now) {
      case .waits(let reading, let writing):
        let isFollowed = shared.poller.follow(
          transfer.handle, socket: exchange.socket.descriptor, reading: reading, writing: writing)
        if let end = exchange.closingEnd { shared.setAlarm(.init(time: end, phase: .whole)) }
        guard !isFollowed else { return }
        exchange.pipe?.end(.resources(origin: transfer.plan.origin, "memory for a connection"))
        return running[transfer.id] == nil
          ? close(exchange)
          : end(transfer, .resources(origin: transfer.plan.origin, "memory for a connection"))
      case .switched:
        // An open connection is no request, so it holds no place of one.
        running.remove(transfer.id)
        state.finish(transfer.id, hasAnswer: true, &actions)
      case .refused: return end(transfer)
      case .failed(let error): return end(transfer, error)
      case .ended: return close(exchange)
      }
    }
  }

  /// Ends a handshake that the server has refused.
  private mutating func end(_ transfer: Transfer) {
    release(transfer)
    running.remove(transfer.id)
    state.finish(transfer.id, hasAnswer: true, &actions)
  }

  private mutating func close(_ exchange: UpgradeExchange) { release(exchange.transfer) }

  /// Closes the connection of an upgrade.
  private mutating func release(_ transfer: Transfer) {
    if let exchange = upgrades.remove(transfer.id) {
      shared.poller.unfollow(socket: exchange.socket.descriptor)
    }
    multi.remove(transfer.handle.easy)
    transfer.handle.transfer = nil
  }

  /// Closes the connections whose users have closed them a while ago.
  private mutating func endLingeringUpgrades() {
    let (over, next) = upgrades.lingering(at: shared.now)
    shared.setAlarm(next.map { .init(time: $0, phase: .whole) })
    for exchange in over { advance(exchange) }
  }

  /// Closes all open connections, because the loop ends.
  private mutating func endUpgrades() {
    for exchange in upgrades.all {
      exchange.pipe?.end(
        .cancelled(.shutdown, origin: exchange.transfer.plan.origin, mayHaveBeenProcessed: true))
      close(exchange)
    }
  }
}
