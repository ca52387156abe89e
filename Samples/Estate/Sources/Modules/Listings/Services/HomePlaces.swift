import ListingsRoutes

/// The response of the API of places, in which each property of the homes is a list of its own.
struct HomePlaces: Decodable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case cities, kinds, id, city, kind, beds, price, lat, lon
  }

  let places: [HomePlace]

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func numbers(_ key: CodingKeys) throws -> [Int] { try values.decode([Int].self, forKey: key) }
    let cities = try values.decode([String].self, forKey: .cities)
    let kinds = try values.decode([String].self, forKey: .kinds).map(HomeKind.init(ofPlace:))
    let (ids, cityIndexes, kindIndexes) = (try numbers(.id), try numbers(.city), try numbers(.kind))
    let (beds, prices) = (try numbers(.beds), try numbers(.price))
    let latitudes = try values.decode([Double].self, forKey: .lat)
    let longitudes = try values.decode([Double].self, forKey: .lon)
    let counts = [cityIndexes, kindIndexes, beds, prices].map(\.count) + [latitudes.count, longitudes.count]
    guard counts.allSatisfy({ $0 == ids.count }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: values, debugDescription: "The lists of the places differ in length.")
    }
    places = try ids.indices.map { index in
      guard cities.indices.contains(cityIndexes[index]), kinds.indices.contains(kindIndexes[index]) else {
        throw DecodingError.dataCorruptedError(
          forKey: .city, in: values, debugDescription: "Place \(index) names no city or no kind of the lists."
        )
      }
      return HomePlace(
        id: ids[index], city: cities[cityIndexes[index]], kind: kinds[kindIndexes[index]], beds: beds[index],
        price: prices[index], place: Coordinates(latitudes[index], longitudes[index]))
    }
  }
}

extension HomeKind {
  /// The kind of the server's word; `nil` for one that this app does not know.
  fileprivate init?(ofPlace word: String) { self.init(rawValue: word == "multi_family" ? "multi" : word) }
}
