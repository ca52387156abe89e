import Interception

@testable import ResourceLoading

extension ResourceKey {
  private static let contexts = ContextNumbers()

  /// Creates the key of a request to a loader with the usual limits.
  init(_ request: Request) throws(NetworkError) {
    try self.init(request, within: ResourceLimits(), among: Self.contexts)
  }
}

extension DecodedTier {
  /// Keeps a value whose transfer is as old as that of all others.
  mutating func insert(
    _ value: Value, cost: Int, of variant: ResourceVariant, isUnseen: Bool, at now: Duration
  ) {
    let span = TransferSpan(start: 1, end: 2, asksServer: false)
    insert(value, cost: cost, of: variant, transferred: span, isUnseen: isUnseen, at: now)
  }
}
