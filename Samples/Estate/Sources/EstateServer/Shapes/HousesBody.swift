/// The response of `/v1/houses`.
struct HousesBody: Encodable {
  struct House: Encodable {
    let id: Int
    let city: String
    let zip: String
    let bed_count: Int
    let bath_count: Double
    let square_feet: Int
    let price_usd: Int
    let lat: Double
    let lon: Double
  }

  let total: Int
  let page: Int
  let houses: [House]

  init(_ listing: ListingPage) {
    total = listing.total
    page = listing.number
    houses = listing.homes.map {
      House(
        id: $0.id, city: $0.city, zip: $0.zip, bed_count: $0.beds, bath_count: $0.baths,
        square_feet: $0.squareFeet, price_usd: $0.price, lat: $0.latitude, lon: $0.longitude)
    }
  }
}
