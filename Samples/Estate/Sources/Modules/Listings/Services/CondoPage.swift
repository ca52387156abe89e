import ListingsRoutes

/// The response of the API of condos.
struct CondoPage: Decodable {
  struct Condo: Decodable {
    struct Location: Decodable {
      let lat: Double
      let lng: Double
    }

    let condo_id: Int
    let town: String
    let postcode: String
    let bedrooms: Int
    let bathrooms: Double
    let area_sqft: Int
    let asking_price: Int
    let location: Location?

    var item: HomeItem {
      HomeItem(
        id: condo_id, city: town, zip: postcode, beds: bedrooms, baths: bathrooms, squareFeet: area_sqft,
        price: asking_price, kind: .condo, place: Coordinates(location?.lat, location?.lng))
    }
  }

  let count: Int
  let items: [Condo]
}
