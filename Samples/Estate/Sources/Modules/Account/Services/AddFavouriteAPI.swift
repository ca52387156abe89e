import APIManagers
import EstateContract
import HTTPTypes

/// Adds a home to the favourites.
struct AddFavouriteAPI: MembersAPI {
  struct Params: Encodable, Sendable {
    let home: Int
  }

  struct Output: Decodable, Sendable {
    let favourites: Int
  }

  static let endpoint = Endpoint<Params>(
    .estate, "favourites.add", method: .post, path: "/favourites", acceptedStatuses: .membersAnswers)
}
