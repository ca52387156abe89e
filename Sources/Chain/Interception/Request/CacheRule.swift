package import HTTPTypes

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
    case stated(limit: Duration, heuristicLimit: Duration?)
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
  /// - Parameters:
  ///   - limit: The maximum lifetime; 2^31 s by default, the greatest one of RFC 9111, section 1.2.2.
  ///   - heuristicLimit: The maximum lifetime of a response that states none (RFC 9111, section 4.2.2); nil,
  ///     the default, makes it stale at once.
  ///
  ///     It is fresh for a tenth of the time from its `Last-Modified` to its `Date`. This is a guess, as
  ///     browsers make it: the caller may get an old response although the server has never said that it may
  ///     be used. A hit by such a lifetime is marked in `Exchange.CacheStatus`, in logs and by the inspector.
  ///
  ///     Only for GET and HEAD, a URL without a query, and a status that is cacheable by default (RFC 9110,
  ///     section 15.1) or a response with `public`. A response with `no-cache`, `must-revalidate` or
  ///     `s-maxage` has no heuristic lifetime, as it has none with `max-age` or `Expires`.
  public static func stated(
    limit: Duration = .seconds(1 << 31), heuristicLimit: Duration? = nil
  ) -> CacheRule {
    CacheRule(.stated(limit: limit, heuristicLimit: heuristicLimit))
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
  /// `no-cache`. A `MemoryStore` keeps responses that long only within
  /// `MemoryStore.Limits(staleFor:)`, 24 h by default.
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
    case .timed(let limit), .stated(let limit, _): limit
    }
  }

  /// The maximum lifetime of a response that states none; zero if it is stale at once.
  package var heuristicLimit: Duration {
    if case .stated(let limit, let heuristic?) = lifetime {
      max(.zero, min(limit, heuristic))
    } else {
      .zero
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

extension CacheRule {
  /// How a call uses stored responses; the cache modes of the Fetch standard, by names that say what they do.
  ///
  /// In every mode a stale response with `must-revalidate` or `no-cache` is used only after the server has
  /// confirmed it.
  public enum Mode: Sendable, Hashable, CaseIterable {
    /// Uses a fresh stored response, and otherwise sends the request to the server; the default.
    case useFresh
    /// Sends the request to the server without looking for a stored response, and stores the response.
    case reload
    /// Asks the server whether the stored response is current, even if it is fresh, and stores the response.
    case revalidate
    /// Uses a stored response, fresh or stale, and sends the request to the server only if there is none.
    case preferStored
    /// Uses a stored response, fresh or stale, and never sends the request to the server.
    case onlyStored
    /// Sends the request to the server; no stored response is used, changed or added.
    case noStore

    /// Whether a stored response may be used although it is stale.
    package var acceptsStale: Bool { self == .preferStored || self == .onlyStored }
  }
}

extension CacheRule {
  /// What a cache knows about the response to a request without waiting.
  public enum StoredState: Sendable, Hashable {
    /// Not known without waiting, for example because the cache would have to read a disk.
    case unknown
    /// No response is stored that may be used without the server, or the cache is not used for the request.
    case absent
    /// A stale response is stored, which must be revalidated.
    case stale
    /// A response is stored that may be used without waiting for the server.
    case fresh
  }
}

extension CacheRule {
  /// An API's response validator, which a cache calls before it stores a response.
  ///
  /// A response that its API rejects is an error to the caller. If it were stored, it would remain one until
  /// it expired.
  package struct StorageCheck: Sendable {
    private let read: @Sendable (HTTPResponse, [UInt8]) -> Response.Reading?
    /// Whether it is an API's check, and not only a condition of an interceptor.
    package private(set) var isOfAPI = true

    /// Creates a check from a closure that receives a response's head and its whole decoded body.
    package init(_ isGood: @escaping @Sendable (HTTPResponse, [UInt8]) -> Bool) {
      self.init(reading: { head, bytes in isGood(head, bytes) ? Response.Reading() : nil })
    }

    /// Creates a check from a closure that returns what a response is read as, or nil if it is refused.
    package init(reading read: @escaping @Sendable (HTTPResponse, [UInt8]) -> Response.Reading?) {
      self.read = read
    }

    /// Returns whether a response may be stored.
    package func permits(_ head: HTTPResponse, bytes: [UInt8]) -> Bool { read(head, bytes) != nil }

    /// Returns whether a response in memory may be stored, and notes on it what it was read as.
    package func permits(_ response: inout Response) -> Bool {
      guard case .bytes(let bytes) = response.body else { return true }
      guard let reading = read(response.head, bytes) else { return false }
      response.reading = reading
      return true
    }

    /// Returns a check that permits what another one does, if an interceptor's condition is met then, too.
    package static func requiring(
      _ condition: @escaping @Sendable () -> Bool, and other: StorageCheck?
    ) -> StorageCheck {
      var check = StorageCheck(reading: { head, bytes in
        guard condition() else { return nil }
        return if let other { other.read(head, bytes) } else { Response.Reading() }
      })
      check.isOfAPI = other?.isOfAPI ?? false
      return check
    }
  }
}

extension CacheRule {
  /// The name of data that several APIs return or change, such as `houses` or `house 7`.
  ///
  /// Stored responses are removed by it, whichever API they belong to.
  public struct Tag: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    package let name: String

    /// Creates a tag from a name.
    public init(_ name: String) { self.name = name }

    /// Creates a tag from a literal.
    public init(stringLiteral name: String) { self.name = name }

    /// The name.
    public var description: String { name }
  }
}
