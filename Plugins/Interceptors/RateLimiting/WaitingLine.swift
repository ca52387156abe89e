/// The requests to one origin that wait for a token, in the order of their arrival.
///
/// Only the first one waits for a token. When it has one or is cancelled, the next one is the first. A value
/// without I/O.
struct WaitingLine {
  /// Identifies a waiting request.
  typealias Place = UInt64

  /// What a request has to do.
  enum Step: Equatable {
    /// Send the request; the request at this place is now the first.
    case proceed(next: Place?)
    /// Wait at the front for a duration, and then ask again.
    case sleep(Place, Duration)
    /// Wait until it is the first.
    case queue(Place)
    /// Fail: the maximum number of requests wait already.
    case refuse
  }

  private var bucket: TokenBucket
  private var waiting: [Place] = []
  private var lastPlace: Place = 0

  init(_ limit: RateLimit, at now: Duration) { bucket = TokenBucket(limit, at: now) }

  /// Whether a new line would behave the same.
  func isIdle(at now: Duration) -> Bool { waiting.isEmpty && bucket.isFull(at: now) }

  /// The number of waiting requests.
  var count: Int { waiting.count }

  /// Whether a request still waits.
  func contains(_ place: Place) -> Bool { waiting.contains(place) }

  /// Whether a request is the first of those that wait.
  func isFirst(_ place: Place) -> Bool { waiting.first == place }

  /// Admits a request: it takes a token, or waits behind the others.
  mutating func arrive(at now: Duration, atMost limit: Int) -> Step {
    if waiting.isEmpty, bucket.take(at: now) { return .proceed(next: nil) }
    guard waiting.count < limit else { return .refuse }
    lastPlace += 1
    waiting.append(lastPlace)
    return waiting.count == 1 ? .sleep(lastPlace, bucket.wait(at: now)) : .queue(lastPlace)
  }

  /// Returns what a request has to do now that it has slept or is the first.
  mutating func advance(_ place: Place, at now: Duration) -> Step {
    guard isFirst(place) else { return .queue(place) }
    guard bucket.take(at: now) else { return .sleep(place, bucket.wait(at: now)) }
    waiting.removeFirst()
    return .proceed(next: waiting.first)
  }

  /// Removes a cancelled request; returns the place of the request that is now the first, if that changed.
  mutating func leave(_ place: Place) -> Place? {
    guard let index = waiting.firstIndex(of: place) else { return nil }
    waiting.remove(at: index)
    return index == 0 ? waiting.first : nil
  }
}
