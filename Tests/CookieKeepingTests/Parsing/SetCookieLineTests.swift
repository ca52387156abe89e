import Interception
import Testing

@testable import CookieKeeping

@Suite struct SetCookieLineTests {
  @Test("The attributes of a line are read, ignoring case and white space; the last of each counts")
  func attributes() throws {
    let line = try #require(
      SetCookieLine(
        " id = a=b ; DOMAIN=.Estate.Example; path=/a; Path=/b ;secure; HttpOnly=x; samesite=LAX; unknown=1; Max-Age=60"
      ))
    #expect(line.name == "id")
    #expect(line.value == "a=b")
    #expect(line.domain == "estate.example")
    #expect(line.path == "/b")
    #expect(line.isSecure && line.isHTTPOnly)
    #expect(line.sameSite == .lax)
    #expect(line.expiry == .after(60))
  }

  @Test("Max-Age takes precedence over Expires, and an invalid one is ignored")
  func expiry() {
    let table: [(String, SetCookieLine.Expiry?)] = [
      ("Max-Age=10; Expires=Wed, 09 Dec 2009 16:27:23 GMT", .after(10)),
      ("Expires=Wed, 09 Dec 2009 16:27:23 GMT", .at(WallTime(secondsSince1970: 1_260_376_043))),
      ("Max-Age=0", .after(0)), ("Max-Age=-1", .after(0)), ("Max-Age=-99999999999999999999", .after(0)),
      ("Max-Age=99999999999999999999", .after(.max)), ("Max-Age=", nil), ("Max-Age=-", nil),
      ("Max-Age=1x", nil), ("Max-Age=+1", nil), ("Expires=never", nil), ("Max-Age=5; Max-Age=x", .after(5)),
    ]
    for (attributes, expected) in table {
      #expect(SetCookieLine("a=b; \(attributes)")?.expiry == expected, "\(attributes)")
    }
  }

  @Test("A path that is not absolute, and a SameSite that is unknown, reset earlier ones")
  func resets() {
    let line = SetCookieLine("a=b; Path=/x; Path=y; SameSite=Lax; SameSite=Other; Domain=a.example; Domain=")
    #expect(line?.path == nil && line?.sameSite == nil && line?.domain == "")
  }

  @Test(
    "Lines with control characters, without content or with too much of it are refused",
    arguments: [
      "a=\u{0}b", "a=b\r", "a=b; Path=/\u{1}", "a\u{7F}=b", "", "=", "  ;x", " = ; Path=/",
      "a=" + String(repeating: "b", count: 4_096), String(repeating: "a", count: 4_097),
    ])
  func refused(_ text: String) {
    #expect(SetCookieLine(text) == nil)
  }

  @Test(
    "A value without a name has no equals sign, however the line is spaced",
    arguments: [
      "=sid=evil", "= sid=evil", "=\tsid=evil", " =sid=evil", "\t = sid=evil", "=sid =evil", "=sid=", "==",
      "==evil", "=\"sid=evil\"", "= sid=evil ; Path=/; Secure", "=sid=evil;", "=a b=c",
    ])
  func namelessPairs(_ text: String) {
    #expect(SetCookieLine(FieldText(text.utf8)) == nil)
  }

  @Test(
    "A name with white space of Unicode around it is refused, which some servers trim",
    arguments: [
      "\u{A0}sid=evil", "sid\u{A0}=evil", "\u{2000}__Host-sid=evil", "\u{3000}sid", "\u{FEFF}sid=1",
    ])
  func spacedNames(_ text: String) {
    #expect(SetCookieLine(FieldText(text.utf8)) == nil)
    let latin1 = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
    guard latin1.count == text.unicodeScalars.count else { return }
    #expect(SetCookieLine(FieldText(latin1)) == nil)
  }

  @Test("A value without a name is kept, and a name's value may have equals signs")
  func nameless() {
    let table = [
      ("=sid", "", "sid"), ("sid", "", "sid"), ("=\tsid ", "", "sid"), ("a==b=", "a", "=b="),
      ("\u{E9}=\u{A0}1", "\u{E9}", "\u{A0}1"), ("a\u{A0}b=1", "a\u{A0}b", "1"),
    ]
    for (text, name, value) in table {
      let line = SetCookieLine(FieldText(text.utf8))
      #expect(line?.name.description == name && line?.value.description == value, "\(text)")
    }
  }

  @Test("4,096 bytes are accepted, tabs are, and an attribute of more than 1,024 bytes is ignored")
  func limits() {
    #expect(SetCookieLine("a=" + String(repeating: "b", count: 4_095)) != nil)
    #expect(SetCookieLine("a=b\tc")?.value == "b\tc")
    let long = "/" + String(repeating: "p", count: 1_024)
    #expect(SetCookieLine("a=b; Path=/short; Path=\(long)")?.path == "/short")
    #expect(SetCookieLine("a=b; Path=\(long.dropLast())")?.path?.utf8.count == 1_024)
  }

  @Test("A cookie is read from a line with a megabyte of attributes", .timeLimit(.minutes(5)))
  func manyAttributes() {
    #expect(SetCookieLine("a=b" + String(repeating: "; x=y", count: 200_000))?.name == "a")
    #expect(SetCookieLine("a=b; Expires=" + String(repeating: "1 ", count: 500))?.expiry == nil)
  }
}
