import Foundation
import HTTPServing
import HTTPTypes

/// The endpoints of a user: login and favourites, and notes, which need no login.
struct AccountRoutes {
  private struct Credentials: Decodable {
    let user: String
    let password: String
  }
  private struct HomeReference: Decodable {
    let home: Int
  }
  private struct NoteText: Decodable {
    let home: Int
    let text: String
  }

  static let longestNote = 64 * 1024

  let listings: Listings
  let sessions: SessionRegistry
  let favourites = Favourites()
  let keyedAnswers = KeyedAnswers()
  let notes: NoteBook
  let record: @Sendable (String) throws -> Void
  let now: @Sendable () -> Date

  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.post, "/v1/session") { request in try logIn(request) }
    router.on(.get, "/v1/favourites") { request in
      let homes = favourites.homes(of: try user(of: request)).compactMap(listings.home)
      return try Answer.json(["favourites": homes.map { $0.body() }])
    }
    router.on(.post, "/v1/favourites") { request in
      let user = try user(of: request)
      return try keyedAnswers.answer(to: request, of: user) { try addFavourite(of: user, in: request) }
    }
    router.on(.delete, "/v1/favourites/{id}") { request, id in
      let user = try user(of: request)
      let home = try listings.existing(id)
      guard favourites.remove(home.id, for: user) else {
        throw APIError(.notFound, "not_favourite", "Home \(home.id) is not among the favourites.")
      }
      return Answer(status: .noContent)
    }
    router.on(.post, "/v1/notes") { request in try takeNote(request) }
    router.on(.get, "/v1/notes") { request in
      let id = try QueryParameters(rawQuery: request.query.map(String.init)).value("home")
      guard let id else { throw APIError.badParameter("home, the id of the home, is missing.") }
      let home = try listings.existing(id)
      return try Answer.json(["notes": notes.notes(about: home.id)])
    }
  }

  private func addFavourite(of user: String, in request: ReceivedRequest) throws -> Answer {
    let id = try request.json(as: HomeReference.self).home
    let home = try listings.existing(String(id))
    try record("favourite \(home.id)")
    let isNew = favourites.add(home.id, for: user)
    return try Answer.json(
      ["home": home.id, "favourites": favourites.homes(of: user).count], status: isNew ? .created : .ok)
  }

  private func logIn(_ request: ReceivedRequest) throws -> Answer {
    let credentials = try request.json(as: Credentials.self)
    guard DemoAccount.accepts(user: credentials.user, password: credentials.password) else {
      throw APIError(
        .unauthorized, "bad_credentials", "The user name or the password is wrong.",
        fields: [.wwwAuthenticate: "Bearer realm=\"estate\""])
    }
    let tokens = sessions.open(user: credentials.user, at: now())
    let body: JSON = [
      "token": .string(tokens.access), "expires_in": JSON(Int(sessions.lifetime)),
      "refresh_token": .string(tokens.refresh),
    ]
    return try Answer.json(body)
  }

  private func takeNote(_ request: ReceivedRequest) throws -> Answer {
    let note = try request.json(as: NoteText.self)
    let home = try listings.existing(String(note.home))
    guard (1...Self.longestNote).contains(note.text.utf8.count) else {
      throw APIError.badBody("'text' in the body must have 1 to \(Self.longestNote) bytes.")
    }
    let taken = notes.add(home: home.id, text: note.text)
    let coding = request.head.headerFields[.contentEncoding]?.lowercased() ?? "identity"
    let body: JSON = [
      "id": JSON(taken.id), "home": JSON(home.id), "body_bytes": JSON(request.body.count),
      "content_coding": .string(coding),
    ]
    return try Answer.json(body, status: .created)
  }

  /// Returns the user of the request's token; throws 401 `need_login` or `token_expired`.
  private func user(of request: ReceivedRequest) throws(APIError) -> String {
    let words = (request.head.headerFields[.authorization] ?? "").split(separator: " ")
    let isBearer = words.count == 2 && words[0].lowercased() == "bearer"
    switch isBearer ? sessions.standing(of: String(words[1]), at: now()) : .unknown {
    case .active(let user): return user
    case .expired:
      throw APIError(
        .unauthorized, "token_expired", "The session ended; log in again.",
        fields: [.wwwAuthenticate: "Bearer realm=\"estate\", error=\"invalid_token\""])
    case .unknown:
      throw APIError(
        .unauthorized, "need_login", "Log in first: POST /v1/session, then send its token as Bearer.",
        fields: [.wwwAuthenticate: "Bearer realm=\"estate\""])
    }
  }
}
