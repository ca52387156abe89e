import CCurlShims
import CLibcurl
import COpenSSL
import Interception

/// The thread's work: takes commands, asks ``DispatchState`` what to do, and lets libcurl do it.
///
/// It runs no user code but that of tasks that prefer it: whoever else waits is resumed on Swift's pool, bodies are
/// pulled and pushed from there. It is a value on its thread's stack: nobody else can reach it, and no access to it
/// is checked while it runs.
struct TransferLoop: ~Copyable {
  private let mailbox: Mailbox
  private let executor: LoopExecutor
  private let limits: CurlDispatcher.Limits
  private let library: LoadedLibrary
  private let watchesIdleConnections: Bool
  private let time: TimeSource
  private let multi: MultiHandle
  private let board: LoopBoard
  private var pool: HandlePool
  private var dedicated = DedicatedHandles()
  private var stock: ConnectionStock
  private var state: DispatchState
  private var waiting = TransferTable<Submission>()
  // What was submitted just now. Most requests start at once and never wait.
  private var incoming: Submission?
  private var running = TransferTable<Transfer>()
  private var actions: [DispatchState.Action] = []
  private var departures: [LoopBoard.Departure] = []
  private var isDrained = false
  private var lookOut = LookOut()
  private var hasAnswered = false
  // Transfers that were launched and have sent nothing yet.
  private var added = 0

  private init?(
    mailbox: Mailbox, executor: LoopExecutor, configuration: CurlDispatcher.Configuration,
    library: LoadedLibrary, time: TimeSource
  ) {
    let limits = configuration.limits
    guard
      let multi = MultiHandle(
        streams: limits.streamsPerOrigin, keptConnections: configuration.connections.kept ?? limits.total),
      let stock = ConnectionStock(multi.poller)
    else { return nil }
    // Nothing is stored before the last way out: Swift 6.3 destroys what was not yet stored.
    self.multi = multi
    self.stock = stock
    board = LoopBoard(stock.poller, configuration: configuration)
    self.mailbox = mailbox
    self.executor = executor
    self.limits = limits
    self.library = library
    watchesIdleConnections = IdleConnectionWatch.isNeeded(by: library)
    self.time = time
    pool = HandlePool(capacity: limits.total)
    state = DispatchState(limits: limits, learnsStreams: StreamAllowance.isNeeded(by: library))
  }

  /// Works until it is told to close and everything has ended; whatever comes later is refused.
  static func run(
    mailbox: Mailbox, executor: LoopExecutor, configuration: CurlDispatcher.Configuration,
    library: LoadedLibrary, time: TimeSource
  ) {
    BlockStore.open()
    if var loop = TransferLoop(
      mailbox: mailbox, executor: executor, configuration: configuration, library: library, time: time)
    {
      loop.run()
    }
    BlockStore.close()
    // What OpenSSL keeps for the thread would go when the thread ends, and the program may end at the same moment.
    OPENSSL_thread_stop()
    for command in mailbox.close() {
      switch command {
      case .submit(let submission):
        submission.answer(
          .failure(.cancelled(.shutdown, origin: submission.plan.origin, mayHaveBeenProcessed: false)))
      case .census(let continuation): continuation.resume(returning: TransferCensus())
      case .run(let job): LoopExecutor.runElsewhere(job)
      case .cancel, .uploadOpened, .uploadReady, .uploadFailed, .readerReady, .networkChanged, .close:
        continue
      }
    }
    mailbox.announceClosed()
  }

  private mutating func run() {
    var commands: [Command] = []
    mailbox.open(multi.waker)
    while !isDrained {
      mailbox.take(into: &commands)
      Self.fetch(commands)
      board.now = time.now()
      for command in commands { carryOut(command) }
      checkLimits()
      state.tick(at: board.now, &actions)
      _ = carryOutActions()
      // What was just started goes out before the thread waits.
      repeat {
        multi.advance(added: added)
        added = 0
        noteDepartures()
        collectFinished()
        board.wakeAnswered()
        for news in board.takeLearned() {
          state.learn(isMultiplexed: news.isMultiplexed, origin: news.origin, &actions)
        }
      } while carryOutActions()
      board.wakeAnswered()
      if isDrained || looksOut() { continue }
      // Also where there is no time to wait the network is looked at: commands without end must not starve it.
      guard mailbox.prepareToSleep() else {
        multi.wait(milliseconds: 0)
        continue
      }
      guard running.isEmpty, BlockStore.isLarge else {
        multi.wait(milliseconds: patience)
        continue
      }
      if !multi.wait(milliseconds: min(patience, 1_000)) { BlockStore.trim() }
    }
    mailbox.release()
  }

