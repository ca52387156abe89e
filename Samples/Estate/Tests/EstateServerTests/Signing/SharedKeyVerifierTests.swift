import Foundation
import HTTPTypes
import Interception
import RequestSigning
import Testing

@testable import EstateServer

@Suite(.timeLimit(.minutes(5))) struct SharedKeyVerifierTests {
  static let start: Int64 = 1_800_000_000
  static let secret = String(repeating: "0a", count: 32)

  private func caller() throws -> APICaller {
    let key = try DemoKey(id: "demo", secretHex: Self.secret)
    let time = TimeSource(ContinuousClock()) { WallTime(secondsSince1970: Self.start) }
    return try APICaller(verifier: SharedKeyVerifier(key: key, time: time))
  }

  /// The fields that sign a request as the app does.
  private func signature(
    of target: String, method: HTTPRequest.Method = .get, body: [UInt8] = [], keyID: String = "demo",
    at seconds: Int64 = start
  ) throws -> HTTPFields {
    let bytes = try #require(Hexadecimal.bytes(Self.secret))
    let signer = RequestSigner(key: try SigningKey(id: keyID, secret: bytes))
    let head = HTTPRequest(method: method, scheme: "https", authority: "localhost:8443", path: target)
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

  // What the verifier of the package accepts is not repeated here, only what the server makes of it.
  @Test("Each refusal of the verifier is 401 with its code")
  func refused() async throws {
    let caller = try caller()
    let (first, second) = (try signature(of: "/v1/condos?page=1"), "/v1/condos?page=2")
    #expect(try await caller.get("/v1/condos?page=1", fields: first).status == .ok)
    for (target, fields, code) in [
      ("/v1/condos?page=1", first, "replayed_nonce"), (second, [:], "missing_signature"),
      (second, first, "bad_signature"),
      (second, try signature(of: second, keyID: "unknown"), "unknown_key"),
      (second, try signature(of: second, at: Self.start + 301), "stale_timestamp"),
    ] {
      let reply = try await caller.get(target, fields: fields)
      #expect(reply.status == .unauthorized && reply.errorCode == code)
    }
    let signed = try signature(of: "/v1/notes", method: .post, body: Array("{}".utf8))
    #expect(try await caller.post("/v1/notes", json: "{ }", fields: signed).errorCode == "bad_signature")
    let late = try signature(of: second, at: Self.start + 300)
    #expect(try await caller.get(second, fields: late).status == .ok)
  }

  @Test("A request signed before the server started is 503 verifier_busy, so that the app signs it again")
  func earlier() async throws {
    let fields = try signature(of: "/v1/condos", at: Self.start - 1)
    let reply = try await caller().get("/v1/condos", fields: fields)
    #expect(reply.status == .serviceUnavailable && reply.errorCode == "verifier_busy")
  }
}
