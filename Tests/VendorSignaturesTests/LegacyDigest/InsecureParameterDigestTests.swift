import HTTPTypes
import Interception
import Testing

@testable import VendorSignatures

@Suite struct InsecureParameterDigestTests {
  private static let os: Set<String> = ["os"]

  private func sent(_ digest: InsecureParameterDigest, _ request: Request) async throws -> Request {
    try await VendorSignatureInterceptor(digest).signed(request)
  }

  private func digest(
    _ kind: InsecureParameterDigest.Kind, _ hash: InsecureParameterDigest.Hash = .md5,
    _ position: InsecureParameterDigest.SecretPosition = .suffix
  ) throws -> InsecureParameterDigest {
    try InsecureParameterDigest(
      kind, apiKey: "app-7", secret: "s3cret", hash: hash, secretPosition: position, basePath: "/api/",
      unsignedParameters: Self.os)
  }

  @Test("C5: The digest of a GET is over its parameters, the API key and the secret, and is in the query")
  func get() async throws {
    let request = Request(
      authority: "old.example", path: "/api/v1/houses.list?page=2&city=Hang%20zhou&os=linux&e=")
    let path = try await sent(digest(.get), request).head.path
    #expect(path == (request.head.path ?? "") + "&api_key=app-7&sig=ceecc887e33524deed7aa24f215aea17")
    let strong = try await sent(digest(.get, .sha256), request).head.path
    #expect(
      strong?.hasSuffix("&sig=27a44317b124b38fce2a0bb27b69b3e0796b0b2adcb540b00953195e2751047e") == true)
    let front = try await sent(digest(.get, .md5, .prefix), request).head.path
    #expect(front?.hasSuffix("&sig=fc9d4e72852e8ee43f93b404c8962939") == true)
  }

  @Test("C5: The digest of a RESTful GET is over version, method, parameters and secret, and is in a field")
  func restfulGet() async throws {
    let request = Request(
      authority: "old.example", path: "/api/v1/houses.list?page=2&city=Hang+zhou&os=linux")
    for (hash, expected) in [
      (InsecureParameterDigest.Hash.md5, "573c697f631bc2fd0ff5a29526a1e25c"),
      (.sha256, "a75eacea114aff9dcd63c62f1fbd39c27ab2e5e9ee37ab4a8d78f52abcecf33a"),
    ] {
      let head = try await sent(digest(.restfulGet, hash), request).head
      #expect(head.path == request.head.path)
      #expect(head.headerFields.text("sig") == expected)
      #expect(head.headerFields.text("key") == "app-7")
    }
  }

  @Test(
    "C5: The digest of a POST is over the form's parameters, the API key and the secret, and is in the query")
  func post() async throws {
    let body = RequestBody.text("price=1%2B2&city=Hang+zhou")
    let request = Request(method: .post, authority: "old.example", path: "/api/v1/houses.add", body: body)
    for (hash, expected) in [
      (InsecureParameterDigest.Hash.md5, "04c59bcb338137b1042141243edd1425"),
      (.sha256, "5bfbf5b0ddd816a2d68f0a5c60151311333ef1090698a81449237783f1a158b7"),
    ] {
      let signed = try await sent(digest(.post, hash), request)
      #expect(signed.head.path == "/api/v1/houses.add?api_key=app-7&sig=\(expected)")
      #expect(signed.body.bytes == body.bytes)
    }
  }

  @Test(
    "C5: The digest of a RESTful POST is over version, method, parameters, body and secret, and is in a field"
  )
  func restfulPost() async throws {
    let request = Request(
      method: .post, authority: "old.example", path: "/api/v1/houses.add?os=linux",
      body: .text(#"{"city":"Hangzhou"}"#))
    for (hash, expected) in [
      (InsecureParameterDigest.Hash.md5, "4b31bbc56ca46dd3ad1775e63eee4a30"),
      (.sha256, "d12343413846eb26bdefcbe83d33599d017a26ff2b23b826044ecf581a9e171b"),
    ] {
      let signed = try await sent(digest(.restfulPost, hash), request)
      #expect(signed.head.headerFields.text("sig") == expected)
      #expect(signed.head.headerFields.text("key") == "app-7")
      #expect(signed.body.bytes == request.body.bytes)
    }
  }

  @Test("A body that is longer than a mebibyte, and a request that has a digest already, are refused")
  func refused() async throws {
    let body = [UInt8](repeating: 0, count: InsecureParameterDigest.maximumBodyLength + 1)
    await #expect(
      throws: VendorSignatureError(.bodyTooLarge(limit: InsecureParameterDigest.maximumBodyLength))
    ) {
      try await sent(
        digest(.restfulPost), Request(method: .post, authority: "a.example", path: "/", body: .bytes(body)))
    }
    for item in ["sig", "api_key"] {
      await #expect(throws: VendorSignatureError(.alreadySigned("the query item sig or api_key"))) {
        try await sent(digest(.get), Request(authority: "a.example", path: "/?\(item)=1"))
      }
    }
    #expect(throws: VendorSignatureError(.illegalText("secret"))) {
      try InsecureParameterDigest(.get, apiKey: "a", secret: "")
    }
    #expect(throws: VendorSignatureError(.illegalText("API key"))) {
      try InsecureParameterDigest(.get, apiKey: "a\n", secret: "s")
    }
  }
}
