import Interception

/// The waiting lines of all origins, and the continuations of the requests in them.
struct OriginLines {
  typealias Continuation = CheckedContinuation<Bool, Never>

  private struct Line {
    var order: WaitingLine
    /// The requests that are suspended until they are the first.
    var suspended: [WaitingLine.Place: Continuation] = [:]
  }

  private let limit: RateLimit
  private let maximumWaiting: Int
  private var lines: [RequestOrigin: Line] = [:]
  private var sweepCount = 64

  init(_ limit: RateLimit, maximumWaiting: Int) {
    self.limit = limit
    self.maximumWaiting = maximumWaiting
  }

  /// The number of origins that are remembered.
  var count: Int { lines.count }
  /// The number of requests that wait, to any origin.
  var waitingCount: Int { lines.values.reduce(0) { $0 + $1.order.count } }

  /// Admits a request.
  mutating func arrive(_ origin: RequestOrigin, at now: Duration) -> WaitingLine.Step {
    if let index = lines.index(forKey: origin) {
      return lines.values[index].order.arrive(at: now, atMost: maximumWaiting)
    }
    removeIdle(at: now)
    var line = Line(order: WaitingLine(limit, at: now))
    let step = line.order.arrive(at: now, atMost: maximumWaiting)
    lines[origin] = line
    return step
  }

  /// Returns what a request has to do now, and the continuation of the next one if it is now the first.
  mutating func advance(
    _ place: WaitingLine.Place, of origin: RequestOrigin, at now: Duration
  ) -> (WaitingLine.Step, Continuation?) {
    guard let index = lines.index(forKey: origin) else { return (.proceed(next: nil), nil) }
    let step = lines.values[index].order.advance(place, at: now)
    guard case .proceed(let next?) = step else { return (step, nil) }
    return (step, lines.values[index].suspended.removeValue(forKey: next))
  }

  /// Stores the continuation of a request until it is the first; returns the result if that is known.
  mutating func suspend(
    _ place: WaitingLine.Place, of origin: RequestOrigin, _ continuation: Continuation
  ) -> Bool? {
    guard let index = lines.index(forKey: origin) else { return false }
    let order = lines.values[index].order
    guard order.contains(place) else { return false }
    if order.isFirst(place) { return true }
    lines.values[index].suspended[place] = continuation
    return nil
  }

  /// Removes a cancelled request; returns its continuation, and that of the request that is now the first.
  mutating func leave(
    _ place: WaitingLine.Place, of origin: RequestOrigin
  ) -> (own: Continuation?, next: Continuation?) {
    guard let index = lines.index(forKey: origin) else { return (nil, nil) }
    let next = lines.values[index].order.leave(place)
    let own = lines.values[index].suspended.removeValue(forKey: place)
    return (own, next.flatMap { lines.values[index].suspended.removeValue(forKey: $0) })
  }

  /// Removes the lines that a new one would equal, each time the number of lines has doubled.
  private mutating func removeIdle(at now: Duration) {
    guard lines.count >= sweepCount else { return }
    lines = lines.filter { !$0.value.order.isIdle(at: now) }
    sweepCount = max(64, 2 * lines.count)
  }
}

/// A token bucket: each request takes a token, and tokens are added at a constant rate up to a maximum.
///
/// The bucket stores only the instant at which it will be full, from which the number of tokens at any
/// instant follows, so that nothing has to be added periodically and no error accumulates.
struct TokenBucket {
  /// The time in which a token is added.
  private let interval: Duration
  /// The time in which the tokens but one are added to an empty bucket.
  private let tolerance: Duration
  private var fullAt: Duration

  /// Creates a full bucket.
  init(_ limit: RateLimit, at now: Duration) {
    interval = limit.interval
    tolerance = limit.interval * (limit.burst - 1)
    fullAt = now
  }

  /// Returns how long it takes until a token is available; zero if one is.
  func wait(at now: Duration) -> Duration {
    max(.zero, max(fullAt, now) - now - tolerance)
  }

  /// Returns whether the bucket is full.
  func isFull(at now: Duration) -> Bool { fullAt <= now }

  /// Takes a token, if one is available.
  mutating func take(at now: Duration) -> Bool {
    guard wait(at: now) == .zero else { return false }
    fullAt = max(fullAt, now) + interval
    return true
  }
}
