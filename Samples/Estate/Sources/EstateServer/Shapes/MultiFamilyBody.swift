/// The response of `/v1/multi-family`: a third set of names, one level deeper.
struct MultiFamilyBody: Encodable {
  struct Rows: Encodable {
    let rows: [Row]
    let page: Int
    let pages: Int
    let records: Int
  }

  struct Row: Encodable {
    let ref: Int
    let place: String
    let zipcode: String
    let br: Int
    let ba: Double
    let size: Int
    let cost: Int
    /// Latitude, then longitude.
    let coordinates: [Double]
  }

  let result: Rows

  init(_ listing: ListingPage) {
    let rows = listing.homes.map {
      Row(
        ref: $0.id, place: $0.city, zipcode: $0.zip, br: $0.beds, ba: $0.baths, size: $0.squareFeet,
        cost: $0.price, coordinates: [$0.latitude, $0.longitude])
    }
    result = Rows(rows: rows, page: listing.number, pages: listing.pages, records: listing.total)
  }
}
