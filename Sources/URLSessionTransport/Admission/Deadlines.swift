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
