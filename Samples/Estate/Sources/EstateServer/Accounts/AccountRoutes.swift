import Foundation
import HTTPTypes
import Hummingbird

/// The endpoints that know the caller: log in, favourites; and notes, which need no log-in.
struct AccountRoutes {
  private struct Credentials: Decodable {
    let user: String
    let password: String
  }
  private struct SessionBody: Encodable {
    let token: String
    let expires_in: Int
  }
  private struct HomeReference: Decodable {
    let home: Int
  }
  private struct FavouriteBody: Encodable {
    let home: Int
    let favourites: Int
  }
  private struct FavouritesBody: Encodable {
    let favourites: [HomeBody]
  }
  private struct NoteText: Decodable {
    let home: Int
    let text: String
  }
  private struct NoteBody: Encodable {
    let id: Int
    let home: Int
    let body_bytes: Int
    let content_coding: String
  }
  private struct NotesBody: Encodable {
    let notes: [NoteBook.Note]
  }

  static let longestNote = 64 * 1024

  let listings: Listings
  let sessions: SessionRegistry
  let favourites = Favourites()
  let notes = NoteBook()
  let now: @Sendable () -> Date

  func add(to router: Router<BasicRequestContext>) {
    router.post("v1/session") { request, _ in try await logIn(request) }
    router.get("v1/favourites") { request, _ in
      let user = try user(of: request)
      let homes = favourites.homes(of: user).compactMap(listings.home)
      return try Answer.json(FavouritesBody(favourites: homes.map(HomeBody.init))).response(to: request)
    }
    router.post("v1/favourites") { request, _ in
      let user = try user(of: request)
      let id = try await request.json(as: HomeReference.self).home
      let home = try listings.existing(String(id))
      let isNew = favourites.add(home.id, for: user)
      let body = FavouriteBody(home: home.id, favourites: favourites.homes(of: user).count)
      return try Answer.json(body, status: isNew ? .created : .ok).response(to: request)
    }
    router.delete("v1/favourites/{id}") { request, context in
      let user = try user(of: request)
      let home = try listings.existing(context.parameters.get("id") ?? "")
      guard favourites.remove(home.id, for: user) else {
        throw APIError(.notFound, "not_favourite", "Home \(home.id) is not among the favourites.")
      }
      return try Answer(status: .noContent).response(to: request)
    }
    router.post("v1/notes") { request, _ in try await takeNote(request) }
    router.get("v1/notes") { request, _ in
      let id = try QueryParameters(rawQuery: request.uri.query).value("home")
      guard let id else { throw APIError.badParameter("home, the id of the home, is missing.") }
      let home = try listings.existing(id)
      return try Answer.json(NotesBody(notes: notes.notes(about: home.id))).response(to: request)
    }
  }

  private func logIn(_ request: Request) async throws -> Response {
    let credentials = try await request.json(as: Credentials.self)
    guard DemoAccount.accepts(user: credentials.user, password: credentials.password) else {
      throw APIError(
        .unauthorized, "bad_credentials", "The user name or the password is wrong.",
        fields: [.wwwAuthenticate: "Bearer realm=\"estate\""])
    }
    let token = sessions.open(user: credentials.user, at: now())
    return try Answer.json(SessionBody(token: token, expires_in: Int(sessions.lifetime)))
      .response(to: request)
  }

  private func takeNote(_ request: Request) async throws -> Response {
    let note = try await request.json(as: NoteText.self)
    let home = try listings.existing(String(note.home))
    guard (1...Self.longestNote).contains(note.text.utf8.count) else {
      throw APIError.badBody("'text' in the body must have 1 to \(Self.longestNote) bytes.")
    }
    let taken = notes.add(home: home.id, text: note.text)
    let bytes = try await request.body.collect(upTo: BodyLimits.decoded).readableBytes
    let body = NoteBody(
      id: taken.id, home: home.id, body_bytes: bytes,
      content_coding: request.headers[.contentEncoding]?.lowercased() ?? "identity")
    return try Answer.json(body, status: .created).response(to: request)
  }

  /// Who sends this request; throws 401 `need_login` or `token_expired`.
  private func user(of request: Request) throws(APIError) -> String {
    let words = (request.headers[.authorization] ?? "").split(separator: " ")
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
