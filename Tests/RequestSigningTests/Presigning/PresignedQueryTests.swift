import HTTPTypes
import Interception
import Testing

@testable import RequestSigning

@Suite struct PresignedQueryTests {
  private let clock = WallClock()

  private func presigned(
    _ path: String = "/files/plan.pdf?page=2", method: HTTPRequest.Method = .get,
    lifetime: Duration = .seconds(600),
    key: SigningKey? = nil
  ) throws -> HTTPRequest {
    let head = HTTPRequest(method: method, scheme: "https", authority: "api.estate.example", path: path)
    let api = APIIdentity(service: "estate", name: "files.get")
    return try RequestSigner(key: key ?? Signed.key()).presign(
      head, api: api, expiresAfter: lifetime, at: Signed.now, nonce: Nonce(high: 1, low: 2))
  }

  private func refusal(_ head: HTTPRequest, after seconds: Int64 = 0) throws -> SignatureError? {
    clock.set(Signed.now.advanced(by: .seconds(seconds)))
    let verifier = SignatureVerifier(keys: SigningKeys(try Signed.key()), time: clock.time)
    do throws(SignatureError) {
      try verifier.verifyPresigned(SignedRequest(head, body: []))
      return nil
    } catch { return error }
  }

  @Test("C7: A presigned URL is accepted repeatedly until it expires, and its lifetime is covered")
  func lifetime() throws {
    let head = try presigned()
    for seconds in [-300, 0, 0, 600] as [Int64] { #expect(try refusal(head, after: seconds) == nil) }
    #expect(try refusal(head, after: 601) == .expired(ago: .seconds(1)))
    #expect(try refusal(head, after: -301) == .staleTimestamp(skew: .seconds(-301)))
    var longer = head
    longer.path = head.path?.replacing("expires=600", with: "expires=60000")
    #expect(try refusal(longer) == .mismatch)
  }

  @Test("The claims are those of the URL")
  func claims() throws {
    clock.set(Signed.now)
    let verifier = SignatureVerifier(keys: SigningKeys(try Signed.key()), time: clock.time)
    let claims = try verifier.verifyPresigned(SignedRequest(presigned(), body: []))
    #expect(claims.keyID == "app-1")
    #expect(claims.api == APIIdentity(service: "estate", name: "files.get"))
    #expect(claims.time == Signed.now)
    #expect(claims.nonce == Nonce(high: 1, low: 2))
  }

  @Test("The URL has the documented form")
  func form() throws {
    let path = try #require(presigned("/a").path)
    #expect(
      path.hasPrefix(
        "/a?switchyard-key=app-1&switchyard-time=1700000000&switchyard-expires=600"
          + "&switchyard-nonce=00000000000000010000000000000002&switchyard-api=estate%2ffiles.get"
          + "&switchyard-signature="))
    #expect(try refusal(presigned("/a")) == nil)
    #expect(try refusal(presigned("/a?")) == nil)
    #expect(try refusal(presigned("/?q=%E4%B8%8A+b&a")) == nil)
  }

  @Test(
    "The lifetime is at least a second and at most seven days",
    arguments: [(-5, 1), (0, 1), (604_800, 604_800), (1 << 40, 604_800)] as [(Int64, Int64)])
  func bounds(_ lifetime: Int64, _ bounded: Int64) throws {
    let path = try #require(presigned(lifetime: .seconds(lifetime)).path)
    #expect(path.contains("&switchyard-expires=\(bounded)&"))
  }

  @Test(
    "C7: A changed URL is refused",
    arguments: [
      ("page=2", "page=3"), ("/files/", "/file/"), ("page=2", "page=2&x=1"),
      ("switchyard-key=app-1", "switchyard-key=app-2"),
      ("1700000000", "1700000001"), ("0002&", "0003&"), ("files.get", "files.put"), ("page=2&", ""),
    ])
  func changed(_ part: String, _ replacement: String) throws {
    var head = try presigned()
    let path = try #require(head.path)
    #expect(path.contains(part))
    head.path = path.replacing(part, with: replacement)
    let error = try refusal(head)
    #expect(error == (replacement.contains("app-2") ? .unknownKey : .mismatch))
  }

