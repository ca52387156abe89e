import Cryptography
import HTTPTypes
import Interception
import RequestSigning
import Testing

@testable import VendorSignatures

/// Attacks that succeed against ``InsecureParameterDigest``, and fail against the default scheme of
/// RequestSigning.
@Suite struct ForgeryTests {
  private static let now = WallTime(secondsSince1970: 1_700_000_000)
  /// The attacker doesn't know the secret and guesses its length.
  private static let secret = "0123456789abcdef"

  /// A server that checks the digest of a request.
  private func legacyServerAccepts(_ request: Request, _ hash: InsecureParameterDigest.Hash) async throws
    -> Bool
  {
    var unsigned = request
    let stated = unsigned.head.headerFields.text("sig")
    unsigned.head.headerFields = [:]
    let digest = try InsecureParameterDigest(
      .restfulPost, apiKey: "app-7", secret: Self.secret, hash: hash, secretPosition: .prefix)
    let own = try await VendorSignatureInterceptor(digest).signed(unsigned).head.headerFields.text("sig")
    return stated == own
  }

  private func legacySigned(
    _ path: String, _ body: String, _ hash: InsecureParameterDigest.Hash
  ) async throws -> Request {
    let digest = try InsecureParameterDigest(
      .restfulPost, apiKey: "app-7", secret: Self.secret, hash: hash, secretPosition: .prefix)
    return try await VendorSignatureInterceptor(digest).signed(
      Request(method: .post, authority: "old.example", path: path, body: .text(body)))
  }

  /// Appends to the body of a request without the secret, and sets the digest of the result.
  private func forged(
    _ request: Request, digest: String, prefix: String, secretLength: Int, _ attack: LengthExtension
  ) throws -> (body: [UInt8], digest: String) {
    let body = try #require(request.body.bytes)
    let size = attack == .md5 ? 16 : 32
    let known = try #require(Hexadecimal.decode(digest, count: size))
    let suffix = Array("&to=mallory".utf8)
    let count = secretLength + prefix.utf8.count + body.count
    return (
      body + attack.padding(after: count) + suffix,
      Hexadecimal.encode(attack.extended(known, ofCount: count, by: suffix))
    )
  }

  @Test("The continued hash is that of message, padding and suffix", arguments: LengthExtension.allCases)
  func continued(_ attack: LengthExtension) throws {
    let algorithm: HashAlgorithm = attack == .md5 ? .md5 : .sha256
    for count in [0, 1, 55, 56, 63, 64, 119, 120, 200] {
      let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      for suffix in [[], [1], [UInt8](repeating: 9, count: 130)] as [[UInt8]] {
        let whole = message + attack.padding(after: count) + suffix
        #expect(whole.count - suffix.count == (count + 72) / 64 * 64)
        let hash = try algorithm.hash(of: message)
        #expect(attack.extended(hash, ofCount: count, by: suffix) == (try algorithm.hash(of: whole)))
      }
    }
  }

  @Test(
    "C5: A length extension forges the legacy digest without the secret", arguments: LengthExtension.allCases)
  func lengthExtension(_ attack: LengthExtension) async throws {
    let hash: InsecureParameterDigest.Hash = attack == .md5 ? .md5 : .sha256
    let seen = try await legacySigned("/v1/pay", "amount=1", hash)
    #expect(try await legacyServerAccepts(seen, hash))
    let digest = try #require(seen.head.headerFields.text("sig"))
    var accepted: [Int] = []
    for guess in 1...32 {
      let forgery = try forged(seen, digest: digest, prefix: "v1/pay", secretLength: guess, attack)
      var request = seen
      request.body = .bytes(forgery.body)
      request.head.headerFields[InsecureParameterDigest.digestField] = forgery.digest
      if try await legacyServerAccepts(request, hash) { accepted.append(guess) }
    }
    #expect(accepted == [Self.secret.utf8.count])
  }

  @Test("C5: Requests with different parameters have the same legacy digest")
  func collision() async throws {
    let one = try await legacySigned("/v1/pay?a=1%26b%3D2", "", .sha256)
    let two = try await legacySigned("/v1/pay?a=1&b=2", "", .sha256)
    #expect(one.head.path != two.head.path)
    #expect(one.head.headerFields.text("sig") == two.head.headerFields.text("sig"))
    // A parameter and the beginning of the body are not kept apart, either.
    let three = try await legacySigned("/v1/pay?a=1", "&b=2", .sha256)
    #expect(three.head.headerFields.text("sig") == one.head.headerFields.text("sig"))
    // Nor is the replay of a recorded request noticed.
    #expect(try await legacyServerAccepts(one, .sha256))
    #expect(try await legacyServerAccepts(one, .sha256))
  }

  private func key() throws -> SigningKey { try SigningKey(id: "app-1", secret: Array(Self.secret.utf8)) }

  private func signed(_ path: String, _ body: String, nonce: UInt64 = 1) throws -> HTTPRequest {
    var head = HTTPRequest(method: .post, scheme: "https", authority: "api.example", path: path)
    let fields = try RequestSigner(key: key()).sign(
      head, body: Array(body.utf8), at: Self.now, nonce: Nonce(high: 0, low: nonce))
    for field in fields { head.headerFields.append(field) }
    return head
  }

  private func verify(_ head: HTTPRequest, _ body: [UInt8]) throws {
    let verifier = SignatureVerifier(
      keys: SigningKeys(try key()), start: WallTime(secondsSince1970: 0), time: .fixed(Self.now))
    try verifier.verify(SignedRequest(head, body: body))
  }

  @Test("C7: A length extension doesn't forge the default signature")
  func lengthExtensionFails() throws {
    let head = try signed("/v1/pay", "amount=1")
    try verify(head, Array("amount=1".utf8))
    let signature = try #require(head.headerFields[SignatureFields.signature])
    let (version, digest) = (signature.prefix(3), String(signature.dropFirst(3)))
    let request = Request(head, body: .text("amount=1"))
    for guess in 1...256 {
      let forgery = try forged(request, digest: digest, prefix: "", secretLength: guess, .sha256)
      var head = head
      head.headerFields[SignatureFields.signature] = version + forgery.digest
      #expect(throws: SignatureError.self) { try verify(head, forgery.body) }
      // Nor with the forged body and the signature that was seen.
      head.headerFields[SignatureFields.signature] = signature
      #expect(throws: SignatureError.self) { try verify(head, forgery.body) }
    }
  }

  @Test("C7: Requests with different parameters have different default signatures")
  func collisionFails() throws {
    let one = try signed("/v1/pay?a=1%26b%3D2", "")
    let two = try signed("/v1/pay?a=1&b=2", "")
    let three = try signed("/v1/pay?a=1", "&b=2")
    let signatures = [one, two, three].map { $0.headerFields[SignatureFields.signature] }
    #expect(Set(signatures).count == 3)
    for path in ["/v1/pay?a=1&b=2", "/v1/pay?a=1"] {
      var moved = one
      moved.path = path
      #expect(throws: SignatureError.self) {
        try verify(moved, path.hasSuffix("a=1") ? Array("&b=2".utf8) : [])
      }
    }
  }

  @Test("C7: A recorded request with the default signature is refused when it is sent again")
  func replayFails() throws {
    let head = try signed("/v1/pay", "amount=1")
    let verifier = SignatureVerifier(
      keys: SigningKeys(try key()), start: WallTime(secondsSince1970: 0), time: .fixed(Self.now))
    let request = SignedRequest(head, body: Array("amount=1".utf8))
    try verifier.verify(request)
    #expect(throws: SignatureError.self) { try verifier.verify(request) }
  }
}