  /// Looks out for the next request where the last one was just answered; returns whether it came.
  private mutating func looksOut() -> Bool {
    guard hasAnswered else { return false }
    hasAnswered = false
    // While transfers run, the network must be looked at too.
    guard running.isEmpty, !isDrained, lookOut.begins() else { return false }
    let hasSeen = mailbox.lookOut(for: LookOut.requestTime)
    lookOut.end(hasSeen: hasSeen)
    // What came over a kept connection meanwhile must be known before it carries the next request.
    if hasSeen { multi.wait(milliseconds: 0) }
    return hasSeen
  }

  /// The time until some limit is reached.
  private var patience: Int {
    let next = [state.nextTick, board.alarm].compactMap { $0 }.min()
    guard let next else { return 3_600_000 }
    return max((next - board.now).wholeMilliseconds, 0)
  }

  // MARK: Commands

  // What callers wrote lies near their processors. It is asked for all at once, and comes while the first commands are
  // carried out.
  private static func fetch(_ commands: [Command]) {
    guard commands.count > 1 else { return }
    for command in commands { if case .submit(let submission) = command { submission.fetch() } }
    for command in commands { if case .submit(let submission) = command { submission.fetchPlan() } }
  }

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
    case .run(let job): executor.run(job)
    case .close(let grace): state.close(graceEnd: board.now + grace, &actions)
    }
    _ = carryOutActions()
  }

  private mutating func renewConnections() {
    guard let fresh = ConnectionStock(multi.poller) else { return }
    stock = fresh
    pool = HandlePool(capacity: limits.total)
    dedicated = DedicatedHandles()
  }

  private var census: TransferCensus {
    TransferCensus(
      waiting: state.waiting, running: state.running, transfers: running.count,
      streams: running.values.count { $0.pipe != nil }, unanswered: waiting.count)
  }

  private mutating func resume(_ id: TransferID, _ direction: (Transfer) -> NetworkError?) {
    guard let transfer = running[id], let error = direction(transfer) else { return }
    end(transfer, error)
  }

  private mutating func submit(_ submission: Submission) {
    guard !submission.isCancelled else {
      return submission.answer(
        .failure(.cancelled(.task, origin: submission.plan.origin, mayHaveBeenProcessed: false)))
    }
    incoming = submission
    let plan = submission.plan
    state.submit(
      .init(
        id: submission.id, origin: plan.origin, priority: plan.options.priority,
        deadline: Self.deadline(plan.options.timeouts, from: submission.handedOver),
        needsOwnConnection: isolation(of: plan) == .ownConnection),
      at: board.now, &actions)
    _ = carryOutActions()
    if let submission = incoming.take() { waiting.insert(submission, for: submission.id) }
  }

  private func isolation(of plan: RequestPlan) -> UploadIsolation {
    UploadIsolation(for: plan, library: library, isMultiplexed: state.isMultiplexed(plan.origin))
  }

  private mutating func takeWaiting(_ id: TransferID) -> Submission? {
    guard let submission = incoming, submission.id == id else { return waiting.remove(id) }
    incoming = nil
    return submission
  }

  /// When waiting ends.
  private static func deadline(
    _ limits: RequestOptions.Timeouts, from start: Duration
  ) -> DispatchState.Deadline? {
    switch (limits.queue, limits.whole) {
    case (let queue?, let whole?) where queue <= whole: .init(time: start + queue, phase: .queue)
    case (_, let whole?): .init(time: start + whole, phase: .whole)
    case (let queue?, nil): .init(time: start + queue, phase: .queue)
    case (nil, nil): nil
    }
  }

  // MARK: Actions

  /// Carries out what the state decided; returns whether anything was started.
  private mutating func carryOutActions() -> Bool {
    var hasStarted = false
    var index = 0
    // Carrying out may decide more.
    while index < actions.count {
      switch actions[index] {
      case .start(let id):
        hasStarted = true
        start(id)
      case .refuse(let id):
        let limit = limits.queue
        refuse(id) { .queueFull(origin: $0.origin, limit: limit) }
      case .expire(let id, let phase):
        refuse(id) { plan in
          let timeouts = plan.options.timeouts
          let limit = phase == .queue ? timeouts.queue : timeouts.whole
          return .timeout(phase, of: plan, limit: limit, mayHaveBeenProcessed: false)
        }
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

  private mutating func refuse(_ id: TransferID, _ error: (RequestPlan) -> NetworkError) {
    guard let submission = takeWaiting(id) else { return }
    submission.answer(.failure(error(submission.plan)))
  }

  private mutating func start(_ id: TransferID) {
    guard let submission = takeWaiting(id) else { return }
    let isolation = isolation(of: submission.plan)
    guard
      let member = isolation == .ownConnection
        ? takeDedicatedMember(for: submission.plan.origin) : takeMember()
    else {
      submission.answer(
        .failure(
          NetworkError(.transport, "There is no memory for a transfer to \(submission.plan.origin).")))
      return state.finish(id, &actions)
    }
    let transfer = Transfer(submission, member: member, board: board, isolation: isolation)
    member.transfer = transfer
    running.insert(transfer, for: id)
    if !transfer.startUpload(mailbox) { launch(transfer) }
  }

  /// Takes a handle; a new one is told what holds for each of its transfers.
  private mutating func takeMember() -> HandlePool.Member? {
    let poller = board.poller
    let buffer = ReceiveBuffer(transfers: limits.total)
    let member = try? pool.take { member throws(CurlError) in
      try Self.prepare(member, poller: poller, buffer: buffer)
    }
    return member ?? nil
  }

  /// Takes a handle that has connections to itself.
  private mutating func takeDedicatedMember(for origin: WebOrigin) -> HandlePool.Member? {
    let poller = board.poller
    return dedicated.take(for: origin) {
      guard let stock = ConnectionStock(poller) else { return nil }
      let member = try? HandlePool.make { member throws(CurlError) in
        try Self.prepare(member, poller: poller, buffer: .alone)
        try member.attach(stock)
      }
      return member ?? nil
    }
  }

  private static func prepare(
    _ member: HandlePool.Member, poller: Poller, buffer: ReceiveBuffer
  ) throws(CurlError) {
    // Handles live no longer than the loop.
    unsafe member.setBasics(rounds: poller.rounds) { member in
      member.handle.setReceiveBuffer(buffer)
      poller.watch(member)
    }
    try Transfer.setFixedOptions(member.handle)
  }

  private mutating func launch(_ transfer: Transfer) {
    do throws(CurlError) {
      let stock = (transfer.isolation == .ownConnection ? transfer.member.stock : nil) ?? stock
      try transfer.configure(stock: stock)
      transfer.member.begin()
      try multi.add(transfer.member.handle)
      added += 1
      transfer.isLaunched = true
      transfer.deadlines.launched(at: board.now)
      board.setAlarm(transfer.deadlines.next)
    } catch {
      end(
        transfer,
        NetworkError(
          .invalidRequest, "libcurl refuses the request to \(transfer.plan.origin): \(error.summary).",
          underlying: error))
    }
  }

  /// Tells the state over which connections requests left, before it hears that they are over.
  private mutating func noteDepartures() {
    board.takeDepartures(into: &departures)
    for departure in departures {
      state.depart(departure.id, from: departure.previous, to: departure.port, &actions)
    }
  }

  // MARK: Ends

  private mutating func collectFinished() {
    while let (context, code) = unsafe multi.nextFinished() {
      let member = unsafe Unmanaged<HandlePool.Member>.fromOpaque(context).takeUnretainedValue()
      guard let transfer = member.transfer else { continue }
      multi.remove(member.handle)
      if code == CURLE_OK {
        switch transfer.version {
        case .http1 where watchesIdleConnections:
          board.poller.rest(member)
          member.restedAt = board.now
        case .http2: board.poller.share(member)
        default: break
        }
      }
      transfer.complete(code)
      hasAnswered = true
      retire(transfer)
    }
  }

  private mutating func end(_ transfer: Transfer, _ error: NetworkError) {
    if transfer.isLaunched {
      // What the system holds of the content would go on travelling, for nobody.
      if transfer.isInsideContent, isAlone(transfer) { board.poller.cut(transfer.member) }
      multi.remove(transfer.member.handle)
    }
    transfer.fail(error)
    retire(transfer)
  }

  /// Whether a transfer's connection carries nothing else, going by its own answer or the last one of its origin.
  private func isAlone(_ transfer: Transfer) -> Bool {
    if let version = transfer.version { return version == .http1 }
    return transfer.plan.origin.scheme == .http || state.isMultiplexed(transfer.plan.origin) == false
  }

  private mutating func retire(_ transfer: Transfer) {
    transfer.isLaunched = false
    running.remove(transfer.id)
    if transfer.isolation == .ownConnection {
      dedicated.put(transfer.member, for: transfer.plan.origin)
    } else if transfer.member.stock === stock {
      pool.put(transfer.member)
    } else {
      // A handle of an older stock would keep its connections open.
      transfer.member.transfer = nil
    }
    state.finish(transfer.id, port: transfer.port, hasAnswer: transfer.version != nil, &actions)
  }

  private mutating func checkLimits() {
    guard let alarm = board.alarm, alarm <= board.now else { return }
    board.clearAlarm()
    for transfer in running.values {
      guard let next = transfer.deadlines.next else { continue }
      if next.time <= board.now {
        end(transfer, transfer.timeout(next.phase))
      } else {
        board.setAlarm(next)
      }
    }
  }
}
