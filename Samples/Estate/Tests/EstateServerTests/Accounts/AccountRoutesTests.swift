import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import EstateServer

@Suite struct AccountRoutesTests {
  /// A clock set by the test.
  final class Watch: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    func now() -> Date { time.withLock { $0 } }
    func advance(by interval: TimeInterval) { time.withLock { $0.addTimeInterval(interval) } }
  }

  private func logIn(_ caller: APICaller) async throws -> HTTPFields {
    [.authorization: "Bearer \(try #require(try await caller.logIn().json["token"].text))"]
  }

  private func favourites(_ reply: Reply) throws -> [JSON] {
    try reply.json["favourites"].elements.map { $0["id"] }
  }

  @Test("The demo account receives a token that caches don't store")
  func session() async throws {
    let reply = try await APICaller(sessionLifetime: 90).logIn()
    #expect(reply.status == .ok)
    #expect(reply.fields[.cacheControl] == "no-store" && reply.fields[.eTag] == nil)
    let session = try reply.json
    #expect(session["expires_in"] == 90)
    #expect(session["token"].text?.count == 64 && session["refresh_token"].text?.count == 64)
  }

  @Test(
    "A wrong password or user is 401 bad_credentials",
    arguments: [#"{"user":"demo","password":"x"}"#, #"{"user":"x","password":"\#(DemoAccount.password)"}"#])
  func wrong(json: String) async throws {
    let reply = try await APICaller().post("/v1/session", json: json)
    #expect(reply.status == .unauthorized && reply.errorCode == "bad_credentials")
  }

  @Test("Favourites are added once, listed with their details, and removed")
  func favourites() async throws {
    let caller = try APICaller()
    let token = try await logIn(caller)
    #expect(try await caller.post("/v1/favourites", json: #"{"home":5}"#, fields: token).status == .created)
    #expect(try await caller.post("/v1/favourites", json: #"{"home":3}"#, fields: token).status == .created)
    #expect(try await caller.post("/v1/favourites", json: #"{"home":5}"#, fields: token).status == .ok)
    let list = try await caller.get("/v1/favourites", fields: token)
    #expect(list.fields[.cacheControl] == "no-store" && list.fields[.eTag] == nil)
    #expect(try favourites(list) == [5, 3])
    #expect(try await caller.call(.delete, "/v1/favourites/5", fields: token).status == .noContent)
    let gone = try await caller.call(.delete, "/v1/favourites/5", fields: token)
    #expect(gone.status == .notFound && gone.errorCode == "not_favourite")
    #expect(try await favourites(caller.get("/v1/favourites", fields: token)) == [3])
  }

  @Test("An unknown home can't be a favourite")
  func unknownHome() async throws {
    let caller = try APICaller()
    let reply = try await caller.post("/v1/favourites", json: #"{"home":933}"#, fields: logIn(caller))
    #expect(reply.status == .notFound && reply.errorCode == "unknown_home")
  }

  @Test(
    "Without a valid token favourites are 401 need_login",
    arguments: [nil, "", "Bearer", "Bearer x", "Basic ZGVtbzpkZW1v", "Bearer a b"] as [String?])
  func needLogin(authorization: String?) async throws {
    var fields: HTTPFields = [:]
    fields[.authorization] = authorization
    let caller = try APICaller()
    for method in [HTTPRequest.Method.get, .post] {
      let reply = try await caller.call(method, "/v1/favourites", fields: fields)
      #expect(reply.status == .unauthorized && reply.errorCode == "need_login")
      #expect(reply.fields[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
    }
  }

  @Test("A token expires exactly at its time, and is then token_expired")
  func expiry() async throws {
    let watch = Watch()
    let caller = try APICaller(sessionLifetime: 60, now: { watch.now() })
    let token = try await logIn(caller)
    watch.advance(by: 59.999)
    #expect(try await caller.get("/v1/favourites", fields: token).status == .ok)
    watch.advance(by: 0.001)
    let reply = try await caller.get("/v1/favourites", fields: token)
    #expect(reply.status == .unauthorized && reply.errorCode == "token_expired")
    let renewed = try await logIn(caller)
    #expect(try await caller.get("/v1/favourites", fields: renewed).status == .ok)
  }

  @Test("Sessions and notes are bounded, and the oldest one is removed")
  func bounded() {
    let sessions = SessionRegistry(lifetime: 60)
    let start = Date(timeIntervalSince1970: 0)
    let first = sessions.open(user: "a", at: start)
    var last = first
    for second in 1...SessionRegistry.capacity {
      last = sessions.open(user: "a", at: start.addingTimeInterval(Double(second) / 1000))
    }
    #expect(sessions.standing(of: first.access, at: start) == .unknown)
    #expect(sessions.refresh(first.refresh, at: start) == nil)
    #expect(sessions.standing(of: last.access, at: start) == .active(user: "a"))

    let book = NoteBook()
    for _ in 0...NoteBook.capacity { _ = book.add(home: 1, text: "a") }
    #expect(book.notes(about: 1).map(\.id) == Array(2...NoteBook.capacity + 1))
  }
}
