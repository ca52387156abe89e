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
    #expect(LocationText.encoded(value) == encoded)
  }

  @Test(
    "A control character, or what a transport makes of bytes that aren't UTF-8, is refused",
    arguments: ["/a\tb", "/a\u{0}b", "/a\nb", "/a\u{7F}", "/caf\u{FFFD}"])
  func refused(_ value: String) {
    #expect(LocationText.encoded(value) == nil)
  }
}
