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

  private struct LaneKey: Hashable {
    let origin: WebOrigin
    let needsOwnConnection: Bool
  }

  private struct Lane {
    let key: LaneKey
    var running = 0
    /// Whether its connections carry several requests each; nil until an https origin has responded.
    var isMultiplexed: Bool?
    var line = WaitingLine()
    var streams = StreamAllowance()
  }

  private enum Place {
    case waiting(lane: Int)
    case running(lane: Int)
  }

  // Beyond it, new lanes replace idle ones, so that a crawler does not make the table grow without bound.
  private static let maximumLanes = 1024

  private let limits: CurlDispatcher.Limits
  private let learnsStreams: Bool
  private var lanes: [Lane] = []
  private var laneOf: [LaneKey: Int] = [:]
  private var places: [TransferID: Place] = [:]
  private var arrivals: UInt64 = 0
  // When the grace of a closed dispatcher ends; nil while it is open.
  private var graceEnd: Duration?
  private var isDrained = false
  private var earliestDeadline: Duration?
  private(set) var running = 0
  private(set) var waiting = 0
  private var waitingBytes = 0

  /// Creates a state without requests; `learnsStreams` turns ``StreamAllowance`` on.
  init(limits: CurlDispatcher.Limits, learnsStreams: Bool = true) {
    self.limits = limits
    self.learnsStreams = learnsStreams
  }

  /// The time at which ``tick(at:_:)`` must be called, or an earlier one.
  var nextTick: Duration? {
    guard let graceEnd, running > 0 else { return earliestDeadline }
    return min(graceEnd, earliestDeadline ?? graceEnd)
  }

  var knownOrigins: Int { lanes.count }

  /// Whether an origin's connections carry several requests each; nil if that is not known yet.
  func isMultiplexed(_ origin: WebOrigin) -> Bool? {
    laneOf[LaneKey(origin: origin, needsOwnConnection: false)].flatMap { lanes[$0].isMultiplexed }
  }

  // MARK: Events

  mutating func submit(_ submission: Submission, at now: Duration, _ actions: inout [Action]) {
    guard graceEnd == nil else { return actions.append(.drop(submission.id, .shutdown)) }
    if let deadline = submission.deadline, deadline.time <= now {
      return actions.append(.expire(submission.id, deadline.phase))
    }
    let lane = lane(of: LaneKey(origin: submission.origin, needsOwnConnection: submission.needsOwnConnection))
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
    lanes[lane].line.insert(
      .init(id: submission.id, rank: rank, deadline: submission.deadline, bytes: submission.bytes))
    places[submission.id] = .waiting(lane: lane)
    waiting += 1
    waitingBytes += submission.bytes
    noteDeadline(submission.deadline)
  }

  /// Ends a running transfer, which used the connection of `port` last.
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

  /// Records that a transfer was sent over the connection of a local port, and of `previous` before.
  mutating func depart(_ id: TransferID, from previous: Int?, to port: Int, _ actions: inout [Action]) {
    guard learnsStreams, case .running(let lane) = places[id] else { return }
    if let previous { lanes[lane].streams.leave(previous, hasAnswer: false) }
    lanes[lane].streams.enter(port)
    if lanes[lane].streams.limit != nil { startWaiting(&actions) }
  }

  /// Records whether an origin's connections carry several requests each.
  mutating func learn(isMultiplexed: Bool, origin: WebOrigin, _ actions: inout [Action]) {
    guard let lane = laneOf[LaneKey(origin: origin, needsOwnConnection: false)],
      lanes[lane].isMultiplexed != isMultiplexed
    else { return }
    lanes[lane].isMultiplexed = isMultiplexed
    if !isMultiplexed { lanes[lane].streams = StreamAllowance() }
    startWaiting(&actions)
  }

  mutating func cancel(_ id: TransferID, _ actions: inout [Action]) {
    switch places[id] {
    case nil: return
    case .running: actions.append(.abort(id, .task))
    case .waiting(let lane):
      guard let entry = lanes[lane].line.remove(id) else { return }
      leaveQueue(entry)
      actions.append(.drop(id, .task))
    }
  }

  /// Ends waiting for a phase's limit that only the caller knows.
  mutating func expire(_ id: TransferID, _ phase: NetworkError.Phase, _ actions: inout [Action]) {
    guard case .waiting(let lane) = places[id], let entry = lanes[lane].line.remove(id) else { return }
    leaveQueue(entry)
    actions.append(.expire(id, phase))
  }

  /// Ends what the time limits and the grace end.
  mutating func tick(at now: Duration, _ actions: inout [Action]) {
    if let earliestDeadline, earliestDeadline <= now { expireWaiting(at: now, &actions) }
    if let graceEnd, graceEnd <= now {
      for (id, place) in places { if case .running = place { actions.append(.abort(id, .shutdown)) } }
    }
  }

  /// Accepts no more requests and drops waiting ones; running ones may continue until `graceEnd`.
  mutating func close(graceEnd: Duration, _ actions: inout [Action]) {
    guard !isDrained else { return }
    self.graceEnd = min(graceEnd, self.graceEnd ?? graceEnd)
    for lane in lanes.indices {
      for entry in lanes[lane].line.removeAll() {
        leaveQueue(entry)
        actions.append(.drop(entry.id, .shutdown))
      }
    }
    earliestDeadline = nil
    reportDrained(&actions)
  }

  // MARK: Lanes

  private mutating func lane(of key: LaneKey) -> Int {
    if let known = laneOf[key] { return known }
    let isUnknown = key.origin.scheme == .https && !key.needsOwnConnection
    let new = Lane(key: key, isMultiplexed: isUnknown ? nil : false)
    var lane = lanes.count
    if lane >= Self.maximumLanes, let idle = lanes.firstIndex(where: { $0.running == 0 && $0.line.isEmpty }) {
      lane = idle
      laneOf[lanes[lane].key] = nil
      lanes[lane] = new
    } else {
      lanes.append(new)
    }
    laneOf[key] = lane
    return lane
  }

  private func hasRoom(_ lane: Int) -> Bool {
    let maximum =
      switch lanes[lane].isMultiplexed {
      case true?: limits.streamsPerOrigin
      case false?: limits.perOrigin
      // All of them wait for the first connection, and must fit on it if it is multiplexed.
      case nil: min(limits.perOrigin, limits.streamsPerOrigin)
      }
    guard running < limits.total, lanes[lane].running < maximum else { return false }
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
      leaveQueue(entry)
      start(entry.id, in: lane, &actions)
    }
  }

  private mutating func expireWaiting(at now: Duration, _ actions: inout [Action]) {
    earliestDeadline = nil
    for lane in lanes.indices {
      for entry in lanes[lane].line.removeExpired(at: now) {
        leaveQueue(entry)
        actions.append(.expire(entry.id, entry.deadline?.phase ?? .queue))
      }
      for entry in lanes[lane].line.all { noteDeadline(entry.deadline) }
    }
  }

  private mutating func noteDeadline(_ deadline: Deadline?) {
    guard let time = deadline?.time else { return }
    earliestDeadline = min(time, earliestDeadline ?? time)
  }

  private mutating func leaveQueue(_ entry: WaitingLine.Entry) {
    places[entry.id] = nil
    waiting -= 1
    waitingBytes -= entry.bytes
  }

  private mutating func reportDrained(_ actions: inout [Action]) {
    guard graceEnd != nil, running == 0, !isDrained else { return }
    isDrained = true
    actions.append(.drained)
  }
}
