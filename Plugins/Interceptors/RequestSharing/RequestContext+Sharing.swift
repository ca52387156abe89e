public import Interception

extension RequestContext {
  private enum SharingKey: ContextKey { static let defaultValue = true }

  /// Whether the request may join an identical one in flight, and others may join it; true by default.
  ///
  /// Set it to false for a request that must reach the server by itself, such as one that polls. A cache,
  /// which also fetches equal misses once, doesn't obey it: give such a request the mode `reload`.
  public var allowsSharing: Bool {
    get { self[SharingKey.self] }
    set { self[SharingKey.self] = newValue }
  }
}
