/// How the responses of an API, or to one request, may be cached, and how a call uses stored ones.
///
/// ```swift
/// var request = Request(authority: "api.example", path: "/houses")
/// request.context.cacheRule = .timed(.seconds(60))  // fresh for a minute, or less if the response says so
/// request.context.cacheRule = .stated().with(.revalidate)  // as the response states; ask the server now
/// request.context.cacheRule = .timed().inMemoryOnly()  // never written to a disk
/// ```
public struct CacheRule: Sendable, Hashable {
  /// What determines whether responses are stored, and how long they are fresh.
  private enum Lifetime: Sendable, Hashable {
    case inherited
    case off
    case timed(Duration)
    case stated(limit: Duration)
  }

  private let lifetime: Lifetime
  /// How this call uses stored responses.
  public var mode: Mode
  /// Whether responses are stored in memory only.
  package private(set) var isInMemoryOnly = false
  /// How long after its lifetime a response may be used if the server fails.
  package private(set) var staleIfErrorWindow = Duration.zero

  private init(_ lifetime: Lifetime) {
    self.lifetime = lifetime
    mode = .useFresh
  }

  /// The default rule of the pipeline's cache, and `off` if it has none; the rule of a request that names no
  /// other one.
  ///
  /// A POST is cached only by a rule that its request names.
  public static let inherited = CacheRule(.inherited)

  /// Responses are neither stored nor taken from the cache, whatever the default rule of the cache is.
  public static let off = CacheRule(.off)

  /// Returns a rule by which responses stay fresh for `lifetime`; 180 s by default.
  ///
  /// A lifetime that the response states can only shorten it. Choose this for APIs whose servers say little
  /// or nothing about caching, which is common.
  public static func timed(_ lifetime: Duration = .seconds(180)) -> CacheRule {
    CacheRule(.timed(lifetime))
  }

  /// Returns a rule by which responses stay fresh as long as their header fields state, as in a private HTTP
  /// cache (RFC 9111).
  ///
  /// Choose this only for servers that set `max-age` or `Expires` carefully: a response with neither is
  /// requested or revalidated each time. Under this rule every final status with a stated lifetime is
  /// stored, a `Range` is served from a stored response, and `stale-while-revalidate` is honored (RFC 5861).
  ///
  /// - Parameter limit: The maximum lifetime; 2^31 s by default, the greatest one of RFC 9111, section 1.2.2.
  public static func stated(limit: Duration = .seconds(1 << 31)) -> CacheRule {
    CacheRule(.stated(limit: limit))
  }

  /// Returns the rule with another mode.
  public func with(_ mode: Mode) -> CacheRule {
    var rule = self
    rule.mode = mode
    return rule
  }

  /// Returns the rule by which a response may be used for another `window` after its lifetime if the server
  /// fails: if there is no response, or one with the status 500, 502, 503 or 504 (RFC 5861, section 4).
  ///
  /// Use it for what is better shown old than not at all; `Exchange.cache` then says how old it is. A
  /// response can allow it by itself with `stale-if-error`, and forbid it with `must-revalidate` or
  /// `no-cache`. A `MemoryStore` keeps responses that long only within `Limits.staleFor`, 24 h by default.
  public func staleIfError(for window: Duration) -> CacheRule {
    var rule = self
    rule.staleIfErrorWindow = max(.zero, window)
    return rule
  }

  /// Returns the rule for sensitive responses, which are stored in memory only, also by a cache with a disk.
  public func inMemoryOnly() -> CacheRule {
    var rule = self
    rule.isInMemoryOnly = true
    return rule
  }
}

extension CacheRule {
  /// The maximum time for which a response is fresh; nil if the rule is `off` or `inherited`.
  package var limit: Duration? {
    switch lifetime {
    case .inherited, .off: nil
    case .timed(let limit), .stated(let limit): limit
    }
  }

  /// Whether a response is fresh only as long as its header fields state.
  package var isStated: Bool { if case .stated = lifetime { true } else { false } }

  /// Whether the rule is that of the cache.
  package var isInherited: Bool { lifetime == .inherited }

  /// Returns the rule that applies in a cache with a default rule.
  ///
  /// The call's mode takes precedence over that of the default rule, unless it is `useFresh`.
  package func resolved(by defaultRule: CacheRule) -> CacheRule {
    guard isInherited else { return self }
    var rule = defaultRule
    if mode != .useFresh { rule.mode = mode }
    if isInMemoryOnly { rule.isInMemoryOnly = true }
    if staleIfErrorWindow > .zero { rule.staleIfErrorWindow = staleIfErrorWindow }
    return rule
  }
}
