import Testing

@testable import RequestLogging

@Suite struct JSONValueTests {
  @Test("Values are written without white space, and members in their order")
  func syntax() {
    let value = JSONValue.object([
      ("b", .list([.number(-1), .text("x"), .list([])])), ("a", .object([])), ("c", .number("1.500")),
    ])
    #expect(String(decoding: value.bytes, as: UTF8.self) == #"{"b":[-1,"x",[]],"a":{},"c":1.500}"#)
  }

  @Test(
    "Quotes, backslashes and control characters are escaped",
    arguments: [
      ("\"\\/", #"\"\\/"#), ("\0\n\u{1F}\u{7F}", #"\u0000\u000a\u001f\u007f"#), ("é北🏠", "é北🏠"),
    ])
  func escapes(text: String, written: String) {
    #expect(String(decoding: JSONValue.text(text).bytes, as: UTF8.self) == "\"\(written)\"")
  }
}
