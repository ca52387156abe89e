import Interception

/// The phase of a running transfer, and the times at which the phase and the whole transfer expire.
struct PhaseDeadlines {
  private enum Stage {
    /// The request's body is being opened.
    case preparing
    case connecting
    case sending
    case awaiting
    case receiving
  }

  private let limits: RequestOptions.Timeouts
  private let end: DispatchState.Deadline?
  private var stage = Stage.preparing
  // When the stage began, or when bytes of a body were last sent or received.
  private var start: Duration
  // Whether a body waits for its own source or reader, which must not count as the peer's silence.
  private var isHeld = false

  /// Starts the limits of a request that was called at `handedOver`.
  init(_ limits: RequestOptions.Timeouts, handedOver: Duration) {
    self.limits = limits
    end = limits.overall.map { .init(time: handedOver + $0.limit, phase: $0.phase) }
    start = handedOver
  }

  private mutating func enter(_ stage: Stage, at now: Duration) {
    self.stage = stage
    start = now
  }

  mutating func launched(at now: Duration) { enter(.connecting, at: now) }

  /// Records that a connection is opened: the first one, or another one because a reused one was dead.
  mutating func connects(at now: Duration) {
    if stage == .sending || stage == .awaiting { enter(.connecting, at: now) }
  }

  mutating func connected(at now: Duration, hasBody: Bool) { enter(hasBody ? .sending : .awaiting, at: now) }

  mutating func sent(at now: Duration) { if stage == .sending { start = now } }

  mutating func sentAll(at now: Duration) { if stage == .sending { enter(.awaiting, at: now) } }

  mutating func received(at now: Duration) {
    enter(.receiving, at: now)
    isHeld = false
  }

  /// Records that the source of the request's body has no bytes yet.
  mutating func starved() { if stage == .sending { isHeld = true } }

  /// Records that the reader of the response's body has no room.
  mutating func paused() { if stage == .receiving { isHeld = true } }

  /// Records that the source or the reader continues.
  mutating func release(at now: Duration) {
    isHeld = false
    if stage == .sending || stage == .receiving { start = now }
  }

  /// The limit that is reached first unless something happens.
  var next: DispatchState.Deadline? {
    guard let phase, let limit = limits.limit(of: phase), start + limit <= end?.time ?? start + limit else {
      return end
    }
    return .init(time: start + limit, phase: phase)
  }

  private var phase: NetworkError.Phase? {
    switch stage {
    case .preparing: nil
    case .connecting: .connect
    case .awaiting: .firstByte
    case .sending, .receiving: isHeld ? nil : .idle
    }
  }
}
