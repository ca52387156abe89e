import Testing

@testable import URLSessionTransport

@Suite struct SetCookieLineTests {
  @Test(
    "Joined cookies are split, and dates are not",
    arguments: [
      ("a=1", ["a=1"]),
      ("a=1, b=2", ["a=1", "b=2"]),
      (
        "a=1; Expires=Wed, 21 Oct 2055 07:28:00 GMT; Path=/, b=2; Path=/",
        ["a=1; Expires=Wed, 21 Oct 2055 07:28:00 GMT; Path=/", "b=2; Path=/"]
      ),
      ("a=1; Expires=Wed, 21 Oct 2055 07:28:00 GMT", ["a=1; Expires=Wed, 21 Oct 2055 07:28:00 GMT"]),
      ("a=, b=", ["a=", "b="]), ("", [""]), (",", [","]), ("a=x,y", ["a=x,y"]),
    ])
  func splitting(joined: String, lines: [String]) {
    #expect(SetCookieLine.split(joined) == lines)
  }
}
