import EstateContract

/// A home with all its details.
struct Home: Decodable, Sendable, Hashable {
  let id: Int
  let kind: String
  let city: String
  let zip: String
  let beds: Int
  let baths: Double
  let sqft: Int
  let price: Int
  let lat: Double
  let lon: Double
  /// The number of notes that were left about it; `nil` without any.
  let notes: Int?
}

/// A home, and whether what is known of it comes from the cache.
struct LoadedHome: Sendable, Hashable {
  let home: Home
  /// The stored copy; `nil` if the home is the server's.
  let copy: StoredCopy?
}
