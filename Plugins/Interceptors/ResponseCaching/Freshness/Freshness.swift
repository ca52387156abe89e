import HTTPTypes
import Interception

/// The lifetime and the age of a stored response (RFC 9111, section 4.2).
///
/// The API's rule enables caching and sets the lifetime, counted from the response's arrival. A lifetime
/// stated in the response (`max-age`, else `Expires`, both less the age at arrival; zero with `no-cache`)
/// shortens it, but never lengthens it. Under `CacheRule.stated(limit:)` a response without a stated
/// lifetime is never fresh. There is no heuristic lifetime. In a shared cache `s-maxage` takes the place of
/// `max-age`.
public struct Freshness: Sendable, Hashable {
  /// When the response arrived, or was last revalidated.
  public let received: CacheInstant
  /// The age of the response at its arrival (RFC 9111, section 4.2.3).
  public let initialAge: Duration
  /// How long the response is fresh after its arrival; zero or less if it is stale at once.
  public let lifetime: Duration
  /// How long after that the response may be used while it is revalidated (RFC 5861, section 3).
  public let staleWindow: Duration

  /// Creates a freshness from its parts.
  public init(
    received: CacheInstant, initialAge: Duration, lifetime: Duration, staleWindow: Duration = .zero
  ) {
    self.received = received
    self.initialAge = initialAge
    self.lifetime = lifetime
    self.staleWindow = staleWindow
  }

  /// Computes the freshness of a response.
  init(
    of head: HTTPResponse, requested: CacheInstant, received: CacheInstant, rule: CacheRule
  ) {
    self.init(
      of: head, CacheControl(head.headerFields[.cacheControl]), requested: requested, received: received,
      rule: rule)
  }

  /// Computes the freshness of a response whose `Cache-Control` is already parsed.
  init(
    of head: HTTPResponse, _ control: CacheControl, requested: CacheInstant, received: CacheInstant,
    rule: CacheRule
  ) {
    let date = head.headerFields.value(of: .date).flatMap { HTTPDate.parse($0, now: received.wall) }
    let initialAge = Self.initialAge(of: head, date, requested: requested, received: received)
    let stated = Self.statedLifetime(of: head, control, date, received: received).map { $0 - initialAge }
    let limit = rule.limit ?? .zero
    guard rule.isStated else {
      self.init(received: received, initialAge: initialAge, lifetime: min(limit, stated ?? limit))
      return
    }
    self.init(
      received: received, initialAge: initialAge, lifetime: min(limit, stated ?? .zero),
      staleWindow: control.forbidsStale ? .zero : control.staleWhileRevalidate ?? .zero)
  }

  /// Returns the response's age, or nil if the wall clock was set back to before its arrival.
  public func age(at now: CacheInstant) -> Duration? {
    received.elapsed(to: now).map { initialAge + $0 }
  }

  /// Returns how long the response remains fresh; zero or less if it is stale, nil if the clock was set back,
  /// which also means stale.
  ///
  /// - Parameter limit: The lifetime of the current rule, which may have become shorter.
  public func remaining(at now: CacheInstant, limit: Duration) -> Duration? {
    received.elapsed(to: now).map { min(lifetime, limit) - $0 }
  }

  /// Whether a stale response may be used while it is revalidated; the rule's lifetime is the maximum for
  /// that too.
  func isWithinStaleWindow(at now: CacheInstant, limit: Duration) -> Bool {
    guard staleWindow > .zero, let elapsed = received.elapsed(to: now) else { return false }
    return elapsed <= lifetime + staleWindow && elapsed < limit
  }

  /// Returns the lifetime stated in a response.
  static func statedLifetime(of head: HTTPResponse, _ control: CacheControl, received: CacheInstant)
    -> Duration?
  {
    let date = head.headerFields.value(of: .date).flatMap { HTTPDate.parse($0, now: received.wall) }
    return statedLifetime(of: head, control, date, received: received)
  }

  private static func statedLifetime(
    of head: HTTPResponse, _ control: CacheControl, _ date: WallTime?, received: CacheInstant
  ) -> Duration? {
    if control.noCache { return .zero }
    if let maxAge = control.maxAge { return maxAge }
    guard let expires = head.headerFields.value(of: .expires) else { return nil }
    // A malformed date, such as the customary 0, is in the past (section 5.3).
    guard let moment = ExpiryDate.parse(expires, now: received.wall) else { return .zero }
    return max(.zero, (date ?? received.wall).duration(to: moment))
  }

  private static func initialAge(
    of head: HTTPResponse, _ date: WallTime?, requested: CacheInstant, received: CacheInstant
  ) -> Duration {
    let apparent = date?.duration(to: received.wall) ?? .zero
    let member = head.headerFields.value(of: .age)?.split(separator: ",").first
    let stated = member.flatMap(CacheControl.seconds) ?? .zero
    let delay = requested.elapsed(to: received) ?? .zero
    return max(apparent, stated + delay, .zero)
  }
}
