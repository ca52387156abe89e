/// A home that a member marked.
struct Favourite: Sendable, Hashable {
  let home: Int
  let city: String
  let price: Int
}
