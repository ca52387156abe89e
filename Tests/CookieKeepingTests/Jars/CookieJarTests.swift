import Interception
import Testing

@testable import CookieKeeping

@Suite struct CookieJarTests {
  private static let start = WallTime(secondsSince1970: 1_700_000_000)

  private static func url(_ text: String) throws -> CookieURL { try #require(CookieURL(text: text)) }

  private static func jar(_ lines: String..., from url: String = "https://a.estate.example/x/y") throws
    -> CookieJar
  {
    var jar = CookieJar()
    for line in lines { _ = jar.store(line, from: try Self.url(url), at: start, .singleLabels) }
    return jar
  }

  private static func field(
    _ jar: CookieJar, for url: String, after seconds: Int64 = 0
  ) throws -> String? {
    var jar = jar
    return jar.field(for: try Self.url(url), at: start.advanced(by: .seconds(seconds)))?.description
  }

  @Test("A cookie is sent to its host or domain, below its path, and over https only if it is Secure")
  func scope() throws {
    let jar = try Self.jar("host=1", "domain=2; Domain=estate.example; Path=/", "tls=3; Secure; Path=/")
    let table = [
      ("https://a.estate.example/x/z", "host=1; domain=2; tls=3"),
      ("https://a.estate.example/", "domain=2; tls=3"),
      ("http://A.Estate.Example:8080/x", "host=1; domain=2"), ("https://b.estate.example/x/", "domain=2"),
      ("https://estate.example/x/", "domain=2"), ("https://b.a.estate.example/x/", "domain=2"),
      ("https://example/", nil), ("https://other.example/x/", nil), ("https://a.estate.example.evil/x/", nil),
    ]
    for (url, expected) in table { #expect(try Self.field(jar, for: url) == expected, "\(url)") }
  }

  @Test("Longer paths are first, then earlier creation, which setting a cookie again doesn't change")
  func order() throws {
    let jar = try Self.jar(
      "a=1; Path=/", "b=2; Path=/x", "c=3; Path=/", "d=4; Path=/x", "a=5; Path=/",
      "e=6; Domain=estate.example; Path=/")
    #expect(try Self.field(jar, for: "https://a.estate.example/x") == "b=2; d=4; a=5; c=3; e=6")
    #expect(jar.cookies.map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(jar.count == 5)
  }

  @Test("Name, domain, path and whether it is for the host only identify a cookie")
  func identity() throws {
    let jar = try Self.jar(
      "a=1; Path=/", "a=2; Path=/x", "a=3; Domain=estate.example; Path=/", "A=4; Path=/",
      "a=5; Domain=a.estate.example; Path=/")
    #expect(try Self.field(jar, for: "https://a.estate.example/x") == "a=2; a=1; a=3; A=4; a=5")
  }

  @Test("A cookie lasts until its expiry, and at most 400 days; one in the past is removed")
  func expiry() throws {
    let jar = try Self.jar(
      "short=1; Max-Age=60", "long=2; Max-Age=99999999999999",
      "dated=3; Expires=Fri, 01 Jan 2100 00:00:00 GMT",
      "session=4")
    #expect(jar.cookies.map(\.isPersistent) == [true, true, true, false])
    let url = "https://a.estate.example/x/"
    #expect(try Self.field(jar, for: url, after: 59) == "short=1; long=2; dated=3; session=4")
    #expect(try Self.field(jar, for: url, after: 60) == "long=2; dated=3; session=4")
    #expect(try Self.field(jar, for: url, after: 400 * 86_400 - 1) == "long=2; dated=3; session=4")
    #expect(try Self.field(jar, for: url, after: 400 * 86_400) == "session=4")

    var emptied = try Self.jar("a=1; Max-Age=60", "b=2")
    let origin = try Self.url("https://a.estate.example/x/y")
    let removals = ["a=; Max-Age=0", "b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=; Max-Age=-1"]
    let outcomes = removals.map { emptied.store($0, from: origin, at: Self.start, .singleLabels) }
    #expect(outcomes == [.changedPersistently, .changed, .unchanged])
    #expect(emptied.count == 0 && emptied.domains.isEmpty)
  }

  @Test(
    "A cookie that the rules forbid is refused with the rule",
    arguments: [
      ("a=b; Domain=other.example", .foreignDomain), ("a=b; Domain=b.a.estate.example", .foreignDomain),
      ("a=b; Domain=state.example", .foreignDomain), ("a=b; Domain=\u{E9}state.example", .foreignDomain),
      ("a=b; Domain=example", .publicSuffix), ("a=b; Domain=com", .publicSuffix), ("a=\u{0}", .malformed),
      ("a=b; SameSite=None", .sameSiteNoneWithoutSecure), ("__Secure-a=b", .prefix),
      ("__SECURE-a=b", .prefix),
      ("__Host-a=b; Secure", .prefix), ("__Host-a=b; Secure; Path=/; Domain=a.estate.example", .prefix),
      ("__host-a=b; Path=/", .prefix), ("__Host-\u{301}a=b", .prefix), ("__Host-a; Secure; Path=/", .prefix),
      ("=__Secure-a; Secure", .prefix), ("=id=1", .malformed), ("= id=1; Secure", .malformed),
    ] as [(String, CookieRefusal)])
  func refusals(_ line: String, rule: CookieRefusal) throws {
    var jar = CookieJar()
    let url = try Self.url("https://a.estate.example/x/y")
    #expect(jar.store(line, from: url, at: Self.start, .singleLabels) == .refused(rule))
    #expect(jar.count == 0)
  }

  @Test("The prefixes are accepted where their conditions are met")
  func prefixes() throws {
    let jar = try Self.jar("__Secure-a=1; Secure", "__Host-b=2; Secure; Path=/", "__Hos-c=3")
    #expect(jar.cookies.map(\.name) == ["__Secure-a", "__Host-b", "__Hos-c"])
    // The default path of a URL is not stated by the server, although it may be the root.
    let root = try Self.jar(
      "__Host-a=1; Secure", "__Host-b=2; Secure; Path", "__Host-c=3; Secure; Path=/",
      from: "https://a.estate.example/")
    #expect(root.cookies.map(\.name) == ["__Host-c"])
  }

  @Test("Over http no Secure cookie is set, nor one that would hide a Secure one")
  func insecureOrigins() throws {
    var jar = try Self.jar("id=1; Secure; Path=/login; Domain=estate.example")
    let url = try Self.url("http://a.estate.example/")
    func store(_ line: String) -> CookieJar.Outcome {
      jar.store(line, from: url, at: Self.start, .singleLabels)
    }
    #expect(store("x=1; Secure") == .refused(.secureOverHTTP))
    #expect(store("id=2; Path=/login") == .refused(.hidesSecure))
    #expect(store("id=2; Path=/login/en; Domain=estate.example") == .refused(.hidesSecure))
    // Not below the path of the Secure one, and another name.
    #expect(store("id=2; Path=/") == .changed)
    #expect(store("ID=2; Path=/login") == .changed)
  }

  @Test(
    "http of this machine counts as https for Secure, for the prefixes and for SameSite=None",
    arguments: [
      "http://localhost:8080/", "HTTP://LocalHost/", "http://localhost./", "http://app.localhost/",
      "http://127.0.0.1:3000/", "http://127.255.0.9/", "http://[::1]:8080/", "http://[0:0:0:0:0:0:0:1]/",
    ])
  func thisMachine(_ text: String) throws {
    var jar = CookieJar()
    let url = try Self.url(text)
    for (line, outcome) in [
      ("a=1; Secure", .changed), ("__Secure-b=2; Secure", .changed), ("__Host-c=3; Secure; Path=/", .changed),
      ("d=4; Secure; SameSite=None", .changed), ("a=5", .changed), ("e=6; Secure; Path=/", .changed),
      // The attributes are still required.
      ("__Secure-f=1", .refused(.prefix)), ("__Host-g=1; Secure", .refused(.prefix)),
      ("h=1; SameSite=None", .refused(.sameSiteNoneWithoutSecure)),
    ] as [(String, CookieJar.Outcome)] {
      let stored = jar.store(line, from: url, at: Self.start, .singleLabels)
      #expect(stored == outcome, "\(line)")
    }
    let field = jar.field(for: url, at: Self.start)
    #expect(field == "a=5; __Secure-b=2; __Host-c=3; d=4; e=6")
  }

  @Test(
    "http of another machine does not count as https, however its name looks",
    arguments: [
      "http://a.example/", "http://localhost.example/", "http://notlocalhost/", "http://10.0.0.1/",
      "http://128.0.0.1/", "http://0.0.0.0/", "http://[::]/", "http://[fe80::1]/", "http://[2002:7f00:1::]/",
      "http://[::2]/", "http://127.0.0.1.example/", "ftp://localhost/",
    ])
  func otherMachines(_ text: String) throws {
    var jar = CookieJar()
    let outcome = jar.store("a=1; Secure", from: try Self.url(text), at: Self.start, .singleLabels)
    #expect(outcome == .refused(.secureOverHTTP))
  }

  @Test("A cookie that is set again after it expired is a new one")
  func renewal() throws {
    var jar = try Self.jar("a=1; Max-Age=60", "b=2", from: "https://a.example.org/")
    let url = try Self.url("https://a.example.org/")
    let later = Self.start.advanced(by: .seconds(61))
    #expect(jar.store("a=3", from: url, at: later, .singleLabels) == .changed)
    #expect(jar.cookies.map(\.name) == ["b", "a"] && jar.cookies.last?.creation == later)
    #expect(jar.count == 2)
  }

  @Test("A public suffix that is the host itself makes a host-only cookie")
  func ownSuffix() throws {
    let jar = try Self.jar("a=1; Domain=localhost", from: "http://localhost:8080/")
    #expect(jar.cookies.map(\.isHostOnly) == [true])
    #expect(try Self.field(jar, for: "http://app.localhost/") == nil)
    let address = try Self.jar("a=1; Domain=192.0.2.1", from: "http://192.0.2.1/")
    #expect(try Self.field(address, for: "http://192.0.2.1:81/") == "a=1")
  }

  @Test(
    "A domain has at most 50 cookies: expired ones go first, then insecure ones, each the least recently used"
  )
  func domainLimit() throws {
    var jar = CookieJar()
    let url = try Self.url("https://a.estate.example/")
    func store(_ line: String, at second: Int64) {
      _ = jar.store(line, from: url, at: Self.start.advanced(by: .seconds(second)), .singleLabels)
    }
    store("secure=1; Secure", at: 0)
    store("expiring=1; Secure; Max-Age=30", at: 1)
    for number in 2..<50 { store("n\(number)=1; Path=/n\(number)", at: Int64(number)) }
    // The expired one was removed when another one was stored.
    #expect(jar.count == 49 && !jar.cookies.contains { $0.name == "expiring" })
    // Used, so that it is not the least recently used one.
    _ = jar.field(for: try Self.url("https://a.estate.example/n2"), at: Self.start.advanced(by: .seconds(55)))
    store("new=1", at: 60)
    #expect(jar.count == 50)
    store("newer=1", at: 61)
    #expect(jar.count == 50)
    #expect(!jar.cookies.contains { $0.name == "n3" })
    #expect(jar.cookies.prefix(3).map(\.name) == ["secure", "n2", "n4"])
  }

  @Test("If all cookies of a domain are Secure, an insecure one doesn't replace any")
  func secureStay() throws {
    var jar = CookieJar(limits: .init(perDomain: 2, total: 10))
    let url = try Self.url("https://a.estate.example/")
    for line in ["a=1; Secure", "b=1; Secure", "c=1", "d=1; Secure"] {
      _ = jar.store(line, from: url, at: Self.start, .singleLabels)
    }
    #expect(jar.cookies.map(\.name) == ["b", "d"])
  }

  @Test("Ten thousand cookies leave the limits in force", .timeLimit(.minutes(5)))
  func totalLimit() throws {
    var jar = CookieJar()
    for number in 0..<10_000 {
      let url = try Self.url("https://h\(number / 2).estate.example/")
      _ = jar.store("n\(number)=1", from: url, at: Self.start, .singleLabels)
    }
    #expect((2_700...3_000).contains(jar.count) && jar.cookies.count == jar.count)
    // The newest ones remain, none is missing between them.
    #expect(jar.cookies.map(\.name) == (10_000 - jar.count..<10_000).map { "n\($0)" })
    let url = try Self.url("https://one.example/")
    for number in 0..<10_000 { _ = jar.store("n\(number)=1", from: url, at: Self.start, .singleLabels) }
    #expect(jar.domains["one.example"]?.count == 50 && jar.count <= 3_000)
  }

  @Test("A field has at most 16 KiB; the cookies that come first by their order are sent")
  func fieldLimit() throws {
    var jar = CookieJar()
    let url = try Self.url("https://a.estate.example/")
    for number in 0..<10 {
      _ = jar.store(
        "n\(number)=" + String(repeating: "x", count: 4_000), from: url, at: Self.start, .singleLabels)
    }
    let field = jar.field(for: url, at: Self.start)?.description
    #expect(field?.split(separator: ";").count == 4 && field?.hasPrefix("n0=") == true)
  }

  @Test("No description of a cookie contains its value")
  func descriptions() throws {
    let cookie = try #require(try Self.jar("id=secret; Max-Age=9").cookies.first)
    #expect(cookie.value == "secret")
    #expect("\(cookie)" == "id=… for a.estate.example/x")
    var dumped = ""
    dump([cookie], to: &dumped)
    #expect(!(dumped + String(reflecting: cookie) + "\([cookie])").contains("secret"))
  }
}
