import Interception

/// Who runs, who waits and who is turned away: events in, actions out, no clock and no I/O of its own.
///
/// Every transfer that was submitted gets exactly one of ``Action/start(_:)``, ``Action/refuse(_:_:)``,
/// ``Action/expire(_:_:)`` and ``Action/drop(_:_:)``; one that was started stays until ``finish(_:_:)``.
struct DispatchState {
  /// What is to be done, in order.
  enum Action: Hashable {
    /// Send the request.
    case start(TransferID)
    /// Fail it: the queue is full.
    case refuse(TransferID, QueueLimit)
    /// Fail it: it waited too long.
    case expire(TransferID, NetworkError.Phase)
    /// Fail it, it never ran: it was cancelled, or there is no longer a dispatcher.
    case drop(TransferID, NetworkError.Cause)
    /// Stop it while it runs; ``DispatchState/finish(_:_:)`` follows.
    case abort(TransferID, NetworkError.Cause)
    /// Nothing runs, and nothing will.
    case drained
  }

  /// The limit that a full queue has reached.
  enum QueueLimit: Hashable {
    /// The maximum number of waiting requests.
    case requests(Int)
    /// The maximum number of bytes that they hold.
    case bytes(Int)
  }

  /// The moment at which waiting ends, and which limit says so.
  struct Deadline: Hashable {
    let time: Duration
    let phase: NetworkError.Phase
  }

  /// One request's wish to run.
  struct Submission {
    let id: TransferID
    let origin: WebOrigin
    let priority: RequestOptions.Priority
    let deadline: Deadline?
    /// Whether it needs a connection that carries nothing else meanwhile.
    ///
    /// Such requests stand in a line of their own, and no more of them run at a time than an origin gets
    /// connections.
    var needsOwnConnection = false
    /// The memory that it holds while it waits.
    var bytes = 0
  }

  private struct LaneKey: Hashable {
    let origin: WebOrigin
    let needsOwnConnection: Bool
  }

  private struct Lane {
    let key: LaneKey
    var running = 0
    /// Whether it carries several requests over one connection; nil until an origin of https has answered.
    var isMultiplexed: Bool?
    var line = WaitingLine()
    var streams = StreamAllowance()

    init(_ key: LaneKey) {
      self.key = key
      isMultiplexed = key.origin.scheme == .https && !key.needsOwnConnection ? nil : false
    }

    var isIdle: Bool { running == 0 && line.isEmpty }
  }

  private enum Place {
    case waiting(lane: Int)
    case running(lane: Int)
  }

  private enum Phase: Equatable {
    case open
    case closing(graceEnd: Duration)
    case drained
  }

  // What is remembered of idle origins is bounded: a crawler must not make the table grow for ever.
  private static let mostLanes = 1024

  private let limits: CurlDispatcher.Limits
  private let learnsStreams: Bool
  private var lanes: [Lane] = []
  private var laneOf: [LaneKey: Int] = [:]
  private var places: [TransferID: Place] = [:]
  private var arrivals: UInt64 = 0
  private var phase = Phase.open
  private var earliestDeadline: Duration?
  private(set) var running = 0
  private(set) var waiting = 0
  /// The memory that waiting requests hold.
  private(set) var waitingBytes = 0

  /// Creates a state in which nothing runs.
  ///
  /// - Parameter learnsStreams: Whether the limits of HTTP/2 servers are learned here; see
  ///   ``StreamAllowance``.
  init(limits: CurlDispatcher.Limits, learnsStreams: Bool = true) {
    self.limits = limits
    self.learnsStreams = learnsStreams
  }

  /// The moment at which ``tick(at:_:)`` has something to do, or a moment before.
  var nextTick: Duration? {
    guard case .closing(let graceEnd) = phase, running > 0 else { return earliestDeadline }
    return min(graceEnd, earliestDeadline ?? graceEnd)
  }

  /// Whether nothing is accepted any more.
  var isClosed: Bool { phase != .open }

  /// How many origins are remembered.
  var knownOrigins: Int { lanes.count }

  /// Whether an origin carries several requests over one connection; nil where it has not answered yet.
  func isMultiplexed(_ origin: WebOrigin) -> Bool? {
    laneOf[LaneKey(origin: origin, needsOwnConnection: false)].flatMap { lanes[$0].isMultiplexed }
  }

  // MARK: Events

  /// A request arrives.
  mutating func submit(_ submission: Submission, at now: Duration, _ actions: inout [Action]) {
    guard phase == .open else { return actions.append(.drop(submission.id, .shutdown)) }
    if let deadline = submission.deadline, deadline.time <= now {
      return actions.append(.expire(submission.id, deadline.phase))
    }
    let lane = lane(of: LaneKey(origin: submission.origin, needsOwnConnection: submission.needsOwnConnection))
    if hasRoom(lane) { return start(submission.id, in: lane, &actions) }
    guard waiting < limits.queue else {
      return actions.append(.refuse(submission.id, .requests(limits.queue)))
    }
    guard submission.bytes <= limits.queuedBytes - waitingBytes else {
      return actions.append(.refuse(submission.id, .bytes(limits.queuedBytes)))
    }
    arrivals += 1
    let rank = WaitingLine.Rank(
      arrival: now, priority: submission.priority, ageing: limits.ageing, number: arrivals)
    lanes[lane].line.insert(
      .init(id: submission.id, rank: rank, deadline: submission.deadline, bytes: submission.bytes))
    places[submission.id] = .waiting(lane: lane)
    waiting += 1
    waitingBytes += submission.bytes
    if let time = submission.deadline?.time { earliestDeadline = min(time, earliestDeadline ?? time) }
  }

