/// A favourite home of a member.
struct Favourite: Decodable, Sendable, Hashable {
  /// The home's number.
  let id: Int
  let city: String
  let price: Int
}
