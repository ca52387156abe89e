import APIManagers
import ListingsRoutes

/// The response of the API of multi-family houses, read from the raw document by typed keys.
struct MultiFamilyPage {
  private enum Fields {
    static let records = JSONField<Int>("records")
    static let rows = JSONField<[JSONDocument]>("rows")
    static let ref = JSONField<Int>("ref")
    static let place = JSONField<String>("place")
    static let zip = JSONField<String>("zipcode")
    static let beds = JSONField<Int>("br")
    static let baths = JSONField<Double>("ba")
    static let size = JSONField<Int>("size")
    static let cost = JSONField<Int>("cost")
    static let coordinates = JSONField<[Double]>("coordinates")
  }

  let records: Int
  let items: [HomeItem]

  init(_ answer: APIResponse) throws {
    let result = try answer.jsonDocument()["result"]
    records = try result[Fields.records]
    items = try result[Fields.rows].map { row in
      let coordinates = try row[Fields.coordinates]
      return HomeItem(
        id: try row[Fields.ref], city: try row[Fields.place], zip: try row[Fields.zip],
        beds: try row[Fields.beds], baths: try row[Fields.baths], squareFeet: try row[Fields.size],
        price: try row[Fields.cost], kind: .multi,
        place: coordinates.count == 2 ? Coordinates(coordinates[0], coordinates[1]) : nil)
    }
  }
}
