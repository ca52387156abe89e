import Testing

@testable import RequestLogging

@Suite struct LogTextTests {
  @Test(
    "Text is written on one line without control characters",
    arguments: [
      ("plain", "plain"), ("北京 é", "北京 é"), ("a\nb\r\0c", "a\\u{A}b\\u{D}\\u{0}c"),
      ("\u{1B}[31m", "\\u{1B}[31m"), ("x\u{202E}y", "x\\u{202E}y"), ("\u{2028}", "\\u{2028}"),
      ("a=██&b=█\n", "a=██&b=█\\u{A}"), ("\u{2587}\u{2592}", "\u{2587}\u{2592}"), ("", ""),
    ])
  func oneLine(text: String, printed: String) { #expect(LogText.escaped(text) == printed) }

  @Test("A long text is truncated, with the number of omitted characters")
  func cut() {
    #expect(LogText.escaped(String(repeating: "x", count: 12), upTo: 10) == "xxxxxxxxxx… (+2)")
    #expect(LogText.escaped(String(repeating: "é", count: 10), upTo: 10) == String(repeating: "é", count: 10))
    #expect(LogText.escaped(String(repeating: "\0", count: 1_000_000)).utf8.count < 6000)
  }

  @Test(
    "Durations are written in milliseconds with three decimals",
    arguments: [
      (.zero, "0.000"), (.microseconds(7), "0.007"), (.milliseconds(1), "1.000"), (.seconds(61), "61000.000"),
      (.nanoseconds(1_999_999), "1.999"), (.seconds(-1), "0.000"), (.milliseconds(10), "10.000"),
      (.seconds(1 << 40), "1099511627776000.000"),
    ] as [(Duration, String)])
  func durations(duration: Duration, text: String) { #expect(LogText.milliseconds(duration) == text) }
}
