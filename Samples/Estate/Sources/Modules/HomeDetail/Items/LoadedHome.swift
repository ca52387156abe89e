import EstateContract

/// A home, and whether what is known of it comes from the cache.
struct LoadedHome: Sendable, Hashable {
  let home: Home
  /// The stored copy; `nil` if the home is the server's.
  let copy: StoredCopy?
}
