import Foundation
import Interception
import Testing

@testable import CookieKeeping

@Suite struct CookieFileTextTests {
  static func cookie(
    _ name: String = "id", value: String = "1", expiry: Int64? = 1_800_000_000,
    domain: String = "estate.example", path: String = "/a"
  ) -> Cookie {
    Cookie(
      nameText: FieldText(name.utf8), valueText: FieldText(value.utf8), domain: domain,
      isHostOnly: true, path: path, isSecure: true,
      isHTTPOnly: false, sameSiteRule: .lax, expiry: expiry.map { WallTime(secondsSince1970: $0) },
      creation: WallTime(secondsSince1970: 1_700_000_000),
      lastAccess: WallTime(secondsSince1970: 1_700_000_001))
  }

  /// The largest and oddest cookies that a store accepts.
  static let extremes: [(partition: String, cookie: Cookie)] = [
    ("", cookie()), ("account\t7%\n\r\u{0}", cookie("", value: "a\tb%25\u{4F60}")),
    (String(repeating: "%", count: 10_000), cookie(value: String(repeating: "%", count: 4_094))),
    ("e\u{301}", cookie("e\u{301}", value: "")), ("\u{E9}", cookie("n", value: "=%0A=\"")),
    ("north", cookie(domain: String(repeating: "h", count: CookieURL.maximumHostLength))),
    ("north", cookie(domain: "[::1]", path: "/" + String(repeating: "\t%\u{E9}", count: 30_000))),
    ("north", cookie(expiry: .max)), ("north", cookie(expiry: .min)),
  ]

