import Interception

/// The time limits of one transfer: its current phase, and the deadlines of that phase and of the whole
/// attempt.
struct Deadlines {
  /// The time at which a phase exceeds its limit.
  struct Deadline: Hashable {
    let time: Duration
    let phase: NetworkError.Phase
  }

  private enum Stage {
    case queued(since: Duration)
    case reading
    case awaiting(since: Duration)
    case receiving(last: Duration)
    case paused
  }

  let limits: RequestOptions.Timeouts
  private let end: Deadline?
  private var stage: Stage

  /// Starts at the time of the caller's request.
  init(_ limits: RequestOptions.Timeouts, handedOver: Duration) {
    self.limits = limits
    end = limits.overall.map { Deadline(time: handedOver + $0.limit, phase: $0.phase) }
    stage = .queued(since: handedOver)
  }

  /// Ends the wait for admission; the time for reading the body is not limited by a phase.
  mutating func admitted() { stage = .reading }

  /// Records that the request was passed to the session; connecting and sending cannot be distinguished after
  /// this.
  mutating func launched(at now: Duration) { stage = .awaiting(since: now) }

  /// Records that bytes of the body were sent.
  mutating func sent(at now: Duration) { if case .awaiting = stage { stage = .awaiting(since: now) } }

  /// Records that bytes of the response were received.
  mutating func received(at now: Duration) { stage = .receiving(last: now) }

  /// Records that the reader's buffer is full.
  mutating func paused() { if case .receiving = stage { stage = .paused } }

  /// Records that the reader made room.
  mutating func released(at now: Duration) { if case .paused = stage { stage = .receiving(last: now) } }

  /// The end of the silence before a response: by the limit of the first byte, or by that of any silence.
  private func silence(since: Duration) -> Deadline? {
    let idle = limits.idle.map { Deadline(time: since + $0, phase: .idle) }
    guard let limit = limits.firstByte, since + limit <= idle?.time ?? since + limit else { return idle }
    return Deadline(time: since + limit, phase: .firstByte)
  }

  /// The earliest deadline if nothing else happens.
  var next: Deadline? {
    let own: Deadline? =
      switch stage {
      case .queued(let since): limits.queue.map { Deadline(time: since + $0, phase: .queue) }
      case .awaiting(let since): silence(since: since)
      case .receiving(let last): limits.idle.map { Deadline(time: last + $0, phase: .idle) }
      case .reading, .paused: nil
      }
    guard let end else { return own }
    if let own, own.time <= end.time { return own }
    return end
  }
}

/// The time limits of a transfer, and the task that checks them.
struct LimitWatch {
  /// What a check of the limits has found.
  enum Finding: Hashable {
    /// No limit applies in the present phase; the task ends.
    case nothing
    /// The next deadline is later; the task waits for it.
    case later(Duration)
    case exceeded(NetworkError.Phase)
  }

  var deadlines: Deadlines
  private var task: Task<Void, Never>?
  /// The time of the task's next check; nil without a task that will check.
  private var checkTime: Duration?

  init(_ deadlines: Deadlines) { self.deadlines = deadlines }

  /// Ensures that the limits are checked no later than the next deadline.
  ///
  /// - Parameter makeTask: Makes the task that checks them at a time.
  mutating func arm(_ makeTask: (Duration) -> Task<Void, Never>) {
    guard let next = deadlines.next else { return }
    if let checkTime, checkTime <= next.time { return }
    task?.cancel()
    checkTime = next.time
    task = makeTask(next.time)
  }

  /// Checks the limits.
  mutating func check(at now: Duration) -> Finding {
    guard let next = deadlines.next else {
      checkTime = nil
      return .nothing
    }
    guard next.time <= now else {
      checkTime = next.time
      return .later(next.time)
    }
    return .exceeded(next.phase)
  }

  /// Returns the task, which checks nothing any longer.
  mutating func end() -> Task<Void, Never>? { task.take() }
}
