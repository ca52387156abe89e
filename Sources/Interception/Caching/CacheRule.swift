/// How the answers of an API may be cached.
public struct CacheRule: Sendable, Hashable {
  /// What a call does with what is stored.
  public enum Mode: Sendable, Hashable {
    /// Answers from what is fresh, and asks the server otherwise.
    case useFresh
    /// Asks the server in any case, and stores its answer.
    case reload
    /// Answers from what is stored, fresh or not, and never asks the server.
    case onlyStored
  }

  /// How long an answer is fresh; nil means that it is never stored.
  public let lifetime: Duration?
  /// What this call does with what is stored.
  public var mode: Mode

  private init(lifetime: Duration?, mode: Mode) {
    self.lifetime = lifetime
    self.mode = mode
  }

  /// Nothing is stored and nothing is answered from the store; the default.
  public static let off = CacheRule(lifetime: nil, mode: .useFresh)

  /// Answers are fresh for a time; 180 s by default.
  public static func timed(_ lifetime: Duration = .seconds(180)) -> CacheRule {
    CacheRule(lifetime: lifetime, mode: .useFresh)
  }

  /// Returns the rule with another mode.
  public func with(_ mode: Mode) -> CacheRule { CacheRule(lifetime: lifetime, mode: mode) }
}
