/// A home in a list.
struct HomeItem: Sendable, Hashable, Identifiable {
  let id: Int
  let city: String
  let zip: String
  let beds: Int
  let baths: Double
  let squareFeet: Int
  let price: Int
}
