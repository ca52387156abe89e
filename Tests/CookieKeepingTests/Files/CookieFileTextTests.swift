import Interception
import Testing

@testable import CookieKeeping

@Suite struct CookieFileTextTests {
  static func cookie(_ name: String = "id", value: String = "1", expiry: Int64? = 1_800_000_000) -> Cookie {
    Cookie(
      nameText: FieldText(name.utf8), valueText: FieldText(value.utf8), domain: "estate.example",
      isHostOnly: true, path: "/a", isSecure: true,
      isHTTPOnly: false, sameSite: .lax, expiry: expiry.map { WallTime(secondsSince1970: $0) },
      creation: WallTime(secondsSince1970: 1_700_000_000),
      lastAccess: WallTime(secondsSince1970: 1_700_000_001))
  }

  @Test("What is encoded is decoded again, with any partition and value; session cookies are left out")
  func roundTrip() throws {
    let cookies = [
      ("", Self.cookie()), ("account\t7%\n", Self.cookie("", value: "a\tb%25=\u{4F60}")),
      ("north", Self.cookie("session", expiry: nil)),
    ]
    let text = CookieFileText.encode(cookies)
    let decoded = try CookieFileText.decode(text)
    #expect(decoded.map(\.partition) == ["", "account\t7%\n"])
    #expect(decoded.map(\.cookie) == [cookies[0].1, cookies[1].1])
    #expect(CookieFileText.encode(decoded) == text)
    #expect(try CookieFileText.decode(CookieFileText.encode([])).isEmpty)
  }

  @Test("A file that is cut off at any byte is damaged")
  func truncation() {
    let text = CookieFileText.encode([("a", Self.cookie()), ("b", Self.cookie("x", value: "y z"))])
    for count in text.indices {
      #expect(throws: CookieFileText.Fault.self) { try CookieFileText.decode(Array(text[..<count])) }
    }
  }

  @Test("A byte changed anywhere is reported, or gives a cookie that a server could have set")
  func corruption() {
    let text = CookieFileText.encode([("a", Self.cookie())])
    for index in text.indices {
      for byte: UInt8 in [0x00, 0x09, 0x0A, 0x25, 0x3B, 0x7F, 0xFF] {
        var damaged = text
        damaged[index] = byte
        guard let (_, cookie) = try? CookieFileText.decode(damaged).first else { continue }
        #expect(cookie.path.hasPrefix("/") && !cookie.domain.isEmpty)
        #expect(cookie.name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        #expect(!cookie.name.contains(";") && !cookie.value.contains(";"))
      }
    }
  }

  @Test(
    "The first line that can't be read is named",
    arguments: [
      ("", 1), ("switchyard cookies 2\nend 0\n", 1), ("switchyard cookies 1\n", 2),
      ("switchyard cookies 1\nx\nend 1\n", 2), ("switchyard cookies 1\nend 1\n", 2),
      ("switchyard cookies 1\nend 0\nmore\n", 3),
    ])
  func faults(_ text: String, line: Int) {
    #expect(throws: CookieFileText.Fault(line: line)) { try CookieFileText.decode(Array(text.utf8)) }
  }
}
