import APIManagers
import EstateContract
import Interception

/// Finds houses that are like a home: in its city, and at about its price.
struct SimilarHomes {
  private static let count = 3
  /// The number of houses that are asked for, from which the nearest in price are taken.
  private static let candidates = 20
  /// The difference in price, as a part of the price.
  private static let range = 0.15

  let client: APIClient

  /// Returns the houses that are nearest in price; none if they can't be loaded, because a home is shown
  /// without them as well.
  func homes(like home: Home) async -> [SimilarHome] {
    let distance = Int((Double(home.price) * Self.range).rounded())
    let params = SimilarHomesAPI.Params(
      city: home.city, minimumPrice: max(0, home.price - distance), maximumPrice: home.price + distance,
      size: Self.candidates)
    guard let found = try? await client.load(SimilarHomesAPI(), params) else { return [] }
    return Self.nearest(found.houses, to: home)
  }

  static func nearest(_ houses: [SimilarHome], to home: Home) -> [SimilarHome] {
    let others = houses.filter { $0.id != home.id }
    let sorted = others.sorted { a, b in
      let (left, right) = ((a.price - home.price).magnitude, (b.price - home.price).magnitude)
      return left == right ? a.id < b.id : left < right
    }
    return Array(sorted.prefix(count))
  }
}

/// Houses in a city within a range of prices.
struct SimilarHomesAPI: API {
  struct Params: Encodable, Sendable, Hashable {
    let city: String
    let minimumPrice: Int
    let maximumPrice: Int
    let size: Int

    private enum CodingKeys: String, CodingKey {
      case city, size
      case minimumPrice = "min_price"
      case maximumPrice = "max_price"
    }
  }

  struct Output: Decodable, Sendable {
    let houses: [SimilarHome]
  }

  static let endpoint = Endpoint<Params>(.estate, "homes.similar", path: "/houses", cacheRule: .browsing)
}
