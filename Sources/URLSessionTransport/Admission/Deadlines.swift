import Interception

/// The time limits of one transfer: which phase it is in, and when that phase, or the whole, is over.
struct Deadlines {
  /// A moment at which a phase has taken too long.
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

  private let limits: RequestOptions.Timeouts
  private let wholeEnd: Duration?
  private var stage: Stage

  /// Starts the measurement at the moment at which the caller asked.
  init(_ limits: RequestOptions.Timeouts, handedOver: Duration) {
    self.limits = limits
    wholeEnd = limits.whole.map { handedOver + $0 }
    stage = .queued(since: handedOver)
  }

  /// The wait for a place is over, and the body is read; that is our own side's time.
  mutating func admitted() { stage = .reading }

  /// The request was handed to the session; connection and request are not told apart from here on.
  mutating func launched(at now: Duration) { stage = .awaiting(since: now) }

  /// Bytes of the body went out.
  mutating func sent(at now: Duration) { if case .awaiting = stage { stage = .awaiting(since: now) } }

  /// Bytes of the answer came in.
  mutating func received(at now: Duration) { stage = .receiving(last: now) }

  /// The reader has no room for more.
  mutating func paused() { if case .receiving = stage { stage = .paused } }

  /// The reader goes on.
  mutating func released(at now: Duration) { if case .paused = stage { stage = .receiving(last: now) } }

  /// The first limit that will be reached if nothing happens.
  var next: Deadline? {
    let own: Deadline? =
      switch stage {
      case .queued(let since): limits.queue.map { Deadline(time: since + $0, phase: .queue) }
      case .awaiting(let since): limits.firstByte.map { Deadline(time: since + $0, phase: .firstByte) }
      case .receiving(let last): limits.idle.map { Deadline(time: last + $0, phase: .idle) }
      case .reading, .paused: nil
      }
    guard let wholeEnd else { return own }
    if let own, own.time <= wholeEnd { return own }
    return Deadline(time: wholeEnd, phase: .whole)
  }

  /// The limit of a phase, to name it in an error.
  func limit(of phase: NetworkError.Phase) -> Duration? {
    switch phase {
    case .queue: limits.queue
    case .connect: limits.connect
    case .firstByte: limits.firstByte
    case .idle: limits.idle
    case .whole: limits.whole
    }
  }
}