  @Test("C7: Another method or authority is refused")
  func elsewhere() throws {
    var head = try presigned()
    head.method = .delete
    #expect(try refusal(head) == .mismatch)
    head = try presigned()
    head.authority = "evil.example"
    #expect(try refusal(head) == .mismatch)
    #expect(try refusal(presigned(key: Signed.key("app-1", byte: 9))) == .mismatch)
  }

  @Test(
    "A missing or repeated parameter is named, and the signature must be the last one",
    arguments: [
      ("switchyard-key=app-1&", "", .missing(SignatureFields.key)),
      (
        "switchyard-key=app-1&", "switchyard-key=app-1&switchyard-key=app-1&", .malformed(SignatureFields.key)
      ),
      ("switchyard-time=1700000000&", "", .missing(SignatureFields.time)),
      ("switchyard-time=1", "switchyard-time=01", .malformed(SignatureFields.time)),
      ("expires=600", "expires=604801", .malformed(SignatureFields.time)),
      ("expires=600", "expires=0", .malformed(SignatureFields.time)),
      ("nonce=0", "nonce=g", .malformed(SignatureFields.nonce)),
      ("estate%2ffiles.get", "estate", .malformed(SignatureFields.api)),
      ("page=2", "switchyard-signature=0", .malformed(SignatureFields.signature)),
      ("signature=", "signatur=", .missing(SignatureFields.signature)),
    ] as [(String, String, SignatureError)])
  func malformed(_ part: String, _ replacement: String, _ fault: SignatureError) throws {
    var head = try presigned()
    let path = try #require(head.path)
    #expect(path.contains(part))
    head.path = path.replacing(part, with: replacement)
    #expect(try refusal(head) == fault)
  }

  @Test("A parameter after the signature is refused")
  func appended() throws {
    var head = try presigned()
    head.path = (head.path ?? "") + "&page=3"
    #expect(try refusal(head) == .missing(SignatureFields.signature))
    head.path = "/"
    #expect(try refusal(head) == .missing(SignatureFields.signature))
  }

  @Test("The signature of a header isn't accepted in a URL, nor that of a URL in a header")
  func separateSchemes() throws {
    let key = try Signed.key()
    let head = HTTPRequest(
      method: .get, scheme: "https", authority: "a.example",
      path: "/?switchyard-key=app-1&switchyard-time=1700000000&switchyard-expires=600"
        + "&switchyard-nonce=00000000000000010000000000000002")
    let fields = try RequestSigner(key: key).sign(
      head, body: [], at: Signed.now, nonce: Nonce(high: 1, low: 2))
    let signature = try #require(fields.last?.value)
    var forged = head
    forged.path = (head.path ?? "") + "&switchyard-signature=" + signature
    #expect(try refusal(forged) == .mismatch)
  }

  @Test("C7: A presigned URL is refused with a field that overrides its method")
  func methodOverride() throws {
    var head = try presigned()
    let name = try #require(HTTPField.Name("X-HTTP-Method-Override"))
    head.headerFields[name] = "DELETE"
    #expect(try refusal(head) == .uncovered(name))
  }

  @Test("C7: Spellings of a presigned URL's parameters that a server may read differently are refused")
  func spellings() throws {
    for (query, other) in [("q=a+b", "q=a%20b"), ("a", "a="), ("q=%zz", "q=%25zz"), ("b=1&a=2", "a=2&b=1")] {
      var head = try presigned("/a?\(query)")
      #expect(try refusal(head) == nil)
      head.path = head.path?.replacing("?\(query)&", with: "?\(other)&")
      #expect(try refusal(head) == .mismatch)
    }
  }
}
