import HTTPTypes
import Testing

@testable import Interception

@Suite struct LocationTextTests {
  @Test(
    "Bytes that a URI cannot contain are percent-encoded, and what is encoded already is kept",
    arguments: [
      ("/a b", "/a%20b"), ("/caf\u{E9}?q=\u{4F60}#\u{1F4A9}", "/caf%C3%A9?q=%E4%BD%A0#%F0%9F%92%A9"),
      ("/%20%C3%a9", "/%20%C3%a9"), ("/100%", "/100%"), ("/\"<>^`{|}", "/%22%3C%3E%5E%60%7B%7C%7D"),
      ("/\\evil.example", "/%5Cevil.example"), (" \t/a\t ", "/a"),
      ("/[a]!$&'()*+,;=:@~", "/[a]!$&'()*+,;=:@~"),
      ("", ""),
    ])
  func encoding(_ value: String, encoded: String) {
    #expect(LocationText.encoded(value.utf8) == encoded)
  }

  @Test(
    "Bytes that are not UTF-8 are encoded as they are",
    arguments: [
      (Array("/t?n=Jos".utf8) + [0xE9], "/t?n=Jos%E9"), ([0x2F, 0xFF, 0xFE, 0x80], "/%FF%FE%80"),
      ([0x20, 0x2F, 0xA0, 0x20], "/%A0"), (Array("/\u{FFFD}".utf8), "/%EF%BF%BD"),
    ] as [([UInt8], String)])
  func opaque(_ value: [UInt8], encoded: String) {
    #expect(LocationText.encoded(value) == encoded)
    #expect(LocationText.encoded(HTTPField(name: .location, value: value)) == encoded)
  }

  @Test(
    "A control character is refused", arguments: ["/a\tb", "/a\u{0}b", "/a\nb", "/a\u{7F}"])
  func refused(_ value: String) {
    #expect(LocationText.encoded(value.utf8) == nil)
  }
}
