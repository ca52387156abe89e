import APIManagers
import EstateContract
import Interception

/// Houses in a city within a range of prices.
struct SimilarHomesAPI: API {
  struct Params: Encodable, Sendable, Hashable {
    let city: String
    let minimumPrice: Int
    let maximumPrice: Int
    let size: Int

    private enum CodingKeys: String, CodingKey {
      case city
      case minimumPrice = "min_price"
      case maximumPrice = "max_price"
      case size
    }
  }

  struct Output: Decodable, Sendable {
    let houses: [SimilarHome]
  }

  static let endpoint = Endpoint<Params>(.estate, "homes.similar", path: "/houses", cacheRule: .browsing)
}
