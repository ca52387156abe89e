import Testing

@testable import RequestLogging

@Suite struct BashTextTests {
  @Test(
    "a word is quoted no more than needed",
    arguments: [
      ("", "''"), ("a-b_c.d/e:f=g@h%i+j,k", "a-b_c.d/e:f=g@h%i+j,k"), ("a b", "'a b'"),
      ("$x`y`!", "'$x`y`!'"),
      ("it's", #"$'it\'s'"#), ("it's!", #"$'it\'s\x21'"#), (#"a\b"#, #"$'a\\b'"#),
      ("a\n\r\t", #"$'a\n\r\t'"#),
      ("\u{1}1", #"$'\x011'"#), ("北京", "$'北京'"), ("\u{202E}", #"$'\xe2\x80\xae'"#), ("#", "'#'"),
      ("~", "'~'"),
    ])
  func words(text: String, word: String) { #expect(BashText.word(text) == word) }

  @Test("bytes that are no text are escaped one by one")
  func noText() { #expect(BashText.word([0xFF, 0xC3, 0x41]) == #"$'\xff\xc3A'"#) }

  @Test("a printf format holds zeros, and escapes what printf reads")
  func formats() {
    #expect(BashText.printfFormat([0, 0x31, 0x25, 0x5C, 0x27, 0xFF]) == #"'\0001%%\\\047\377'"#)
  }
}
