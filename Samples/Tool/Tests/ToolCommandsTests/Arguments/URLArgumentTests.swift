import Testing
import ToolCommands

@Suite("Arguments without their first or their right letters")
struct URLArgumentTests {
  @Test(
    "A URL without a scheme gets one",
    arguments: [
      ("localhost:8932/", "http://localhost:8932/"), ("127.0.0.1", "http://127.0.0.1"),
      ("[::1]:80/a?b", "http://[::1]:80/a?b"), ("example.com/a?u=b:c", "https://example.com/a?u=b:c"),
      ("example.com:8443", "https://example.com:8443"), ("a.test/?u=http://b", "https://a.test/?u=http://b"),
      ("http://a.test/", "http://a.test/"),
      ("htp:/x", "htp:/x"), ("mailto:a", "mailto:a"), ("/a", "/a"), ("", ""),
    ])
  func schemes(text: String, url: String) { #expect(URLArgument.completed(text) == url) }

  @Test(
    "A misspelt command gets the nearest one",
    arguments: [("gett", "get"), ("dowload", "download"), ("uplaod", "upload"), ("fetch", nil), ("x", nil)])
  func commands(typed: String, suggestion: String?) {
    let names = ["get", "post", "send", "download", "upload", "bench"]
    #expect(CommandName.suggestion(for: typed, among: names) == suggestion)
  }
}
