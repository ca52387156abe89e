import ListingsRoutes

/// The response of the API of houses.
struct HousePage: Decodable {
  struct House: Decodable {
    let id: Int
    let city: String
    let zip: String
    let bed_count: Int
    let bath_count: Double
    let square_feet: Int
    let price_usd: Int
    let lat: Double?
    let lon: Double?

    var item: HomeItem {
      HomeItem(
        id: id, city: city, zip: zip, beds: bed_count, baths: bath_count, squareFeet: square_feet,
        price: price_usd, kind: .house, place: Coordinates(lat, lon))
    }
  }

  let total: Int
  let houses: [House]
}
