import Testing

@testable import RequestLogging

@Suite struct PathPartsTests {
  @Test(
    "A path is split at the first question mark, without its fragment",
    arguments: [
      ("/x", "/x", nil), ("/x?", "/x", ""), ("/x?a=b?c", "/x", "a=b?c"), ("/x#y?z", "/x", nil),
      ("/x?a#b", "/x", "a"), ("", "", nil), ("/x?\u{301}a", "/x", "\u{301}a"),
    ])
  func parts(text: String, path: String, query: String?) {
    #expect(PathParts(text).path == path)
    #expect(PathParts(text).query == query)
  }
}
