import Cryptography
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import VendorSignatures

@Suite struct AWSSignatureTests {
  private let now = WallTime(secondsSince1970: 1_440_938_160)
  private let credentials: VendorCredentials

  init() throws {
    credentials = try VendorCredentials(
      keyID: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
  }

  private func signed(_ signature: AWSSignature, _ request: Request, at time: WallTime? = nil) async throws
    -> Request
  {
    try await VendorSignatureInterceptor(signature, with: credentials, time: .fixed(time ?? now)).signed(
      request)
  }

  private func authorization(_ signature: AWSSignature, _ request: Request) async throws -> String {
    try #require(try await signed(signature, request).head.headerFields[.authorization])
  }

  @Test("S3 covers a path as it is sent, and other services without dot segments and encoded again")
  func paths() throws {
    func written(_ path: String, _ write: (Substring.UTF8View, inout CanonicalText) -> Void) -> String {
      var text = CanonicalText(reserving: 0)
      write(path[...].utf8, &text)
      return text.string
    }
    let forms: [(path: String, normalized: String, once: String)] = [
      ("/", "/", "/"), ("", "/", "/"), ("/a/b", "/a/b", "/a/b"), ("/a//b/./../c/", "/a/c/", "/a//b/./../c/"),
      ("/..", "/", "/.."), ("/a/..", "/", "/a/.."), ("/a%20b", "/a%2520b", "/a%20b"),
      ("/a b", "/a%20b", "/a%20b"),
      ("/%7e(1)%2f", "/%257e%281%29%252f", "/~%281%29%2F"), ("/%zz%", "/%25zz%25", "/%25zz%25"),
      ("/.well-known/x", "/.well-known/x", "/.well-known/x"), ("/ü", "/%C3%BC", "/%C3%BC"),
    ]
    for form in forms {
      #expect(
        written(form.path) { CanonicalPath.writeNormalized($0, to: &$1) } == form.normalized, "\(form.path)")
      #expect(written(form.path) { CanonicalPath.writeEncodedOnce($0, to: &$1) } == form.once, "\(form.path)")
    }
    #expect(try AWSSignature(region: "r", service: "s3").path == .objectKey)
    #expect(try AWSSignature(region: "r", service: "execute-api").path == .normalized)
  }

