package import Interception
import Synchronization

/// Time limits and cache rules that replace those of endpoints while the app runs.
///
/// Deployment documents set them. A load that has started continues with those it began with.
package final class EndpointOverrides: Sendable {
  private let overrides = Mutex<[APIIdentity: EndpointOverride]>([:])

  /// Creates overrides that replace nothing.
  package init() {}

  /// Replaces all overrides in one step.
  package func apply(_ overrides: [APIIdentity: EndpointOverride]) {
    self.overrides.withLock { $0 = overrides }
  }

  /// Returns what replaces the values of an API's endpoint; nil if nothing does.
  package func override(of api: APIIdentity) -> EndpointOverride? {
    overrides.withLock { $0.isEmpty ? nil : $0[api] }
  }
}

/// The time limits and the cache rule that replace those of an endpoint.
package struct EndpointOverride: Sendable, Hashable {
  /// The limits of phases; those that are missing stay as the endpoint has them.
  package var timeouts: [NetworkError.Phase: Duration] = [:]
  /// The cache rule; nil for the endpoint's.
  package var cacheRule: CacheRule?

  /// Creates an override that replaces nothing.
  package init() {}

  /// Returns an endpoint's cache rule as the override changes it: the endpoint's mode stays, and what it
  /// stores in memory only stays there.
  func rule(for rule: CacheRule) -> CacheRule {
    guard let cacheRule else { return rule }
    let changed = cacheRule.with(rule.mode)
    return rule.isInMemoryOnly ? changed.inMemoryOnly() : changed
  }
}

extension RequestOptions.Timeouts {
  /// Replaces the limits of some phases.
  mutating func replace(with limits: [NetworkError.Phase: Duration]) {
    for (phase, limit) in limits {
      switch phase {
      case .queue: queue = limit
      case .connect: connect = limit
      case .firstByte: firstByte = limit
      case .idle: idle = limit
      case .whole: whole = limit
      case .call: call = limit
      }
    }
  }
}

extension API {
  /// Whether a cache rule may be set for the API from outside: its requests only read, and its endpoint does
  /// not forbid that its responses are stored.
  package static var permitsCacheRules: Bool {
    let rule = endpoint.details.values.cacheRule
    return endpoint.details.isRead && (rule.isInherited || rule.limit != nil)
  }
}
