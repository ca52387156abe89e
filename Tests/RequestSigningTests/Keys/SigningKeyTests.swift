import Cryptography
import EmbeddedSecrets
import HTTPTypes
import Interception
import Testing

@testable import RequestSigning

@Suite struct SigningKeyTests {
  private static let secret = "correct horse battery staple"

  @Test("C8: No text, dump or mirror of a key, signer, verifier or fault reveals the secret")
  func secretStaysSecret() throws {
    let key = try SigningKey(id: "app-1", secret: Array(Self.secret.utf8))
    let keys = SigningKeys(key, accepting: [key])
    let signer = RequestSigner(key: key)
    _ = try signer.sign(
      HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/"), body: [],
      at: WallTime(secondsSince1970: 1_700_000_000), nonce: Nonce(high: 1, low: 2))
    let derived = try key.material.derivedKey(day: 1_700_000_000 / 86_400)
    let subjects: [Any] = [
      key, keys, signer, SignatureVerifier(keys: keys), SigningInterceptor(keys: keys), key.material,
      ResponseSigner(keys: keys), ResponseVerifyingInterceptor(keys: keys),
      SharedSignatureVerifier(
        SignatureVerifier(keys: keys), nonces: MemoryNonceStore(), ifUnavailable: .failClosed,
        ifForgotten: .failClosed
      ) { _, _ in },
      SigningKeyError.shortSecret(id: "app-1", count: 3, atLeast: 16), SignatureError.mismatch,
    ]
    for subject in subjects {
      var dumped = ""
      dump(subject, to: &dumped)
      for text in [
        dumped, "\(subject)", String(reflecting: subject), String(describing: Mirror(reflecting: subject)),
      ] {
        for leak in [Array(Self.secret.utf8), derived] {
          #expect(!text.contains(Hexadecimal.encode(leak)))
          #expect(!text.contains("\(leak)"))
          // A dump writes each element of an array on its own line.
          #expect(!text.filter { !$0.isWhitespace }.contains(leak.prefix(4).map { "-\($0)" }.joined()))
        }
        #expect(!text.contains(Self.secret))
      }
    }
  }

  @Test("A key with an embedded secret derives what one with the same bytes does, and reveals none of them")
  func embedded() throws {
    let bytes = Array(Self.secret.utf8)
    let mask = bytes.indices.map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    let secret = EmbeddedSecret(shares: mask, zip(bytes, mask).map { $0 ^ $1 })
    let key = try SigningKey(id: "app-1", secret: secret)
    let other = try SigningKey(id: "app-1", secret: bytes)
    #expect(try key.fingerprint() == other.fingerprint())
    #expect(try key.material.derivedKey(day: 19_675) == other.material.derivedKey(day: 19_675))

    var dumped = ""
    dump(key, to: &dumped)
    dump(key.material, to: &dumped)
    for text in [dumped, "\(key)", "\(key.material)", String(reflecting: key)] {
      #expect(!text.contains(Self.secret) && !text.contains("\(mask[1])") && !text.contains("shares"))
    }
  }

  @Test("A short embedded secret is refused", arguments: [0, 15])
  func shortEmbedded(count: Int) {
    #expect(throws: SigningKeyError.shortSecret(id: "app-1", count: count, atLeast: 16)) {
      try SigningKey(id: "app-1", secret: EmbeddedSecret(shares: [UInt8](repeating: 1, count: count)))
    }
    #expect(throws: SigningKeyError.illegalID) {
      try SigningKey(id: "", secret: EmbeddedSecret(shares: [UInt8](repeating: 1, count: 32)))
    }
  }

  @Test("The pattern that the secrecy test searches for is what a dump prints")
  func dumpFormat() {
    struct Leaky { let secret: [UInt8] }
    var dumped = ""
    dump(Leaky(secret: [1, 2, 3, 4]), to: &dumped)
    #expect(dumped.filter { !$0.isWhitespace }.contains("-1-2-3-4"))
  }

  @Test(
    "An id that is not valid in a header field is refused",
    arguments: ["", " ", "a b", "a,b", "é", "a\r\nb", String(repeating: "k", count: 129)])
  func illegalID(_ id: String) {
    #expect(throws: SigningKeyError.illegalID) {
      try SigningKey(id: id, secret: [UInt8](repeating: 1, count: 32))
    }
  }

  @Test("A short secret is refused without being quoted")
  func shortSecret() {
    let fault = #expect(throws: SigningKeyError.self) {
      try SigningKey(id: "app-1", secret: Array("hunter2".utf8))
    }
    #expect(fault == .shortSecret(id: "app-1", count: 7, atLeast: 16))
    #expect(fault?.description.contains("hunter2") == false)
  }

  @Test("Threads can sign with the same key")
  func concurrentSigning() async throws {
    let key = try SigningKey(id: "app-1", secret: Array(0..<32))
    let head = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/?b=2&a=%41")
    @Sendable func signatures() throws -> [[HTTPField]] {
      try (0..<200).map { number in
        try RequestSigner(key: key).sign(
          head, body: [], at: WallTime(secondsSince1970: number), nonce: Nonce(high: 0, low: UInt64(number)))
      }
    }
    let expected = try signatures()
    let all = try await withThrowingTaskGroup(of: [[HTTPField]].self) { group in
      for _ in 0..<8 { group.addTask { try signatures() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all.count == 8)
    #expect(all.allSatisfy { $0 == expected })
  }

  @Test("The derived key depends on day, id and secret")
  func derivedKeys() throws {
    func material(_ id: String, _ byte: UInt8) throws -> KeyMaterial {
      try SigningKey(id: id, secret: [UInt8](repeating: byte, count: 32)).material
    }
    let first = try material("a", 1)
    let keys = try [
      first.derivedKey(day: 1), first.derivedKey(day: 2), material("b", 1).derivedKey(day: 1),
      material("a", 2).derivedKey(day: 1),
    ]
    #expect(Set(keys).count == keys.count)
    #expect(try first.derivedKey(day: 1) == keys[0])
  }
}
