import Interception
import Testing

@testable import CookieKeeping

@Suite("The eviction of cookies")
struct CookieEvictionTests {
  private static let now = WallTime(secondsSince1970: 1_700_000_000)

  private static func cookie(
    _ name: String, in domain: String, size: Int = 1, expiry: Int64? = 1_800_000_000, used: Int64 = 0
  ) -> Cookie {
    Cookie(
      nameText: FieldText(name.utf8), valueText: FieldText(repeatElement(0x76, count: size)), domain: domain,
      isHostOnly: true, path: "/", isSecure: false, isHTTPOnly: false, sameSiteRule: nil,
      expiry: expiry.map { WallTime(secondsSince1970: $0) }, creation: now,
      lastAccess: now.advanced(by: .seconds(used)))
  }

  private static func jar(_ cookies: Cookie...) -> CookieJar {
    var jar = CookieJar()
    for cookie in cookies {
      _ = jar.insert(cookie, at: WallTime(secondsSince1970: 0))
    }
    return jar
  }

  private static func size(_ jars: [String: CookieJar]) -> Int {
    CookieFileText.encode(jars.flatMap { jar in jar.value.cookies.map { (jar.key, $0) } }).count
  }

  @Test("Nothing is removed of what fits")
  func fitting() {
    var jars = ["north": Self.jar(Self.cookie("a", in: "a.example", size: 1_000))]
    #expect(CookieEviction.fit(&jars, to: 2_000, at: Self.now) == 0)
    #expect(jars["north"]?.count == 1)
  }

  @Test("The partition and the domain with the most bytes lose the cookie that was used least recently")
  func order() {
    var jars = [
      "north": Self.jar(
        Self.cookie("a", in: "big.example", size: 500, used: 2),
        Self.cookie("b", in: "big.example", size: 500, used: 1),
        Self.cookie("c", in: "small.example", size: 400, used: 0)),
      "south": Self.jar(Self.cookie("d", in: "big.example", size: 900, used: 0)),
    ]
    #expect(CookieEviction.fit(&jars, to: 2_300, at: Self.now) == 1)
    #expect(jars["north"]?.cookies.map(\.name) == ["a", "c"])
    #expect(jars["south"]?.cookies.map(\.name) == ["d"])
    #expect(Self.size(jars) <= 2_300)
  }

  @Test("Expired cookies are removed first and are not counted; session cookies are not in the file")
  func expired() {
    var jars = [
      "north": Self.jar(
        Self.cookie("old", in: "a.example", size: 900, expiry: 1_600_000_000),
        Self.cookie("session", in: "a.example", size: 900, expiry: nil),
        Self.cookie("kept", in: "a.example", size: 900))
    ]
    #expect(CookieEviction.fit(&jars, to: 1_500, at: Self.now) == 0)
    #expect(jars["north"]?.cookies.map(\.name) == ["session", "kept"])
  }

  @Test("Cookies of a login without a name are left alone, and a partition without cookies is removed")
  func partitions() {
    var unnamed = Self.jar(Self.cookie("a", in: "a.example", size: 3_000))
    unnamed.isLasting = false
    var jars = ["unnamed": unnamed, "north": Self.jar(Self.cookie("b", in: "a.example", size: 3_000))]
    #expect(CookieEviction.fit(&jars, to: 1_000, at: Self.now) == 1)
    #expect(jars.keys.sorted() == ["unnamed"])
  }
}
