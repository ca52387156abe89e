import Testing

@testable import RequestLogging

@Suite struct BashTextTests {
  @Test(
    "A word is quoted only as much as needed",
    arguments: [
      ("", "''"), ("a-b_c.d/e:f=g@h%i+j,k", "a-b_c.d/e:f=g@h%i+j,k"), ("a b", "'a b'"),
      ("$x`y`!", "'$x`y`!'"),
      ("it's", #"$'it\'s'"#), ("it's!", #"$'it\'s\x21'"#), (#"a\b"#, #"$'a\\b'"#),
      ("a\n\r\t", #"$'a\n\r\t'"#),
      ("\u{1}1", #"$'\x011'"#), ("北京", "$'北京'"), ("\u{202E}", #"$'\xe2\x80\xae'"#), ("#", "'#'"),
      ("~", "'~'"),
    ])
  func words(text: String, word: String) { #expect(BashText.word(text) == word) }

  @Test("Bytes that aren't UTF-8 are escaped individually")
  func noText() { #expect(BashText.word([0xFF, 0xC3, 0x41]) == #"$'\xff\xc3A'"#) }

  @Test("A printf format can contain zeros, and escapes printf's special characters")
  func formats() {
    #expect(BashText.printfFormat([0, 0x31, 0x25, 0x5C, 0x27, 0xFF]) == #"'\0001%%\\\047\377'"#)
  }
}