  /// A transfer that ran has ended, in whatever way.
  ///
  /// - Parameters:
  ///   - port: The local port that ``depart(_:from:to:_:)`` named last.
  ///   - hasAnswer: Whether the head of an answer came.
  mutating func finish(
    _ id: TransferID, port: Int? = nil, hasAnswer: Bool = false, _ actions: inout [Action]
  ) {
    guard case .running(let lane) = places[id] else { return }
    places[id] = nil
    lanes[lane].running -= 1
    if let port { lanes[lane].streams.leave(port, hasAnswer: hasAnswer) }
    running -= 1
    startWaiting(&actions)
    reportDrained(&actions)
  }

  /// A transfer that runs leaves over the connection of a local port; `previous` is the one before, if it
  /// leaves again.
  mutating func depart(
    _ id: TransferID, from previous: Int?, to port: Int, _ actions: inout [Action]
  ) {
    guard learnsStreams, case .running(let lane) = places[id] else { return }
    if let previous { lanes[lane].streams.leave(previous, hasAnswer: false) }
    lanes[lane].streams.enter(port)
    if lanes[lane].streams.limit != nil { startWaiting(&actions) }
  }

  /// An origin has shown whether it carries several requests over one connection.
  mutating func learn(isMultiplexed: Bool, origin: WebOrigin, _ actions: inout [Action]) {
    guard let lane = laneOf[LaneKey(origin: origin, needsOwnConnection: false)],
      lanes[lane].isMultiplexed != isMultiplexed
    else { return }
    lanes[lane].isMultiplexed = isMultiplexed
    if !isMultiplexed { lanes[lane].streams = StreamAllowance() }
    startWaiting(&actions)
  }

  /// The caller has cancelled a request.
  mutating func cancel(_ id: TransferID, _ actions: inout [Action]) {
    switch places[id] {
    case nil: return
    case .running: actions.append(.abort(id, .task))
    case .waiting(let lane):
      guard let entry = lanes[lane].line.remove(id) else { return }
      places[id] = nil
      waiting -= 1
      waitingBytes -= entry.bytes
      actions.append(.drop(id, .task))
    }
  }

  /// Time has passed.
  mutating func tick(at now: Duration, _ actions: inout [Action]) {
    if let earliestDeadline, earliestDeadline <= now { expireWaiting(at: now, &actions) }
    if case .closing(let graceEnd) = phase, graceEnd <= now {
      for (id, place) in places { if case .running = place { actions.append(.abort(id, .shutdown)) } }
    }
  }

  /// Nothing is accepted from now on; what waits is dropped, what runs may go on until `graceEnd`.
  mutating func close(graceEnd: Duration, _ actions: inout [Action]) {
    switch phase {
    case .drained: return
    case .closing(let previous): phase = .closing(graceEnd: min(previous, graceEnd))
    case .open: phase = .closing(graceEnd: graceEnd)
    }
    for lane in lanes.indices {
      for entry in lanes[lane].line.removeAll() {
        places[entry.id] = nil
        actions.append(.drop(entry.id, .shutdown))
      }
    }
    (waiting, waitingBytes) = (0, 0)
    earliestDeadline = nil
    reportDrained(&actions)
  }

  // MARK: Lanes

  private mutating func lane(of key: LaneKey) -> Int {
    if let known = laneOf[key] { return known }
    if lanes.count >= Self.mostLanes, let idle = lanes.firstIndex(where: \.isIdle) {
      laneOf[lanes[idle].key] = nil
      lanes[idle] = Lane(key)
      laneOf[key] = idle
      return idle
    }
    lanes.append(Lane(key))
    laneOf[key] = lanes.count - 1
    return lanes.count - 1
  }

  private func hasRoom(_ lane: Int) -> Bool {
    let most =
      switch lanes[lane].isMultiplexed {
      case true?: limits.streamsPerOrigin
      case false?: limits.perOrigin
      // All that run wait for the first connection, and must have room on it if it turns out to carry them.
      case nil: min(limits.perOrigin, limits.streamsPerOrigin)
      }
    guard running < limits.total, lanes[lane].running < most else { return false }
    return lanes[lane].isMultiplexed != true || lanes[lane].streams.hasRoom(beside: lanes[lane].running)
  }

  private mutating func start(_ id: TransferID, in lane: Int, _ actions: inout [Action]) {
    lanes[lane].running += 1
    running += 1
    places[id] = .running(lane: lane)
    actions.append(.start(id))
  }

  private mutating func startWaiting(_ actions: inout [Action]) {
    while waiting > 0, running < limits.total {
      var best: (lane: Int, rank: WaitingLine.Rank)?
      for lane in lanes.indices where hasRoom(lane) {
        guard let next = lanes[lane].line.next else { continue }
        if let known = best, known.rank < next.rank { continue }
        best = (lane, next.rank)
      }
      guard let lane = best?.lane, let entry = lanes[lane].line.removeNext() else { return }
      waiting -= 1
      waitingBytes -= entry.bytes
      places[entry.id] = nil
      start(entry.id, in: lane, &actions)
    }
  }

  private mutating func expireWaiting(at now: Duration, _ actions: inout [Action]) {
    earliestDeadline = nil
    for lane in lanes.indices {
      for entry in lanes[lane].line.removeExpired(at: now) {
        places[entry.id] = nil
        waiting -= 1
        waitingBytes -= entry.bytes
        actions.append(.expire(entry.id, entry.deadline?.phase ?? .queue))
      }
      for case let time? in lanes[lane].line.all.map({ $0.deadline?.time }) {
        earliestDeadline = min(time, earliestDeadline ?? time)
      }
    }
  }

  private mutating func reportDrained(_ actions: inout [Action]) {
    guard case .closing = phase, running == 0 else { return }
    phase = .drained
    actions.append(.drained)
  }
}
