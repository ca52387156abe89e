import APIManagers
import AccountRoutes
import EstateNetwork

/// The calls of members and guests to the server.
struct Members {
  let client: APIClient
  let session: Session

  func logIn(_ credentials: Credentials) async throws {
    let params = LoginAPI.Params(user: credentials.user, password: credentials.password)
    let answer: LoginAPI.Answer = try await load(LoginAPI(), params)
    try session.begin(
      name: credentials.user, token: answer.token, lifetime: answer.expiresIn,
      refreshToken: answer.refreshToken)
  }

  func favourites() async throws(APIError) -> [Favourite] {
    let answer: FavouritesAPI.Answer = try await load(FavouritesAPI(), NoParams())
    return answer.favourites.map { Favourite(home: $0.id, city: $0.city, price: $0.price) }
  }

  func mark(_ home: Int) async throws(APIError) -> Int {
    let answer: AddFavouriteAPI.Answer = try await load(AddFavouriteAPI(), AddFavouriteAPI.Params(home: home))
    return answer.favourites
  }

  func leave(note: String, about home: Int) async throws(APIError) -> NoteReceipt {
    let answer: NoteAPI.Answer = try await load(NoteAPI(), NoteAPI.Params(home: home, text: note))
    return NoteReceipt(bytes: answer.bodyBytes, coding: answer.contentCoding)
  }

  /// Counts a visit, also of a guest.
  func visit() async throws(APIError) -> Int {
    let answer: VisitAPI.Answer = try await load(VisitAPI(), NoParams())
    return answer.visits
  }

  private func load<A: API, Answer: Decodable & Sendable>(
    _ api: A, _ params: A.Params
  ) async throws(APIError) -> Answer {
    let manager = await APIManager(api, client: client)
    let answer = try await manager.response(for: params)
    let reformer = JSONReformer(Answer.self, format: JSONCoding(keys: .snakeCase))
    return try answer.reformed(by: reformer, from: manager.identity)
  }
}
