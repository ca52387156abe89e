struct SimilarHome: Decodable, Sendable, Hashable {
  let id: Int
  let city: String
  let zip: String
  let beds: Int
  let baths: Double
  let squareFeet: Int
  let price: Int

  private enum CodingKeys: String, CodingKey {
    case id, city, zip
    case beds = "bedCount"
    case baths = "bathCount"
    case squareFeet
    case price = "priceUsd"
  }
}
