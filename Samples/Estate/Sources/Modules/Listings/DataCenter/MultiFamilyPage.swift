/// The response of the API of multi-family houses.
struct MultiFamilyPage: Decodable {
  struct Row: Decodable {
    let ref: Int
    let place: String
    let zipcode: String
    let br: Int
    let ba: Double
    let size: Int
    let cost: Int

    var item: HomeItem {
      HomeItem(id: ref, city: place, zip: zipcode, beds: br, baths: ba, squareFeet: size, price: cost)
    }
  }

  struct Result: Decodable {
    let rows: [Row]
    let records: Int
  }

  let result: Result
}
