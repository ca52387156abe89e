import APIManagers
import AccountRoutes
import EstateNetwork

/// The member's calls to the server.
struct Members {
  let host: HostApp
  let session: Session

  func logIn(_ credentials: Credentials) async throws(APIFailure) {
    let params = LoginAPI.Params(user: credentials.user, password: credentials.password)
    let answer: LoginAPI.Answer = try await load(LoginAPI(), params)
    session.begin(name: credentials.user, token: answer.token)
  }

  func favourites() async throws(APIFailure) -> [Favourite] {
    let answer: FavouritesAPI.Answer = try await load(FavouritesAPI(), NoParams())
    return answer.favourites.map { Favourite(home: $0.id, city: $0.city, price: $0.price) }
  }

  func mark(_ home: Int) async throws(APIFailure) -> Int {
    let answer: AddFavouriteAPI.Answer = try await load(AddFavouriteAPI(), AddFavouriteAPI.Params(home: home))
    return answer.favourites
  }

  func leave(note: String, about home: Int) async throws(APIFailure) -> NoteReceipt {
    let answer: NoteAPI.Answer = try await load(NoteAPI(), NoteAPI.Params(home: home, text: note))
    return NoteReceipt(bytes: answer.body_bytes, coding: answer.content_coding)
  }

  private func load<A: API, Answer: Decodable & Sendable>(
    _ api: A, _ params: A.Params
  ) async throws(APIFailure) -> Answer {
    let manager = await APIManager(api, in: host)
    let answer = try await manager.response(for: params)
    return try answer.reformed(by: JSONReformer(Answer.self), from: manager.identity)
  }
}
