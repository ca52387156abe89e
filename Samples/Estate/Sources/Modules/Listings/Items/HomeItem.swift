import ListingsRoutes

/// A home in a list.
struct HomeItem: Sendable, Hashable, Identifiable {
  let id: Int
  let city: String
  let zip: String
  let beds: Int
  let baths: Double
  let squareFeet: Int
  let price: Int
  var kind = HomeKind.house
  /// Where it is; `nil` if the server does not say.
  var place: Coordinates?
}

struct Coordinates: Sendable, Hashable {
  let latitude: Double
  let longitude: Double

  init(_ latitude: Double, _ longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Creates coordinates; `nil` if one of them is missing.
  init?(_ latitude: Double?, _ longitude: Double?) {
    guard let latitude, let longitude else { return nil }
    self.init(latitude, longitude)
  }
}
