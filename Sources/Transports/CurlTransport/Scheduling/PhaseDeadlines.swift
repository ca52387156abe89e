import Interception

/// The phase of a running transfer, and the times at which the phase and the whole transfer expire.
///
/// Once the request has departed, its two directions are independent: bytes of either one end a silence, a
/// server may respond before the request's body has ended, and an informational response begins nothing.
struct PhaseDeadlines {
  private enum Stage {
    /// The request's body is being opened.
    case preparing
    case connecting
    /// The request has departed.
    case exchanging
  }

  private let limits: RequestOptions.Timeouts
  private let end: DispatchState.Deadline?
  private var stage = Stage.preparing
  // When the connection was begun, or when bytes were last sent or received.
  private var start: Duration
  // When the last byte of the request was sent, until the response begins.
  private var awaitsSince: Duration?
  private var hasReceived = false
  private var hasResponded = false
  // Whether a direction waits for its own source or reader, which must not count as the peer's silence.
  private var isStarved = false
  private var isRefused = false
  private var isPaused = false

  /// Starts the limits of a request that was called at `handedOver`.
  init(_ limits: RequestOptions.Timeouts, handedOver: Duration) {
    self.limits = limits
    end = limits.overall.map { .init(time: handedOver + $0.limit, phase: $0.phase) }
    start = handedOver
  }

  mutating func launched(at now: Duration) { (stage, start) = (.connecting, now) }

  /// Records that a connection is opened: the first one, or another one because a reused one was dead.
  mutating func connects(at now: Duration) {
    if stage == .exchanging, !hasReceived { (stage, start) = (.connecting, now) }
  }

  mutating func connected(at now: Duration, hasBody: Bool) {
    (stage, start) = (.exchanging, now)
    awaitsSince = hasBody ? nil : now
    isStarved = false
  }

  mutating func sent(at now: Duration) { start = now }

  mutating func sentAll(at now: Duration) {
    start = now
    if !hasResponded { awaitsSince = now }
  }

  /// Records that bytes were received, also those of an informational response.
  mutating func received(at now: Duration) {
    start = now
    hasReceived = true
  }

  /// Records that the response begins, after any informational ones.
  ///
  /// - Parameter isRefusal: Whether its status is 4xx or 5xx. The server then waits for no more of the
  ///   request's body, so a slow source of the body doesn't explain the server's silence.
  mutating func responded(isRefusal: Bool = false) {
    hasResponded = true
    isRefused = isRefusal
    awaitsSince = nil
  }

  /// Records that the source of the request's body has no bytes yet.
  mutating func starved() { isStarved = true }

  /// Records that the source continues.
  mutating func fed(at now: Duration) { (isStarved, start) = (false, now) }

  /// Records that the reader of the response's body has no room.
  mutating func paused() { isPaused = true }

  /// Records that the reader continues.
  mutating func resumed(at now: Duration) { (isPaused, start) = (false, now) }

  /// The limit that is reached first unless something happens.
  var next: DispatchState.Deadline? {
    switch stage {
    case .preparing: end
    case .connecting: earlier(end, start, .connect)
    case .exchanging:
      earlier(isHeldUp ? end : earlier(end, start, .idle), awaitsSince, .firstByte)
    }
  }

  /// Whether this side may be the reason for a silence.
  private var isHeldUp: Bool { isPaused || (isStarved && !isRefused) }

  /// Returns `other`, or the end of a phase if that is no later.
  private func earlier(
    _ other: DispatchState.Deadline?, _ start: Duration?, _ phase: NetworkError.Phase
  ) -> DispatchState.Deadline? {
    guard let start, let limit = limits.limit(of: phase), start + limit <= other?.time ?? start + limit else {
      return other
    }
    return .init(time: start + limit, phase: phase)
  }
}
