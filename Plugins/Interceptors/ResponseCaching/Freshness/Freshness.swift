import HTTPTypes
import Interception

/// How long a stored answer may be used, and how old it is, RFC 9111, section 4.2.
///
/// The API's rule turns caching on and sets the lifetime, counted from the answer's arrival. A lifetime that
/// the answer states itself (`max-age`, else `Expires`, both less the age it arrived with; `no-cache` counts
/// as none at all) shortens that, and never lengthens it; under ``CachePolicy/stated`` an answer that states
/// none has none. There is no heuristic lifetime, and `s-maxage` is for shared caches.
public struct Freshness: Sendable, Hashable {
  /// When the answer arrived, or was last confirmed.
  public let received: CacheMoment
  /// How old the answer was when it arrived, RFC 9111, section 4.2.3.
  public let initialAge: Duration
  /// How long the answer is fresh, counted from its arrival; zero or less where it must be confirmed at once.
  public let lifetime: Duration
  /// How long after that the answer may still be used while it is confirmed, RFC 5861, section 3.
  public let staleWindow: Duration

  /// Makes a freshness of its parts.
  public init(
    received: CacheMoment, initialAge: Duration, lifetime: Duration, staleWindow: Duration = .zero
  ) {
    self.received = received
    self.initialAge = initialAge
    self.lifetime = lifetime
    self.staleWindow = staleWindow
  }

  /// Works out the freshness of an answer.
  init(
    of head: HTTPResponse, requested: CacheMoment, received: CacheMoment, rule: Duration,
    policy: CachePolicy = .declared
  ) {
    self.init(
      of: head, CacheControl(head.headerFields[.cacheControl]), requested: requested, received: received,
      rule: rule, policy: policy)
  }

  /// Works out the freshness of an answer whose `Cache-Control` was read before.
  init(
    of head: HTTPResponse, _ control: CacheControl, requested: CacheMoment, received: CacheMoment,
    rule: Duration, policy: CachePolicy
  ) {
    let date = head.headerFields.value(of: .date).flatMap { HTTPDate.parse($0, now: received.wall) }
    let initialAge = Self.initialAge(of: head, date, requested: requested, received: received)
    let stated = Self.statedLifetime(of: head, control, date, received: received).map { $0 - initialAge }
    switch policy {
    case .declared:
      self.init(received: received, initialAge: initialAge, lifetime: min(rule, stated ?? rule))
    case .stated:
      let isStrict = control.noCache || control.mustRevalidate
      self.init(
        received: received, initialAge: initialAge, lifetime: min(rule, stated ?? .zero),
        staleWindow: isStrict ? .zero : control.staleWhileRevalidate ?? .zero)
    }
  }

  /// The answer's age; nil when the wall clock was set back to before its arrival.
  public func age(at now: CacheMoment) -> Duration? {
    received.elapsed(to: now).map { initialAge + $0 }
  }

  /// How long the answer is still fresh; zero or less when it is stale, nil when the clock was set back,
  /// which is stale too.
  ///
  /// - Parameter limit: The lifetime of the rule in force now, which may be shorter than it was.
  public func remaining(at now: CacheMoment, limit: Duration) -> Duration? {
    received.elapsed(to: now).map { min(lifetime, limit) - $0 }
  }

  /// Whether a stale answer may be used while it is confirmed; the rule's lifetime, counted from its arrival,
  /// bounds that too.
  func isWithinStaleWindow(at now: CacheMoment, limit: Duration) -> Bool {
    guard staleWindow > .zero, let elapsed = received.elapsed(to: now) else { return false }
    return elapsed <= lifetime + staleWindow && elapsed < limit
  }

  /// The lifetime that an answer states itself.
  static func statedLifetime(of head: HTTPResponse, _ control: CacheControl, received: CacheMoment)
    -> Duration?
  {
    let date = head.headerFields.value(of: .date).flatMap { HTTPDate.parse($0, now: received.wall) }
    return statedLifetime(of: head, control, date, received: received)
  }

  private static func statedLifetime(
    of head: HTTPResponse, _ control: CacheControl, _ date: WallTime?, received: CacheMoment
  ) -> Duration? {
    if control.noCache { return .zero }
    if let maxAge = control.maxAge { return maxAge }
    guard let expires = head.headerFields.value(of: .expires) else { return nil }
    // A date that can't be read, such as the customary 0, is in the past (section 5.3).
    guard let moment = ExpiryDate.parse(expires, now: received.wall) else { return .zero }
    return max(.zero, (date ?? received.wall).duration(to: moment))
  }

  private static func initialAge(
    of head: HTTPResponse, _ date: WallTime?, requested: CacheMoment, received: CacheMoment
  ) -> Duration {
    let apparent = date?.duration(to: received.wall) ?? .zero
    let member = head.headerFields.value(of: .age)?.split(separator: ",").first
    let stated = member.flatMap(CacheControl.seconds) ?? .zero
    let delay = requested.elapsed(to: received) ?? .zero
    return max(apparent, stated + delay, .zero)
  }
}
