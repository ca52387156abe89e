import HTTPTypes
import Interception

/// The lifetime and the age of a stored response (RFC 9111, section 4.2).
///
/// The API's rule enables caching and sets the lifetime, counted from the response's arrival. A lifetime
/// stated in the response (`max-age`, else `Expires`, both less the age at arrival; zero with `no-cache`)
/// shortens it, but never lengthens it. Under a stated rule a response without a stated
/// lifetime is never fresh, unless the rule allows a heuristic lifetime (section 4.2.2). In a shared cache
/// `s-maxage` takes the place of `max-age`.
package struct Freshness: Sendable, Hashable {
  /// When the response arrived, or was last revalidated.
  package let received: CacheInstant
  /// The age of the response at its arrival (RFC 9111, section 4.2.3).
  package let initialAge: Duration
  /// How long the response is fresh after its arrival; zero or less if it is stale at once.
  package let lifetime: Duration
  /// How long after that the response may be used while it is revalidated (RFC 5861, section 3).
  package let staleWindow: Duration
  /// Whether the lifetime is an estimate, because the response states none.
  package let isHeuristic: Bool

  /// Creates a freshness from its parts.
  package init(
    received: CacheInstant, initialAge: Duration, lifetime: Duration, staleWindow: Duration = .zero,
    isHeuristic: Bool = false
  ) {
    self.received = received
    self.initialAge = initialAge
    self.lifetime = lifetime
    self.staleWindow = staleWindow
    self.isHeuristic = isHeuristic
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
  ///
  /// - Parameter isEstimable: Whether the request permits a heuristic lifetime.
  init(
    of head: HTTPResponse, _ control: CacheControl, requested: CacheInstant, received: CacheInstant,
    rule: CacheRule, isEstimable: Bool = false
  ) {
    let date = Self.date(of: head, received: received)
    let initialAge = Self.initialAge(of: head, date, requested: requested, received: received)
    let stated = Self.statedLifetime(of: head, control, date, received: received).map { $0 - initialAge }
    let limit = rule.limit ?? .zero
    guard rule.isStated else {
      self.init(received: received, initialAge: initialAge, lifetime: min(limit, stated ?? limit))
      return
    }
    let estimate: Duration? =
      stated == nil && isEstimable
      ? Self.heuristicLifetime(of: head, control, date, received: received, rule: rule) : nil
    self.init(
      received: received, initialAge: initialAge,
      lifetime: min(limit, stated ?? estimate.map { $0 - initialAge } ?? .zero),
      staleWindow: control.forbidsStale ? .zero : control.staleWhileRevalidate ?? .zero,
      isHeuristic: estimate != nil)
  }

  /// Returns the response's age, or nil if the wall clock was set back to before its arrival.
  package func age(at now: CacheInstant) -> Duration? {
    received.elapsed(to: now).map { initialAge + $0 }
  }

  /// Returns how long the response remains fresh; zero or less if it is stale, nil if the clock was set back,
  /// which also means stale.
  ///
  /// - Parameter limit: The lifetime of the current rule, which may have become shorter.
  package func remaining(at now: CacheInstant, limit: Duration) -> Duration? {
    received.elapsed(to: now).map { min(lifetime, limit) - $0 }
  }

  /// Returns the maximum lifetime under the current rule, which may allow no heuristic lifetime, or a shorter
  /// one, than the rule by which the response was stored.
  func limit(under rule: CacheRule) -> Duration {
    isHeuristic ? rule.heuristicLimit : rule.limit ?? .zero
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
    statedLifetime(of: head, control, date(of: head, received: received), received: received)
  }

  private static func statedLifetime(
    of head: HTTPResponse, _ control: CacheControl, _ date: @autoclosure () -> WallTime?,
    received: CacheInstant
  ) -> Duration? {
    if control.noCache { return .zero }
    if let maxAge = control.maxAge { return maxAge }
    guard head.headerFields.contains(.expires) else { return nil }
    // A malformed date, such as the customary 0, is in the past (section 5.3), and so are different ones.
    guard let expires = head.headerFields.singleValue(.expires),
      let moment = ExpiryDate.parse(expires, now: received.wall)
    else { return .zero }
    return max(.zero, (date() ?? received.wall).duration(to: moment))
  }

  /// Returns the heuristic lifetime of a response without a stated one (RFC 9111, section 4.2.2); nil if it
  /// has none.
  static func heuristicLifetime(
    of head: HTTPResponse, _ control: CacheControl, received: CacheInstant, rule: CacheRule
  ) -> Duration? {
    heuristicLifetime(
      of: head, control, date(of: head, received: received), received: received, rule: rule)
  }

  private static func heuristicLifetime(
    of head: HTTPResponse, _ control: CacheControl, _ date: @autoclosure () -> WallTime?,
    received: CacheInstant, rule: CacheRule
  ) -> Duration? {
    guard rule.heuristicLimit > .zero, !control.forbidsStale, control.sharedMaxAge == nil,
      StoringRule.isHeuristicallyCacheable(head.status, control),
      let modified = head.headerFields.singleValue(.lastModified).flatMap({
        HTTPDate.parse($0, now: received.wall)
      })
    else { return nil }
    // Both are by the server's clock; a response without a date was created when it was received.
    let unchanged = modified.duration(to: date() ?? received.wall)
    return unchanged > .zero ? min(unchanged / 10, rule.heuristicLimit) : nil
  }

  /// Returns the time of a response's `Date`; nil without a valid one.
  private static func date(of head: HTTPResponse, received: CacheInstant) -> WallTime? {
    head.headerFields.singleValue(.date).flatMap { HTTPDate.parse($0, now: received.wall) }
  }

  private static func initialAge(
    of head: HTTPResponse, _ date: WallTime?, requested: CacheInstant, received: CacheInstant
  ) -> Duration {
    let apparent = date?.duration(to: received.wall) ?? .zero
    let stated = head.headerFields.age ?? .zero
    let delay = requested.duration(to: received)
    return max(apparent, stated + delay, .zero)
  }
}

/// Parses the date of an `Expires` field strictly by the three formats of RFC 9110, section 5.6.7, ignoring
/// case.
///
/// RFC 9111, section 5.3, treats anything else as a time in the past, so leniency would be wrong; section 4.2
/// there makes the case insignificant.
enum ExpiryDate {
  private typealias Bytes = ArraySlice<UInt8>

  // In a format, d is a digit, s a digit or a space, l a letter; other characters are literal.
  private static let fixed: StaticString = "lll, dd lll dddd dd:dd:dd gmt"
  private static let afterWeekday: StaticString = ", dd-lll-dd dd:dd:dd gmt"
  private static let asctime: StaticString = "lll lll sd dd:dd:dd dddd"
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  /// Longer than any valid date.
  private static let limit = 40

  /// Returns the time, or nil if the text has none of the three formats.
  static func parse(_ text: String, now: WallTime) -> WallTime? {
    guard text.utf8.count <= limit else { return nil }
    let bytes = text.utf8.map(lowercased)
    let weekday = bytes.prefix { isLetter($0) }
    let name = String(decoding: weekday, as: UTF8.self)
    let isForm =
      weekday.count == 3
      ? weekdays.contains { $0.hasPrefix(name) }
        && (matches(bytes[...], fixed) || matches(bytes[...], asctime))
      : weekdays.contains(name) && matches(bytes[weekday.endIndex...], afterWeekday)
    return isForm ? HTTPDate.parse(spelled(bytes), now: now) : nil
  }

  private static func matches(_ bytes: Bytes, _ form: StaticString) -> Bool {
    guard bytes.count == form.utf8CodeUnitCount else { return false }
    return form.withUTF8Buffer { form in
      zip(bytes, form).allSatisfy { byte, kind in
        switch kind {
        case UInt8(ascii: "d"): isDigit(byte)
        case UInt8(ascii: "s"): isDigit(byte) || byte == UInt8(ascii: " ")
        case UInt8(ascii: "l"): isLetter(byte)
        default: byte == kind
        }
      }
    }
  }

  /// The text with the usual capitals: the first letter of names, and the whole zone.
  private static func spelled(_ bytes: [UInt8]) -> String {
    var former = UInt8(ascii: " ")
    var spelled: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isCapital = !isLetter(former) || (isZone(bytes) && index >= bytes.count - 3)
      spelled.append(isLetter(byte) && isCapital ? byte - 0x20 : byte)
      former = byte
    }
    return String(decoding: spelled, as: UTF8.self)
  }

  private static func isZone(_ bytes: [UInt8]) -> Bool { bytes.last.map(isLetter) ?? false }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
