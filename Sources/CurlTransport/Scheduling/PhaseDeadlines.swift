import Interception

/// The time limits of one running transfer: which phase it is in, and when that phase, or the whole, is over.
struct PhaseDeadlines {
  private enum Stage {
    /// The body is being opened; nothing is on the wire.
    case preparing
    case connecting(since: Duration)
    case sending(last: Duration)
    case awaiting(since: Duration)
    case receiving(last: Duration)
  }

  private let limits: RequestOptions.Timeouts
  private let wholeEnd: Duration?
  private var stage = Stage.preparing
  // A body that waits for our own side, its source or its reader, is not silent: the peer can do nothing.
  private var isHeld = false

  /// Starts the measurement; `handedOver` is when the caller asked.
  init(_ limits: RequestOptions.Timeouts, handedOver: Duration) {
    self.limits = limits
    wholeEnd = limits.whole.map { handedOver + $0 }
  }

  /// The transfer was handed to libcurl.
  mutating func launched(at now: Duration) { stage = .connecting(since: now) }

  /// A connection is opened: the first one, or another one because a kept one turned out dead.
  mutating func connects(at now: Duration) {
    switch stage {
    case .sending, .awaiting: stage = .connecting(since: now)
    case .preparing, .connecting, .receiving: break
    }
  }

  /// The connection is ready, and the request goes out; `hasBody` says whether more than a head does.
  mutating func connected(at now: Duration, hasBody: Bool) {
    stage = hasBody ? .sending(last: now) : .awaiting(since: now)
  }

  /// Bytes of the request's body went out.
  mutating func sent(at now: Duration) { if case .sending = stage { stage = .sending(last: now) } }

  /// The last byte of the request went out.
  mutating func sentAll(at now: Duration) { if case .sending = stage { stage = .awaiting(since: now) } }

  /// Bytes of the answer came in.
  mutating func received(at now: Duration) {
    stage = .receiving(last: now)
    isHeld = false
  }

  /// The body's source has nothing to send yet.
  mutating func starved() { if case .sending = stage { isHeld = true } }

  /// The answer's reader has no room for more.
  mutating func paused() { if case .receiving = stage { isHeld = true } }

  /// The body's source or reader continues.
  mutating func release(at now: Duration) {
    isHeld = false
    switch stage {
    case .sending: stage = .sending(last: now)
    case .receiving: stage = .receiving(last: now)
    case .preparing, .connecting, .awaiting: break
    }
  }

  /// The first limit that will be reached if nothing happens.
  var next: DispatchState.Deadline? {
    let whole = wholeEnd.map { DispatchState.Deadline(time: $0, phase: .whole) }
    guard let own = stageDeadline else { return whole }
    guard let whole, whole.time < own.time else { return own }
    return whole
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

  private var stageDeadline: DispatchState.Deadline? {
    switch stage {
    case .preparing: nil
    case .connecting(let since): limits.connect.map { .init(time: since + $0, phase: .connect) }
    case .awaiting(let since): limits.firstByte.map { .init(time: since + $0, phase: .firstByte) }
    case .sending(let last), .receiving(let last):
      isHeld ? nil : limits.idle.map { .init(time: last + $0, phase: .idle) }
    }
  }
}
