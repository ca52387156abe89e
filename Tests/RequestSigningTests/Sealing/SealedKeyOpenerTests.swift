import EmbeddedSecrets
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestSigning

/// Requests of an open platform's callers, which carry their keys.
@Suite struct SealedKeyOpenerTests {
  private let clock = WallClock()
  private let caller: SigningKey
  private let platform: PlatformPrivateKey

  init() throws {
    caller = try Signed.key("caller-7", byte: 7)
    platform = try PlatformPrivateKey(id: "p-1", privateKey: [UInt8](repeating: 3, count: 32))
  }

  private var verifier: SignatureVerifier {
    // The platform knows no secret.
    SignatureVerifier(keys: NoKeys(), start: WallTime(secondsSince1970: 0), time: clock.time)
  }

  private struct NoKeys: VerificationKeySource {
    func verificationKey(id: String) -> SigningKey? { nil }
  }

  private func sent(by key: SigningKey) async throws -> Request {
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) {
      SigningInterceptor(
        keys: SigningKeys(key), sealingTo: platform.publicKey, time: clock.time)
    }
    _ = try await pipeline.send(
      Request(method: .post, authority: "api.example", path: "/a?b=c", body: .text("body")))
    return try #require(dispatcher.requests.first)
  }

  private func signed(_ request: Request) -> SignedRequest {
    SignedRequest(request.head, body: request.body.bytes ?? [])
  }

  private func fingerprint(_ id: String) -> String? {
    id == caller.id ? try? caller.fingerprint() : nil
  }

  @Test("A platform that stores only fingerprints verifies a request by the key that it carries, once")
  func accepted() async throws {
    let request = try await sent(by: caller)
    let verifier = verifier
    let opener = SealedKeyOpener([platform])
    let claims = try verifier.verify(signed(request), opening: opener, fingerprint: fingerprint)
    #expect(claims.keyID == "caller-7")
    #expect(throws: SealedKeyError(.signature(.replayedNonce))) {
      try verifier.verify(signed(request), opening: opener, fingerprint: fingerprint)
    }
    #expect(throws: SignatureError.unknownKey) { try verifier.authenticate(signed(request)) }
  }

  @Test("A key whose secret is embedded is sealed and opened as another one is")
  func embedded() async throws {
    let mask: [UInt8] = Array(1...32)
    let key = try SigningKey(
      id: caller.id, secret: EmbeddedSecret(shares: mask, mask.map { $0 ^ 7 }))
    let request = try await sent(by: key)
    let claims = try verifier.verify(
      signed(request), opening: SealedKeyOpener([platform]), fingerprint: fingerprint)
    #expect(claims.keyID == "caller-7")
  }

  @Test("A key that its sender made up is unknown, although it is sealed and signs correctly")
  func madeUp() async throws {
    let forged = try await sent(by: try Signed.key("caller-7", byte: 8))
    let opener = SealedKeyOpener([platform])
    #expect(throws: SealedKeyError(.signature(.unknownKey))) {
      try verifier.verify(signed(forged), opening: opener, fingerprint: fingerprint)
    }
    let stranger = try await sent(by: try Signed.key("caller-8", byte: 7))
    #expect(throws: SealedKeyError(.signature(.unknownKey))) {
      try verifier.verify(signed(stranger), opening: opener, fingerprint: fingerprint)
    }
  }

  @Test("A sealed key taken from another request doesn't open, and a changed request neither")
  func moved() async throws {
    let (first, second) = (try await sent(by: caller), try await sent(by: caller))
    let opener = SealedKeyOpener([platform])
    var moved = first
    moved.head.headerFields[SignatureFields.sealedKey] =
      second.head.headerFields[SignatureFields.sealedKey]
    var changed = first
    changed.body = .text("other")
    for request in [moved, changed] {
      #expect(throws: SealedKeyError(.mismatch)) {
        try verifier.verify(signed(request), opening: opener, fingerprint: fingerprint)
      }
    }
  }

  @Test("An absent, repeated or malformed field, and an unknown platform key, are errors of their own")
  func faults() async throws {
    let request = try await sent(by: caller)
    let field = try #require(request.head.headerFields[SignatureFields.sealedKey])
    for (values, reason): ([String], SealedKeyError.Reason) in [
      ([], .missing), ([field, field], .malformed), (["p-1 xyz"], .malformed),
      ([field.replacing("p-1", with: "p-2")], .unknownPlatformKey),
    ] {
      var changed = request
      changed.head.headerFields[values: SignatureFields.sealedKey] = values
      let error = SealedKeyError(reason)
      #expect(throws: error) {
        try verifier.verify(signed(changed), opening: SealedKeyOpener([platform]), fingerprint: fingerprint)
      }
      #expect(error.status == .unauthorized)
    }
  }

  @Test("C8: The secret isn't in the request, and a signer without a platform adds no field")
  func secrecy() async throws {
    let request = try await sent(by: caller)
    let text = "\(request.head.headerFields)"
    #expect(!text.contains(String(repeating: "07", count: 8)))
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) { SigningInterceptor(key: caller, time: clock.time) }
    _ = try await pipeline.send(request)
    // Also a field that a caller copied from an earlier request is removed.
    #expect(dispatcher.requests[0].head.headerFields[SignatureFields.sealedKey] == nil)
  }

  @Test("A fingerprint identifies the id and the secret")
  func fingerprints() throws {
    let known = try caller.fingerprint()
    #expect(known.utf8.count == 64)
    #expect(try Signed.key("caller-7", byte: 7).fingerprint() == known)
    #expect(try Signed.key("caller-8", byte: 7).fingerprint() != known)
    #expect(try Signed.key("caller-7", byte: 8).fingerprint() != known)
  }

  @Test("I8: A request with a sealed key is accepted once by a fleet, and not again after a restart")
  func fleet() async throws {
    let request = signed(try await sent(by: caller))
    let opener = SealedKeyOpener([platform])
    func server(_ store: MemoryNonceStore) -> SharedSignatureVerifier {
      SharedSignatureVerifier(
        verifier, nonces: store, ifUnavailable: .failClosed, ifForgotten: .failClosed
      ) { _, _ in }
    }
    let store = MemoryNonceStore(start: Signed.now.advanced(by: .seconds(-301)))
    let claims = try await server(store).verify(request, opening: opener, fingerprint: fingerprint)
    #expect(claims.keyID == "caller-7")
    await #expect(throws: SealedKeyError(.signature(.replayedNonce))) {
      try await server(store).verify(request, opening: opener, fingerprint: fingerprint)
    }
    await #expect(throws: SealedKeyError(.signature(.unknownKey))) {
      try await server(store).verify(request, opening: opener) { _ in nil }
    }
    let restarted = server(MemoryNonceStore(start: Signed.now))
    let error = await #expect(throws: SealedKeyError.self) {
      try await restarted.verify(request, opening: opener, fingerprint: fingerprint)
    }
    guard case .signature(.unavailableNonces(let fault)) = error?.reason else {
      Issue.record("A replay was accepted after a restart.")
      return
    }
    #expect(fault.kind == .forgotten && error?.status == .serviceUnavailable)
  }
}
