import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import VendorSignatures

@Suite struct OAuth1SignatureTests {
  private func signed(_ signature: OAuth1Signature, _ request: Request) async throws -> String? {
    try await VendorSignatureInterceptor(signature).signed(request).head.headerFields[.authorization]
  }

  @Test("PLAINTEXT is refused without https")
  func plaintext() async throws {
    let signature = try OAuth1Signature(clientKey: "k", method: .plaintext(clientSecret: "s3cret"))
    await #expect(throws: VendorSignatureError(.requiresTLS("contains the secrets"))) {
      try await signed(signature, Request(scheme: "http", authority: "a.example", path: "/"))
    }
    let field = try await signed(signature, Request(scheme: "HTTPS", authority: "a.example", path: "/"))
    #expect(field?.contains("oauth_signature=\"s3cret%26\"") == true)
  }

  @Test("C6: The parameters of a form body are covered, and other bodies are not")
  func forms() async throws {
    let signature = try OAuth1Signature(
      clientKey: "k", method: .hmacSHA1(clientSecret: "s"), token: nil, realm: nil, parameters: [:],
      nonces: { "n" })
    func field(_ body: String, _ type: String) async throws -> String? {
      let interceptor = VendorSignatureInterceptor(
        signature, time: .fixed(WallTime(secondsSince1970: 1)))
      return try await interceptor.signed(
        Request(
          method: .post, authority: "a.example", path: "/", headerFields: [.contentType: type],
          body: .text(body))
      ).head.headerFields[.authorization]
    }
    let form = "application/x-www-form-urlencoded; charset=utf-8"
    let (one, two) = (try await field("a=1", form), try await field("a=2", form))
    #expect(one != two)
    let (json, other) = (try await field("a=1", "text/plain"), try await field("a=2", "text/plain"))
    #expect(json == other)
  }

  @Test("A form that is longer than a mebibyte is refused")
  func longForm() async throws {
    let signature = try OAuth1Signature(clientKey: "k", method: .hmacSHA1(clientSecret: "s"))
    let body = [UInt8](repeating: UInt8(ascii: "a"), count: OAuth1Signature.maximumFormLength + 1)
    for body in [RequestBody.bytes(body), .restartable(length: nil) { ScriptedByteSource([body]) }] {
      let request = Request(
        method: .post, authority: "a.example", path: "/",
        headerFields: [.contentType: "application/x-www-form-urlencoded"], body: body)
      await #expect(throws: VendorSignatureError(.bodyTooLarge(limit: OAuth1Signature.maximumFormLength))) {
        try await signed(signature, request)
      }
    }
  }

  @Test("C7: Each signature has its own nonce and covers it")
  func nonces() async throws {
    let signature = try OAuth1Signature(clientKey: "k", method: .hmacSHA256(clientSecret: "s"))
    // At the same time, so that only the nonce differs.
    let interceptor = VendorSignatureInterceptor(signature, time: .fixed(WallTime(secondsSince1970: 1)))
    let request = Request(authority: "a.example", path: "/")
    var fields: [String] = []
    for _ in 1...2 {
      fields.append(try #require(try await interceptor.signed(request).head.headerFields[.authorization]))
    }
    for name in ["oauth_nonce=", "oauth_signature="] {
      let parts = fields.map { $0.part(name) }
      #expect(!parts.contains(nil) && Set(parts).count == 2, "\(name)")
    }
  }

  @Test("A configuration that no server accepts is refused")
  func configuration() throws {
    let method = OAuth1Method.hmacSHA1(clientSecret: "s")
    #expect(throws: VendorSignatureError.self) { try OAuth1Signature(clientKey: "", method: method) }
    #expect(throws: VendorSignatureError(.illegalText("realm"))) {
      try OAuth1Signature(clientKey: "k", method: method, realm: "a\"\r\nX: y")
    }
    for name in ["callback", "oauth_token", "oauth_signature", "oauth_a b"] {
      #expect(throws: VendorSignatureError(.illegalText("name of a protocol parameter"))) {
        try OAuth1Signature(clientKey: "k", method: method, parameters: [name: "x"])
      }
    }
  }

  @Test(
    "A text that is no private RSA key is refused, and a small key is",
    arguments: ["", "x", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", small, elliptic])
  func illegalKey(_ pem: String) {
    #expect(throws: VendorSignatureError(.invalidPrivateKey)) { try OAuth1Method.rsaSHA1(privateKey: pem) }
  }

  /// With 512 bits.
  private static let small = """
    -----BEGIN PRIVATE KEY-----
    MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEAsXhWyj52DoMTG/Gl
    4eS7Qe14PmRAWI7kHzzvDEC1YC2v3sMSqgqByCIAxwya1H6iYSXTbYH0gypN97XA
    gSC2iwIDAQABAkBBHBFbaccOU/By1Bkz4yMAcQsoeMdStjnjbAuXxzXD7uIupnN7
    bDTl2lVNK05fRtJNi1LyIYrLUzVHc4b5wCohAiEA5rv2zk8uSdezY/nq8t5SPLBq
    y8K9/1O9NRIaLhZ43XUCIQDE50CYqQ5ia7EPSOMu+4bhk6AQ75VbIhMZ5AX5mFzD
    /wIgS0IDvkcVUgCJApMBjzX0nNbt/ogGcMFfdW/yGhY6VgECIQCzB6CQLYZKrqg6
    wYbu/PvStqtfOreOORks/UsBeis+eQIgYrxgg10WyUrX1rPtN/K2aalFNGpzLBwf
    jzMmiHNDjH4=
    -----END PRIVATE KEY-----
    """

  private static let elliptic = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIMmSSBRy1um3zaAt9bixnaBv37ejGgg9Bq3NcMDYeMRToAoGCCqGSM49
    AwEHoUQDQgAExmiehq5MtRWAoOV7jf+/UTCDBaW4MYSkdjltjXMDiDFIrUVxLJgK
    1JkVYd0bk3BKjHK4PpNg4rdDZe+4IOEuQQ==
    -----END EC PRIVATE KEY-----
    """
}
