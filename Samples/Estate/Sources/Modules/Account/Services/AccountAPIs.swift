import APIManagers
import EstateContract
import HTTPTypes
import Interception

/// Opens a session.
struct LoginAPI: API {
  struct Params: Encodable, Sendable {
    let user: String
    let password: String
  }

  struct Output: Decodable, Sendable {
    let token: String
    let expiresIn: Int
    let refreshToken: String
  }

  static let endpoint = Endpoint<Params>(.estate, "session.begin", method: .post, path: "/session")
}

/// A member's favourite homes.
struct FavouritesAPI: MembersAPI {
  struct Output: Decodable, Sendable {
    let favourites: [Favourite]
  }

  static let endpoint = Endpoint<NoParams>(
    .estate, "favourites.list", path: "/favourites", acceptedStatuses: .membersAnswers)
}

/// Adds a home to the favourites.
struct AddFavouriteAPI: MembersAPI {
  struct Params: Encodable, Sendable {
    let home: Int
  }

  /// The number of favourites.
  struct Output: Decodable, Sendable {
    let favourites: Int
  }

  static let endpoint = Endpoint<Params>(
    .estate, "favourites.add", method: .post, path: "/favourites", acceptedStatuses: .membersAnswers)
}

/// Leaves a note to an agent.
struct NoteAPI: API {
  struct Params: Encodable, Sendable {
    let home: Int
    let text: String
  }

  struct Output: Decodable, Sendable {
    let bodyBytes: Int
    let contentCoding: String
  }

  static let endpoint = Endpoint<Params>(.estate, "notes.add", method: .post, path: "/notes").compressed

  func validate(_ params: Params) throws(ParamsError) {
    guard !params.text.isEmpty else {
      throw ParamsError(field: "text", "the note is empty; write something.")
    }
  }
}

/// Counts a visit of this device, which the server knows by its cookie.
struct VisitAPI: API {
  struct Output: Decodable, Sendable {
    let visits: Int
  }

  static let endpoint = Endpoint<NoParams>(.estate, "visits.add", method: .post, path: "/visits")
}

extension DataTag {
  /// The member's favourite homes.
  static let favourites: DataTag = "favourites"
}
