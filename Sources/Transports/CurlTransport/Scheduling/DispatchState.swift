import Interception

/// Decides which requests run, wait and fail: events in, actions out, without a clock or I/O.
///
/// Each submitted request gets exactly one of ``Action/start(_:)``, ``Action/refuse(_:_:)``,
/// ``Action/expire(_:_:)`` and ``Action/drop(_:_:)``; a started one runs until it is finished.
struct DispatchState {
  enum Action: Hashable {
    case start(TransferID)
    /// The queue is full.
    case refuse(TransferID, QueueLimit)
    /// A time limit was reached in the queue.
    case expire(TransferID, NetworkError.Phase)
    /// The request was cancelled, or the dispatcher shut down, before it started.
    case drop(TransferID, NetworkError.Cause)
    /// Stop a running request, which is then finished.
    case abort(TransferID, NetworkError.Cause)
    /// The dispatcher is closed, and nothing runs any more.
    case drained
  }

  enum QueueLimit: Hashable {
    case requests(Int)
    case bytes(Int)
  }

  /// A time, and the limit that ends there.
  struct Deadline: Hashable {
    let time: Duration
    let phase: NetworkError.Phase
  }

  struct Submission {
    let id: TransferID
    let origin: WebOrigin
    let priority: RequestOptions.Priority
    let deadline: Deadline?
    /// Whether its connection must carry no other request; such requests have a lane of their own.
    var needsOwnConnection = false
    var bytes = 0
    /// Whether it starts at once, like a further entry of a race for a connection: the entries before it
    /// hold their places until one is connected.
    var exceedsLimits = false
  }

  private enum Place {
    case waiting(lane: Int)
    case running(lane: Int)
  }

  private enum Phase {
    case open
    /// No more requests are accepted, and running ones may continue until the end of the grace.
    case closing(graceEnd: Duration)
    /// Nothing runs any more.
    case drained
  }

  private let limits: CurlDispatcher.Limits
  private let learnsStreams: Bool
  private var lanes: LaneTable
  private var places: [TransferID: Place] = [:]
  private var arrivals: UInt64 = 0
  private var phase = Phase.open
  // The time limits of the requests that wait.
  private var deadlines = IndexedHeap<TransferID, Duration>()
  private(set) var running = 0
  private(set) var waiting = 0
  private var waitingBytes = 0

  /// Creates a state without requests; `learnsStreams` turns ``StreamAllowance`` on.
  init(limits: CurlDispatcher.Limits, learnsStreams: Bool = true) {
    self.limits = limits
    lanes = LaneTable(limits: limits)
    self.learnsStreams = learnsStreams
  }

  /// The time at which ``tick(at:_:)`` must be called, or an earlier one.
  var nextTick: Duration? {
    let deadline = deadlines.first?.rank
    guard case .closing(let graceEnd) = phase, running > 0 else { return deadline }
    return min(graceEnd, deadline ?? graceEnd)
  }

  var knownOrigins: Int { lanes.count }

  /// Whether an origin's connections carry several requests each; nil if that is not known yet.
  func isMultiplexed(_ origin: WebOrigin) -> Bool? {
    lanes.lane(ifKnown: .init(origin: origin, needsOwnConnection: false)).flatMap { lanes[$0].isMultiplexed }
  }

  // MARK: Events

  mutating func submit(_ submission: Submission, at now: Duration, _ actions: inout [Action]) {
    guard case .open = phase else { return actions.append(.drop(submission.id, .shutdown)) }
    if let deadline = submission.deadline, deadline.time <= now {
      return actions.append(.expire(submission.id, deadline.phase))
    }
    let lane = lanes.lane(
      of: .init(origin: submission.origin, needsOwnConnection: submission.needsOwnConnection))
    if submission.exceedsLimits || hasRoom(lane) { return start(submission.id, in: lane, &actions) }
    guard waiting < limits.queue else {
      return actions.append(.refuse(submission.id, .requests(limits.queue)))
    }
    guard submission.bytes <= limits.queuedBytes - waitingBytes else {
      return actions.append(.refuse(submission.id, .bytes(limits.queuedBytes)))
    }
    arrivals += 1
    let rank = WaitingLine.Rank(
      arrival: now, priority: submission.priority, ageing: limits.ageing, number: arrivals)
    let entry = WaitingLine.Entry(
      id: submission.id, rank: rank, deadline: submission.deadline, bytes: submission.bytes)
    lanes.change(lane) { $0.line.insert(entry) }
    places[submission.id] = .waiting(lane: lane)
    waiting += 1
    waitingBytes += submission.bytes
    if let deadline = submission.deadline { deadlines.insert(submission.id, rank: deadline.time) }
  }

