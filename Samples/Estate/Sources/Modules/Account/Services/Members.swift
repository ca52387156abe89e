import APIManagers
import AccountRoutes
import EstateContract

/// The calls of members and guests to the server.
struct Members {
  let client: APIClient
  let session: any MemberSession
  let changes: (any KeptChanges)?
  let didLogIn: @Sendable () -> Void

  func logIn(_ credentials: MemberCredentials) async throws {
    let params = LoginAPI.Params(user: credentials.user, password: credentials.password)
    let login = try await client.load(LoginAPI(), params)
    try session.begin(
      name: credentials.user, token: login.token, lifetime: login.expiresIn, refreshToken: login.refreshToken)
    didLogIn()
    // What the member changed before is delivered now.
    await changes?.update()
  }

  func favourites() async throws(APIError) -> [Favourite] {
    try await load(FavouritesAPI(), NoParams()).favourites
  }

  func mark(_ home: Int) async throws(APIError) -> Int {
    try await load(AddFavouriteAPI(), AddFavouriteAPI.Params(home: home)).favourites
  }

  func leave(note: String, about home: Int) async throws(APIError) -> NoteReceipt {
    let note = try await client.load(NoteAPI(), NoteAPI.Params(home: home, text: note))
    return NoteReceipt(bytes: note.bodyBytes, coding: note.contentCoding)
  }

  /// Counts a visit, also of a guest.
  func visit() async throws(APIError) -> Int { try await client.load(VisitAPI()).visits }

  /// Loads with a manager, because the hook that asks for the login is called for managers only.
  private func load<A: MembersAPI>(_ api: A, _ params: A.Params) async throws(APIError) -> A.Output {
    try await APIManager(api, client: client).load(.output, for: params)
  }
}
