import Foundation
import HTTPTypes
import Interception
import RequestSigning
import Synchronization
import Testing

@testable import EstateServer

@Suite(.timeLimit(.minutes(5))) struct SharedKeyVerifierTests {
  static let start: Int64 = 1_800_000_000
  static let secret = String(repeating: "0a", count: 32)

  /// A wall clock set by the test.
  final class Wall: Sendable {
    private let seconds = Mutex(start)
    var time: TimeSource {
      TimeSource(ContinuousClock()) { WallTime(secondsSince1970: self.seconds.withLock { $0 }) }
    }
    func set(_ value: Int64) { seconds.withLock { $0 = value } }
  }

  private let wall = Wall()

  private func caller(secret: String = secret) throws -> APICaller {
    let key = try DemoKey(id: "demo", secretHex: secret)
    return try APICaller(verifier: SharedKeyVerifier(key: key, time: wall.time))
  }

  /// The fields that sign a request as the app does.
  private func signature(
    of target: String, method: HTTPRequest.Method = .get, authority: String = "localhost:8443",
    body: [UInt8] = [], keyID: String = "demo", at seconds: Int64 = start
  ) throws -> HTTPFields {
    let bytes = try #require(Hexadecimal.bytes(Self.secret))
    let signer = RequestSigner(key: try SigningKey(id: keyID, secret: bytes))
    let head = HTTPRequest(method: method, scheme: "https", authority: authority, path: target)
    return HTTPFields(
      try signer.sign(
        head, api: APIIdentity(service: "estate", name: "houses"), body: body,
        at: WallTime(secondsSince1970: seconds), nonce: .random()))
  }

  @Test("A request signed with the key is accepted, with its query and its body")
  func accepted() async throws {
    let target = "/v1/houses?city=elk+grove&size=5"
    let get = try await caller().call(.get, target, fields: signature(of: target))
    #expect(get.status == .ok)
    let note = BodyDecodingTests.note
    let post = try await caller().call(
      .post, "/v1/notes", fields: signature(of: "/v1/notes", method: .post, body: note), body: note)
    #expect(post.status == .created)
  }

  @Test("The signature covers the decoded body")
  func coded() async throws {
    let note = BodyDecodingTests.note
    var fields = try signature(of: "/v1/notes", method: .post, body: note)
    fields[.contentEncoding] = "gzip"
    let reply = try await caller().call(.post, "/v1/notes", fields: fields, body: GzipCoding.encode(note))
    #expect(reply.status == .created)
  }

  @Test("An unsigned request is 401 missing_signature")
  func unsigned() async throws {
    let reply = try await caller().get("/v1/houses")
    #expect(reply.status == .unauthorized && reply.errorCode == "missing_signature")
  }

  @Test("A request that differs from the signed one is 401 bad_signature")
  func changed() async throws {
    let caller = try caller()
    let fields = try signature(of: "/v1/houses?page=1")
    let target = try await caller.get("/v1/houses?page=2", fields: fields)
    #expect(target.errorCode == "bad_signature")
    let method = try await caller.call(.head, "/v1/houses?page=1", fields: fields)
    #expect(method.status == .unauthorized)
    let host = try signature(of: "/v1/houses", authority: "example.com")
    #expect(try await caller.get("/v1/houses", fields: host).errorCode == "bad_signature")
    let signed = try signature(of: "/v1/notes", method: .post, body: Array("{}".utf8))
    #expect(try await caller.post("/v1/notes", json: "{ }", fields: signed).errorCode == "bad_signature")
  }

  @Test("Another secret is bad_signature, and another key id is unknown_key")
  func keys() async throws {
    let other = try caller(secret: String(repeating: "0b", count: 32))
    #expect(
      try await other.get("/v1/condos", fields: signature(of: "/v1/condos")).errorCode == "bad_signature")
    let unknown = try signature(of: "/v1/condos", keyID: "unknown")
    #expect(try await caller().get("/v1/condos", fields: unknown).errorCode == "unknown_key")
  }

  @Test("A repeated request is 401 replayed_nonce")
  func replay() async throws {
    let caller = try caller()
    let fields = try signature(of: "/v1/condos")
    #expect(try await caller.get("/v1/condos", fields: fields).status == .ok)
    let again = try await caller.get("/v1/condos", fields: fields)
    #expect(again.status == .unauthorized && again.errorCode == "replayed_nonce")
  }

  @Test(
    "A skew of five minutes is accepted, and one second more is 401 stale_timestamp", arguments: [-300, 300])
  func stale(skew: Int64) async throws {
    let caller = try caller()
    wall.set(Self.start + 1000)
    let near = try signature(of: "/v1/condos", at: Self.start + 1000 + skew)
    #expect(try await caller.get("/v1/condos", fields: near).status == .ok)
    let far = try signature(of: "/v1/condos", at: Self.start + 1000 + skew + skew.signum())
    #expect(try await caller.get("/v1/condos", fields: far).errorCode == "stale_timestamp")
  }

  @Test("A request signed before the server started is 503 verifier_busy, so that the app signs it again")
  func earlier() async throws {
    let fields = try signature(of: "/v1/condos", at: Self.start - 1)
    let reply = try await caller().get("/v1/condos", fields: fields)
    #expect(reply.status == .serviceUnavailable && reply.errorCode == "verifier_busy")
  }
}
