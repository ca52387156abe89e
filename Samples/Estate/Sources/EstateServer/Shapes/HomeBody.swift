/// The response of `/v1/homes/{id}`: one home of any kind.
struct HomeBody: Encodable {
  let id: Int
  let kind: String
  let city: String
  let zip: String
  let beds: Int
  let baths: Double
  let sqft: Int
  let price: Int
  let lat: Double
  let lon: Double
  /// The number of notes about it; without any there is no such field.
  let notes: Int?

  init(_ home: Home, noteCount: Int = 0) {
    id = home.id
    kind = home.kind.rawValue
    city = home.city
    zip = home.zip
    beds = home.beds
    baths = home.baths
    sqft = home.squareFeet
    price = home.price
    lat = home.latitude
    lon = home.longitude
    notes = noteCount == 0 ? nil : noteCount
  }
}
