/// The response of `/v1/places`: where all homes are, for a map.
///
/// Each property of the homes is a list of its own, and the names are listed once, so that 932 homes take 37
/// kB, and 13 kB as gzip.
struct PlacesBody: Encodable {
  let cities: [String]
  let kinds: [String]
  let id: [Int]
  /// The index of the home's city in ``cities``.
  let city: [Int]
  /// The index of the home's kind in ``kinds``.
  let kind: [Int]
  let beds: [Int]
  let price: [Int]
  let lat: [Double]
  let lon: [Double]

  init(_ homes: [Home]) {
    let cities = Array(Set(homes.map(\.city))).sorted()
    let kinds = HomeKind.allCases.map(\.rawValue)
    let cityIndexes = Dictionary(uniqueKeysWithValues: zip(cities, cities.indices))
    let kindIndexes = Dictionary(uniqueKeysWithValues: zip(kinds, kinds.indices))
    (self.cities, self.kinds) = (cities, kinds)
    id = homes.map(\.id)
    city = homes.map { cityIndexes[$0.city] ?? 0 }
    kind = homes.map { kindIndexes[$0.kind.rawValue] ?? 0 }
    beds = homes.map(\.beds)
    price = homes.map(\.price)
    lat = homes.map(\.latitude)
    lon = homes.map(\.longitude)
  }
}
