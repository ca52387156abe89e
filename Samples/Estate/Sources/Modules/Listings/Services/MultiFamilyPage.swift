import ListingsRoutes

/// The response of the API of multi-family houses, whose list is one level deeper.
struct MultiFamilyPage: Decodable {
  struct Rows: Decodable {
    let records: Int
    let rows: [House]
  }

  struct House: Decodable {
    let ref: Int
    let place: String
    let zipcode: String
    let br: Int
    let ba: Double
    let size: Int
    let cost: Int
    /// Latitude, then longitude.
    let coordinates: [Double]

    var item: HomeItem {
      HomeItem(
        id: ref, city: place, zip: zipcode, beds: br, baths: ba, squareFeet: size, price: cost, kind: .multi,
        place: coordinates.count == 2 ? Coordinates(coordinates[0], coordinates[1]) : nil)
    }
  }

  let result: Rows
}
