import Foundation
import HTTPTypes
import Interception
import MessageSignatures
import Testing

@testable import EstateServer

@Suite(.timeLimit(.minutes(5))) struct MessageSignatureServiceTests {
  static let start = WallTime(secondsSince1970: 1_800_000_000)
  private let key: DemoKey
  private let caller: APICaller
  private let time = TimeSource(ContinuousClock()) { start }

  init() throws {
    key = try DemoKey(id: "demo", secretHex: String(repeating: "0a", count: 32))
    caller = try APICaller(
      verifier: RefusingVerifier(), messageSignatures: MessageSignatureService(key: key, time: time))
  }

  /// The fields that sign a request as the app does.
  private func signature(
    of target: String, method: HTTPRequest.Method = .get, body: [UInt8] = [], nonce: String = "n-1",
    by key: MessageKey? = nil, at time: WallTime = start
  ) throws -> HTTPFields {
    let head = HTTPRequest(method: method, scheme: "https", authority: "localhost:8443", path: target)
    return HTTPFields(
      try MessageSigner(key: key ?? self.key.message).sign(
        SignableMessage(head, content: body), at: time, nonce: nonce))
  }

  @Test("A signed request is accepted once, and its response is signed for it")
  func accepted() async throws {
    let target = "/v1/houses?city=elk+grove&size=5"
    let fields = try signature(of: target)
    let reply = try await caller.get(target, fields: fields)
    #expect(reply.status == .ok)
    let request = HTTPRequest(
      method: .get, scheme: "https", authority: "localhost:8443", path: target, headerFields: fields)
    let response = HTTPResponse(status: reply.status, headerFields: reply.fields)
    let verifier = MessageVerifier(keys: MessageKeys(key.message), policy: .response, time: time)
    let verified = try verifier.verify(
      SignableMessage(response, content: reply.bytes), inResponseTo: SignableMessage(request))
    #expect(verified.keyID == "demo")
    #expect(throws: MessageSignatureError.self) {
      try verifier.verify(
        SignableMessage(response, content: reply.bytes + [0]), inResponseTo: SignableMessage(request))
    }
    #expect(try await caller.get(target, fields: fields).errorCode == "replayed_nonce")
  }

  @Test("The signature covers the body in its content coding")
  func coded() async throws {
    let coded = try GzipCoding.encode(BodyDecodingTests.note)
    var fields = try signature(of: "/v1/notes", method: .post, body: coded)
    fields[.contentEncoding] = "gzip"
    let reply = try await caller.call(.post, "/v1/notes", fields: fields, body: coded)
    #expect(reply.status == .created)
    var plain = try signature(of: "/v1/notes", method: .post, body: BodyDecodingTests.note, nonce: "n-2")
    plain[.contentEncoding] = "gzip"
    let other = try await caller.call(.post, "/v1/notes", fields: plain, body: coded)
    #expect(other.errorCode == "bad_signature")
  }

  @Test("A changed target, one signed before the start, and an unknown key are refused with their codes")
  func refused() async throws {
    let changed = try await caller.get("/v1/condos?page=2", fields: signature(of: "/v1/condos?page=1"))
    #expect(changed.status == .unauthorized && changed.errorCode == "bad_signature")
    let old = try signature(of: "/v1/condos", at: Self.start.advanced(by: .seconds(-31)))
    #expect(try await caller.get("/v1/condos", fields: old).errorCode == "verifier_busy")
    let other = try MessageKey(id: "other", sharedSecret: key.secret)
    let unknown = try signature(of: "/v1/condos", by: other)
    #expect(try await caller.get("/v1/condos", fields: unknown).errorCode == "unknown_key")
  }

  @Test("A request without such a signature is left to the other verifier, and its response isn't signed")
  func other() async throws {
    let reply = try await caller.get("/v1/condos")
    #expect(reply.errorCode == "no_verifier")
    #expect(!reply.fields.contains(MessageSignatureFields.signature))
  }
}
