/// A favourite home of a member.
struct Favourite: Sendable, Hashable {
  let home: Int
  let city: String
  let price: Int
}
