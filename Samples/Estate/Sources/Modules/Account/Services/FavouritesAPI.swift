import APIManagers
import EstateContract

/// A member's favourite homes.
struct FavouritesAPI: MembersAPI {
  struct Output: Decodable, Sendable {
    struct Home: Decodable, Sendable {
      let id: Int
      let city: String
      let price: Int
    }

    let favourites: [Home]
  }

  static let endpoint = Endpoint<NoParams>(
    .estate, "favourites.list", path: "/favourites", acceptedStatuses: .membersAnswers)
}