  @Test("Fields that the transport or a proxy may change are not covered, every other field is")
  func coveredFields() async throws {
    var request = Request(authority: "example.amazonaws.com", path: "/")
    for (name, value) in [
      ("User-Agent", "a"), ("Accept-Encoding", "gzip"), ("X-Amzn-Trace-Id", "t"), ("Accept", "text/plain"),
      ("Traceparent", "p"),
    ] {
      request.head.headerFields[try #require(HTTPField.Name(name))] = value
    }
    let field = try await authorization(AWSSignature(region: "us-east-1", service: "service"), request)
    #expect(field.part("SignedHeaders=") == "accept;host;traceparent;x-amz-date")
  }

  @Test("Fields of the signature that a request already has are replaced")
  func replaced() async throws {
    var request = Request(authority: "example.amazonaws.com", path: "/")
    request.head.headerFields[AWSFields.date] = "19700101T000000Z"
    let signature = try AWSSignature(region: "us-east-1", service: "service")
    let plain = try await signed(signature, Request(authority: "example.amazonaws.com", path: "/"))
    #expect(try await signed(signature, request).head.headerFields == plain.head.headerFields)
    #expect(plain.head.headerFields[values: AWSFields.date] == ["20150830T123600Z"])
  }

  @Test("C6: Streamed and stored bodies have the hash of the bytes that are sent")
  func bodies() async throws {
    let signature = try AWSSignature(region: "r", service: "s3")
    let bytes = Array("price=1".utf8)
    let bodies: [RequestBody] = [
      .bytes(bytes), .restartable(length: 7) { ScriptedByteSource([Array("pri".utf8), Array("ce=1".utf8)]) },
    ]
    for body in bodies {
      let request = Request(method: .put, authority: "b.example", path: "/k", body: body)
      let sent = try await signed(signature, request)
      #expect(sent.head.headerFields[AWSFields.contentHash] == Hexadecimal.encode(try Digest.sha256(bytes)))
      #expect(try await sent.body.collect(upTo: 100) == bytes)
    }
  }

  @Test("C7: The signature covers the time, so that each attempt has its own")
  func time() async throws {
    let signature = try AWSSignature(region: "us-east-1", service: "service")
    let request = Request(authority: "example.amazonaws.com", path: "/")
    let first = try await signed(signature, request)
    let second = try await signed(signature, request, at: now.advanced(by: .seconds(1)))
    let nextDay = try await signed(signature, request, at: now.advanced(by: .seconds(86_400)))
    let again = try await signed(signature, request)
    let signatures = [first, second, nextDay].map { $0.head.headerFields[.authorization]?.part("Signature=") }
    #expect(Set(signatures).count == 3)
    #expect(again.head == first.head)
    #expect(nextDay.head.headerFields[.authorization]?.contains("/20150831/") == true)
  }

  @Test("An unsigned payload is announced as such, and refused in fields without https")
  func unsigned() async throws {
    let signature = try AWSSignature(region: "r", service: "s3", payload: .unsigned)
    let body = RequestBody.once(length: 1, ScriptedByteSource([[1]]))
    let request = Request(method: .put, authority: "b.example", path: "/k", body: body)
    #expect(
      try await signed(signature, request).head.headerFields[AWSFields.contentHash] == "UNSIGNED-PAYLOAD")
    let open = Request(method: .put, scheme: "http", authority: "b.example", path: "/k")
    await #expect(throws: VendorSignatureError(.requiresTLS("leaves the body unsigned"))) {
      try await signed(signature, open)
    }
    #expect(VendorSignatureInterceptor(signature, with: credentials).traits.requestBody == .untouched)
  }

  @Test("A request that is already signed is refused")
  func alreadySigned() async throws {
    var request = Request(authority: "b.example", path: "/k?X-Amz-Signature=0")
    await #expect(throws: VendorSignatureError(.alreadySigned("the query item X-Amz-Signature"))) {
      try await signed(
        AWSSignature(region: "r", service: "s3", placement: .query(lifetime: .seconds(60))), request)
    }
    request.head.headerFields[.authorization] = "Bearer t"
    await #expect(throws: VendorSignatureError(.alreadySigned("the field Authorization"))) {
      try await signed(AWSSignature(region: "r", service: "s3"), request)
    }
  }

  @Test("A request without a path or an authority is refused", arguments: ["", "*", "k"])
  func noTarget(_ path: String) async throws {
    await #expect(throws: VendorSignatureError(.noTarget)) {
      try await signed(
        AWSSignature(region: "r", service: "s3"), Request(authority: "b.example", path: path))
    }
    await #expect(throws: VendorSignatureError(.noTarget)) {
      try await signed(AWSSignature(region: "r", service: "s3"), Request(authority: "", path: "/\(path)"))
    }
  }

  @Test("A configuration that no server accepts is refused")
  func configuration() throws {
    for seconds in [0, 604_801] {
      #expect(throws: VendorSignatureError(.expirationOutOfRange)) {
        try AWSSignature(region: "r", service: "s3", placement: .query(lifetime: .seconds(seconds)))
      }
    }
    #expect(throws: VendorSignatureError(.illegalText("region"))) {
      try AWSSignature(region: "a/b", service: "s3")
    }
    #expect(throws: VendorSignatureError(.illegalText("service"))) {
      try AWSSignature(region: "r", service: "")
    }
    #expect(throws: VendorSignatureError.self) {
      try AWSSignature(
        region: "r", service: "s3", placement: .query(lifetime: .seconds(9)), payload: .chunked())
    }
    #expect(throws: VendorSignatureError.self) {
      try AWSSignature(region: "r", service: "s3", payload: .chunked(size: 8_191))
    }
  }

  @Test("Every name of a field that a signature uses is a legal name")
  func names() {
    let names = AWSFields.added + [AWSFields.host, AWSFields.decodedLength, AWSFields.trailer]
    let others = [InsecureParameterDigest.keyField, InsecureParameterDigest.digestField, AliyunFields.host]
    for name in names + others + AliyunFields.all { #expect(name != .authorization) }
  }

  @Test("Cookies are covered as they are sent: in one line, joined by semicolons")
  func cookies() async throws {
    let signature = try AWSSignature(region: "us-east-1", service: "service")
    var split = Request(authority: "example.amazonaws.com", path: "/")
    split.head.headerFields[.cookie] = "a=1; b=2"
    try #require(split.head.headerFields[values: .cookie].count == 2)
    var whole = Request(authority: "example.amazonaws.com", path: "/")
    whole.head.headerFields.append(HTTPField(name: .cookie, value: "a=1; b=2"))
    #expect(try await authorization(signature, split) == authorization(signature, whole))
  }
}