  /// Ends a running transfer, which used the connection of `port` last.
  mutating func finish(
    _ id: TransferID, port: Int? = nil, hasAnswer: Bool = false, _ actions: inout [Action]
  ) {
    guard case .running(let lane) = places[id] else { return }
    places[id] = nil
    lanes.change(lane) { lane in
      lane.running -= 1
      if let port { lane.streams.leave(port, hasAnswer: hasAnswer) }
    }
    running -= 1
    startWaiting(&actions)
    reportDrained(&actions)
  }

  /// Records that a transfer was sent over the connection of a local port, and of `previous` before.
  mutating func depart(_ id: TransferID, from previous: Int?, to port: Int, _ actions: inout [Action]) {
    guard learnsStreams, case .running(let lane) = places[id] else { return }
    // Over HTTP/1.1 each request has a connection of its own, of which there may be thousands.
    guard lanes[lane].isMultiplexed != false else { return }
    lanes.change(lane) { lane in
      if let previous { lane.streams.leave(previous, hasAnswer: false) }
      lane.streams.enter(port)
    }
    if lanes[lane].streams.limit != nil { startWaiting(&actions) }
  }

  /// Records whether an origin's connections carry several requests each.
  mutating func learn(isMultiplexed: Bool, origin: WebOrigin, _ actions: inout [Action]) {
    guard let lane = lanes.lane(ifKnown: .init(origin: origin, needsOwnConnection: false)),
      lanes[lane].isMultiplexed != isMultiplexed
    else { return }
    lanes.change(lane) { lane in
      lane.isMultiplexed = isMultiplexed
      if !isMultiplexed { lane.streams = StreamAllowance() }
    }
    startWaiting(&actions)
  }

  mutating func cancel(_ id: TransferID, _ actions: inout [Action]) {
    switch places[id] {
    case nil: return
    case .running: actions.append(.abort(id, .task))
    case .waiting(let lane):
      guard let entry = lanes.change(lane, { $0.line.remove(id) }) else { return }
      leaveQueue(entry)
      actions.append(.drop(id, .task))
    }
  }

  /// Ends waiting for a phase's limit that only the caller knows.
  mutating func expire(_ id: TransferID, _ phase: NetworkError.Phase, _ actions: inout [Action]) {
    guard case .waiting(let lane) = places[id], let entry = lanes.change(lane, { $0.line.remove(id) })
    else { return }
    leaveQueue(entry)
    actions.append(.expire(id, phase))
  }

  /// Ends what the time limits and the grace end.
  mutating func tick(at now: Duration, _ actions: inout [Action]) {
    while let (id, time) = deadlines.first, time <= now {
      deadlines.remove(id)
      guard case .waiting(let lane) = places[id], let entry = lanes.change(lane, { $0.line.remove(id) })
      else { continue }
      leaveQueue(entry)
      actions.append(.expire(id, entry.deadline?.phase ?? .queue))
    }
    if case .closing(let graceEnd) = phase, graceEnd <= now {
      for (id, place) in places { if case .running = place { actions.append(.abort(id, .shutdown)) } }
    }
  }

  /// Accepts no more requests and drops waiting ones; running ones may continue until `graceEnd`.
  mutating func close(graceEnd: Duration, _ actions: inout [Action]) {
    switch phase {
    case .open: phase = .closing(graceEnd: graceEnd)
    case .closing(let earlier): phase = .closing(graceEnd: min(graceEnd, earlier))
    case .drained: return
    }
    for lane in lanes.indices {
      for entry in lanes.change(lane, { $0.line.removeAll() }) {
        leaveQueue(entry)
        actions.append(.drop(entry.id, .shutdown))
      }
    }
    reportDrained(&actions)
  }

  // MARK: Lanes

  private func hasRoom(_ lane: Int) -> Bool { running < limits.total && lanes.hasRoom(lane) }

  private mutating func start(_ id: TransferID, in lane: Int, _ actions: inout [Action]) {
    lanes.change(lane) { $0.running += 1 }
    running += 1
    places[id] = .running(lane: lane)
    actions.append(.start(id))
  }

  private mutating func startWaiting(_ actions: inout [Action]) {
    while running < limits.total, let lane = lanes.next {
      guard let entry = lanes.change(lane, { $0.line.removeNext() }) else { return }
      leaveQueue(entry)
      start(entry.id, in: lane, &actions)
    }
  }

  private mutating func leaveQueue(_ entry: WaitingLine.Entry) {
    places[entry.id] = nil
    waiting -= 1
    waitingBytes -= entry.bytes
    if entry.deadline != nil { deadlines.remove(entry.id) }
  }

  private mutating func reportDrained(_ actions: inout [Action]) {
    guard case .closing = phase, running == 0 else { return }
    phase = .drained
    actions.append(.drained)
  }
}
