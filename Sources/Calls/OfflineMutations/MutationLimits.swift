#if SQLite

/// The maximum that a ``MutationQueue`` stores and sends.
///
/// Beyond it, requests are refused; nothing is removed.
public struct MutationLimits: Sendable, Hashable {
  /// The maximum number of mutations, with those set aside; 10,000 by default.
  package var count: Int
  /// The maximum number of bytes of a body; 1 MiB by default.
  package var bodyBytes: Int
  /// The maximum number of mutations that are sent to an origin at the same time, each of another resource; 4
  /// by default.
  package var inFlight: Int

  /// Creates limits.
  public init(count: Int = 10_000, bodyBytes: Int = 1 << 20, inFlight: Int = 4) {
    self.count = max(count, 1)
    self.bodyBytes = max(bodyBytes, 0)
    self.inFlight = max(inFlight, 1)
  }
}
#endif
