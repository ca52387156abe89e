import HTTPTypes
import Testing

@testable import RequestTelemetry

@Suite struct SpanURLTests {
  @Test(
    "A URL is written without user name and fragment, and without the values of its query",
    arguments: [
      ("a.test", "/x", "https://a.test/x"), ("u:p@a.test:80", "/x", "https://a.test:80/x"),
      ("a.test", "/x?", "https://a.test/x?"), ("a.test", "/x?a=1", "https://a.test/x?a=REDACTED"),
      ("a.test", "/x?page=1&b=2", "https://a.test/x?page=1&b=REDACTED"),
      ("a.test", "/x?secret", "https://a.test/x?REDACTED"), ("a.test", "/x#f?a=1", "https://a.test/x"),
      ("a.test", "/x?a=&&b", "https://a.test/x?a=REDACTED&&REDACTED"),
      ("u@p@a.test", "/x?\u{301}secret", "https://a.test/x?REDACTED"),
      ("a.test", "/x?a=\u{301}1", "https://a.test/x?a=REDACTED"), ("[::1]:1", "/", "https://[::1]:1/"),
    ])
  func urls(authority: String, path: String, url: String) {
    let head = HTTPRequest(method: .get, scheme: "https", authority: authority, path: path)
    #expect(SpanURL(shownQueryNames: ["page"]).full(of: head) == url)
  }
}
