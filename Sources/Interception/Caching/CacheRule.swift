/// How an API's responses may be cached.
public struct CacheRule: Sendable, Hashable {
  /// How a call uses stored responses.
  public enum Mode: Sendable, Hashable {
    /// Uses a fresh stored response, and otherwise sends the request to the server.
    case useFresh
    /// Always sends the request to the server, and stores the response.
    case reload
    /// Uses a stored response, fresh or stale, and never sends the request to the server.
    case onlyStored
  }

  /// How long a response stays fresh; nil if responses are never stored.
  public let lifetime: Duration?
  /// How this call uses stored responses.
  public var mode: Mode

  private init(lifetime: Duration?, mode: Mode) {
    self.lifetime = lifetime
    self.mode = mode
  }

  /// Responses are neither stored nor taken from the cache; the default.
  public static let off = CacheRule(lifetime: nil, mode: .useFresh)

  /// Returns a rule by which responses stay fresh for `lifetime`; 180 s by default.
  public static func timed(_ lifetime: Duration = .seconds(180)) -> CacheRule {
    CacheRule(lifetime: lifetime, mode: .useFresh)
  }

  /// Returns the rule with another mode.
  public func with(_ mode: Mode) -> CacheRule { CacheRule(lifetime: lifetime, mode: mode) }
}