  @Test("What is encoded is decoded again; session cookies are left out")
  func roundTrip() {
    let text = CookieFileText.encode(Self.extremes + [("north", Self.cookie("session", expiry: nil))])
    let contents = CookieFileText.decode(text)
    #expect(contents.firstDamage == nil)
    #expect(
      contents.cookies.map { Array($0.partition.utf8) } == Self.extremes.map { Array($0.partition.utf8) })
    #expect(contents.cookies.map(\.cookie) == Self.extremes.map(\.cookie))
    #expect(CookieFileText.encode(contents.cookies) == text)
    let empty = CookieFileText.decode(CookieFileText.encode([]))
    #expect(empty.cookies.isEmpty && empty.firstDamage == nil)
  }

  @Test("The size of a cookie's line is that of its text, and at most its bound")
  func sizes() {
    let frame = CookieFileText.encode([]).count
    #expect(frame <= CookieFileText.maximumFrameSize)
    for (partition, cookie) in Self.extremes {
      let size = CookieFileText.size(of: cookie, in: partition)
      #expect(CookieFileText.encode([(partition, cookie)]).count == frame + size)
      #expect(size <= CookieFileText.sizeBound(of: cookie, in: partition))
    }
    #expect(CookieFileText.size(of: Self.cookie(expiry: nil), in: "north") == 0)
  }

  @Test("Of a file that is cut off at any byte, the whole lines are read, and the place is named")
  func truncation() {
    let cookies = [("a", Self.cookie()), ("b", Self.cookie("x", value: "y z"))]
    let text = CookieFileText.encode(cookies)
    for count in text.indices {
      let contents = CookieFileText.decode(Array(text[..<count]))
      #expect(contents.firstDamage != nil)
      let lines = text[..<count].count { $0 == 0x0A }
      #expect(contents.cookies.map(\.cookie) == cookies.prefix(max(lines - 1, 0)).map(\.1))
    }
  }

  @Test(
    "A byte changed anywhere loses at most the lines beside it, or gives a cookie that a server could have set"
  )
  func corruption() {
    let other = Self.cookie("other")
    let text = CookieFileText.encode([("a", Self.cookie()), ("b", other)])
    // Without the line break between them, two lines are one.
    let first = CookieFileText.encode([("a", Self.cookie())]).count - "\nend 1\n".utf8.count
    let second = text.count - "\nend 2\n".utf8.count
    for index in text.indices {
      for byte: UInt8 in [0x00, 0x09, 0x0A, 0x25, 0x3B, 0x7F, 0xFF] {
        var damaged = text
        damaged[index] = byte
        guard damaged != text else { continue }
        let contents = CookieFileText.decode(damaged)
        if index < first || index > second {
          #expect(contents.cookies.contains { $0.partition == "b" && $0.cookie == other }, "\(index) \(byte)")
        }
        if index > first {
          let isKept = contents.cookies.contains { $0.partition == "a" && $0.cookie == Self.cookie() }
          #expect(isKept, "\(index) \(byte)")
        }
        if index == first || index >= second { #expect(contents.firstDamage != nil, "\(index) \(byte)") }
        for (_, cookie) in contents.cookies {
          #expect(cookie.path.hasPrefix("/") && !cookie.domain.isEmpty)
          #expect(cookie.name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
          #expect(!cookie.name.contains(";") && !cookie.value.contains(";"))
          #expect(!cookie.name.isEmpty || !cookie.value.contains("="))
        }
      }
    }
  }

  @Test(
    "The first line that can't be read is named",
    arguments: [
      ("", 1), ("switchyard cookies 2\nend 0\n", 1), ("switchyard cookies 1\n", 2),
      ("switchyard cookies 1\nx\nend 1\n", 2), ("switchyard cookies 1\nend 1\n", 2),
      ("switchyard cookies 1\nend 0\nmore\n", 3), ("switchyard cookies 1\nend 0\nmore", 3),
      ("switchyard cookies 1\nend 0\nend 0\n", 3), ("switchyard cookies 1", 1), ("a text", 1), ("\n\n\n", 1),
    ])
  func faults(_ text: String, line: Int) {
    let contents = CookieFileText.decode(Array(text.utf8))
    #expect(contents.firstDamage == line)
    #expect(contents.cookies.isEmpty)
  }

  @Test("Lines after the end are read, and reported although each of them is valid")
  func linesAfterEnd() {
    let text = CookieFileText.encode([("a", Self.cookie())])
    let line = text.dropFirst("switchyard cookies 1\n".utf8.count).dropLast("end 1\n".utf8.count)
    let contents = CookieFileText.decode(text + line)
    #expect(contents.firstDamage == 4 && contents.cookies.map(\.partition) == ["a", "a"])
  }

  @Test(
    "A line with what no server could have set loses only itself",
    arguments: [
      ("", "sid=evil"), ("", "=sid=evil"), (" ", "1"), ("a ", "1"), ("a", " 1"), ("\t", "1"), ("", ""),
      ("", "__Host-sid"), ("__Secure-id", "1"), ("__host-id", "1"), ("a=b", "1"), ("a", "1;2"),
      ("a", String(repeating: "v", count: 4_096)),
    ])
  func foreignLines(_ name: String, _ value: String) {
    let bad = Cookie(
      nameText: FieldText(name.utf8), valueText: FieldText(value.utf8), domain: "estate.example",
      isHostOnly: true, path: "/a", isSecure: false, isHTTPOnly: false, sameSiteRule: nil,
      expiry: WallTime(secondsSince1970: 1_800_000_000), creation: WallTime(secondsSince1970: 0),
      lastAccess: WallTime(secondsSince1970: 0))
    let contents = CookieFileText.decode(
      CookieFileText.encode([("a", Self.cookie()), ("b", bad), ("c", Self.cookie())]))
    #expect(contents.firstDamage == 3)
    #expect(contents.cookies.map(\.partition) == ["a", "c"])
  }

  @Test("Only the lines of a partition are removed, also from a text that is damaged")
  func removals() {
    let lines = ["", "a", "a%", "ab"].map { ($0, Self.cookie()) }
    let text = CookieFileText.encode(lines)
    for (partition, _) in lines {
      let rest = CookieFileText.removingLines(of: partition, from: text)
      #expect(
        CookieFileText.decode(rest).cookies.map(\.partition) == lines.map(\.0).filter { $0 != partition })
    }
    for (name, other) in [("e\u{301}", "\u{E9}"), ("\u{E9}", "e\u{301}")] {
      let rest = CookieFileText.removingLines(
        of: other, from: CookieFileText.encode([(name, Self.cookie()), ("b", Self.cookie())]))
      #expect(CookieFileText.decode(rest).cookies.map(\.partition) == ["b"])
    }
    #expect(CookieFileText.removingLines(of: "a", from: Array("x\na\tsecret".utf8)) == Array("x\n".utf8))
    #expect(CookieFileText.removingLines(of: "b", from: text) == text)
  }

  @Test("Nothing is read of a file of another version; a title that is none loses no cookie")
  func titles() {
    let text = String(decoding: CookieFileText.encode([("a", Self.cookie())]), as: UTF8.self)
    let newer = text.replacingOccurrences(of: "cookies 1", with: "cookies 2")
    #expect(CookieFileText.decode(Array(newer.utf8)).cookies.isEmpty)
    for title in ["switchyard cookies 1\r", "switchyard cookies", "", "\u{0}witchyard cookies 1"] {
      let damaged = text.replacingOccurrences(of: "switchyard cookies 1", with: title)
      let contents = CookieFileText.decode(Array(damaged.utf8))
      #expect(contents.firstDamage == 1)
      #expect(contents.cookies.map(\.cookie) == [Self.cookie()])
    }
  }
}
