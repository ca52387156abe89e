import Interception

/// How a response that can't be taken from the store is obtained from the server.
struct Fetch: Sendable {
  /// The stored response, which the server confirms or replaces.
  let stored: StoredResponse?
  /// Whether the request has the conditions of the stored response.
  let isConditional: Bool
  /// The stored response to use if the server fails.
  let fallback: StaleIfError?
  /// The rule that applies to the request.
  let rule: CacheRule
  /// Why the request is forwarded.
  let reason: Exchange.CacheStatus.ForwardReason
  /// When the request was forwarded.
  let requested: CacheInstant
  /// The mark of the removals before the lookup.
  let mark: UInt64

  init(
    _ stored: StoredResponse?, isConditional: Bool, fallback: StaleIfError?, rule: CacheRule,
    reason: Exchange.CacheStatus.ForwardReason, requested: CacheInstant, mark: UInt64
  ) {
    self.stored = stored
    self.isConditional = isConditional
    self.fallback = fallback
    self.rule = rule
    self.reason = reason
    self.requested = requested
    self.mark = mark
  }
}
