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
