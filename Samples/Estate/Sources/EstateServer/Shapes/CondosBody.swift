/// The response of `/v1/condos`: the same facts as for houses, with other names.
struct CondosBody: Encodable {
  struct Condo: Encodable {
    struct Location: Encodable {
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
    let location: Location
  }

  let count: Int
  let page: Int
  let items: [Condo]

  init(_ listing: ListingPage) {
    count = listing.total
    page = listing.number
    items = listing.homes.map {
      Condo(
        condo_id: $0.id, town: $0.city, postcode: $0.zip, bedrooms: $0.beds, bathrooms: $0.baths,
        area_sqft: $0.squareFeet, asking_price: $0.price,
        location: .init(lat: $0.latitude, lng: $0.longitude))
    }
  }
}
