import Cryptography
import Interception
import SwitchyardTesting
import Testing

@testable import RequestSigning

@Suite struct CanonicalRequestTests {
  private static let plain = CanonicalRequest(
    keyID: "k", time: 1, nonce: Nonce(high: 0, low: 1), method: "GET", authority: "a.example", api: "",
    path: "/", bodyDigest: Digest.ofNothing, coveredNames: "", coveredValues: [])

  private static func random(_ generator: inout SeededRandom) -> CanonicalRequest {
    // Few short words made of separators, so that field boundaries are likely to coincide.
    let words = [
      "", "a", "aa", "&", "=", "a=", "=a", "\n", "\0", "\0\0\0\0\0\0\0\u{1}a", "%26", "%3D", " ", "?", "1",
    ]
    func word() -> String { words.randomElement(using: &generator) ?? "" }
    // Half of the fields keep their value, so that two requests often differ only in a boundary.
    func field(_ usual: String) -> String {
      Bool.random(using: &generator) ? usual : ["", "a", "aa", "\0"].randomElement(using: &generator) ?? ""
    }
    let pairs = (0..<Int.random(in: 0...2, using: &generator)).map { _ in word() + "=" + word() }
    let names = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
      ["a", "b", "aa"].randomElement(using: &generator) ?? "a"
    }
    var request = plain
    request.keyID = field(plain.keyID)
    request.method = field(plain.method)
    request.authority = field(plain.authority)
    request.api = field(plain.api)
    request.path = field(plain.path) + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    request.coveredNames = names.joined(separator: " ")
    request.coveredValues = names.map { _ in FieldText(word().utf8) }
    return request
  }

  @Test("C7: Two requests have equal bytes only if they are equal")
  func injective() {
    var generator = SeededRandom(seed: 42)
    var requests: [[UInt8]: CanonicalRequest] = [:]
    var repetitions = 0
    for _ in 0..<20_000 {
      let request = Self.random(&generator)
      let bytes = request.bytes()
      if let known = requests[bytes] {
        repetitions += 1
        #expect(known == request)
      }
      requests[bytes] = request
    }
    #expect(repetitions > 0, "The generator produced no repetition, so it can't find collisions.")
  }

  @Test(
    "Parameters that naive concatenation, or a server, would confuse are distinct",
    arguments: [
      ("/?a=1&b=2", "/?a=1b2"), ("/?a=1&b=2", "/?a=1%26b=2"), ("/?a=1&b=2", "/?a1=b2"),
      ("/?a=b%3Dc", "/?a%3Db=c"), ("/?a=1&a=2", "/?a=2&a=1"), ("/?a=1", "/%3Fa=1"), ("/?a=", "/?"),
      ("/?a=1", "/?a=1&a=1"), ("/a/b", "/a%2Fb"), ("/a", "/a/"), ("/?a=1", "/?A=1"),
      ("/?a=1&b=2", "/?b=2&a=1"), ("/?q=a%20b", "/?q=a+b"), ("/?q=%E4", "/?q=%e4"), ("/?%61=1", "/?a=1"),
      ("/?a", "/?a="), ("/?a=%zz", "/?a=%25zz"), ("/?a[]=1&a[0]=2", "/?a[0]=2&a[]=1"), ("/", "/?"),
      // A name that contains the encoded length and value of another pair.
      ("/?=a%00%00%00%00%00%00%00%00", "/?%00%00%00%00%00%00%00%09a="),
    ])
  func apart(_ first: String, _ second: String) {
    var (left, right) = (Self.plain, Self.plain)
    left.path = first
    right.path = second
    #expect(left.bytes() != right.bytes())
  }

  @Test(
    "An authority has one canonical spelling",
    arguments: [
      ("API.Estate.Example", "api.estate.example"), ("a.example:443", "a.example"),
      ("a.example:80", "a.example"),
      ("a.example:", "a.example"), ("a.example:8443", "a.example:8443"), ("[::1]", "[::1]"),
      ("[::1]:443", "[::1]"),
      ("[2001:DB8::80]", "[2001:db8::80]"), ("", ""), ("a.example:0443", "a.example:0443"),
    ])
  func authority(_ written: String, _ canonical: String) {
    #expect(CanonicalAuthority.of(written) == canonical)
  }

  @Test(
    "Decoding an encoded API identity returns the original",
    arguments: [
      (APIIdentity(service: "estate", name: "houses.list"), "estate/houses.list"),
      (APIIdentity(service: "a/b", name: "c"), "a%2fb/c"),
      (APIIdentity(service: "a", name: "b/c"), "a/b%2fc"),
      (APIIdentity(service: "房", name: "\r\n"), "%e6%88%bf/%0d%0a"),
      (APIIdentity(service: "", name: ""), "/"),
    ])
  func api(_ identity: APIIdentity, _ text: String) {
    #expect(CanonicalAPI.encode(identity) == text)
    #expect(CanonicalAPI.decode(text) == identity)
  }

  @Test(
    "Non-canonical spellings of an API identity are refused",
    arguments: ["", "a", "a/b/c", "a%2Fb/c", "%61/b", "a/%", "a/%2", "a/%zz", "a/ b", "a/%ff"])
  func illegalAPI(_ text: String) {
    #expect(CanonicalAPI.decode(text) == nil)
  }
}
