import HTTPTypes
import RequestLogging
import Testing

@Suite struct RedactionTests {
  private func value(_ name: String, _ value: String, _ redaction: Redaction = Redaction()) throws -> String {
    redaction.value(of: HTTPField(name: try #require(HTTPField.Name(name)), value: value))
  }

  @Test(
    "E11: A field is shown only if it is known to be harmless",
    arguments: [
      ("Content-Type", "text/plain", "text/plain"), ("accept", "*/*", "*/*"), ("X-Unknown", "secret", "██"),
      ("Authorization", "Bearer x", "██"), ("Cookie", "a=b", "██"), ("X-Api-Key", "k", "██"),
      ("ETag", "x", "██"),
      ("Location", "https://u:p@a.test/x?code=1#t", "https://a.test/x?code=██#██"),
      ("Referer", "/x?y", "/x?██"),
    ])
  func fields(name: String, given: String, shown: String) throws { #expect(try value(name, given) == shown) }

  @Test(
    "Credentials, cookies and signatures stay hidden even if listed",
    arguments: [
      "Authorization", "PROXY-AUTHORIZATION", "Cookie", "Set-Cookie", "X-API-Key", "Switchyard-Signature",
      "switchyard-nonce", "Signature", "X-Amz-Security-Token",
    ])
  func listedByMistake(name: String) throws {
    var redaction = Redaction()
    redaction.shownHeaders.insert(try #require(HTTPField.Name(name)))
    #expect(try value(name, "secret", redaction) == "██")
  }

  @Test("A listed field is shown")
  func listed() throws {
    #expect(try value("ETag", "x", Redaction(showingHeaders: [.eTag])) == "x")
    #expect(try value("Accept", "x", Redaction(showingHeaders: [.eTag])) == "██")
  }

  @Test(
    "The names in a query are shown, its values hidden",
    arguments: [
      ("/x", "/x"), ("/x?", "/x?"), ("/x?a=1", "/x?a=██"), ("/x?a=1&b=2&page=3", "/x?a=██&b=██&page=3"),
      ("/x?secret", "/x?██"), ("/x?a=&b==c&&=d", "/x?a=██&b=██&&=██"), ("/x?p%61ge=1", "/x?p%61ge=██"),
      ("/x?page=1=2", "/x?page=1=2"), ("/x#f", "/x#██"), ("/x?a=b?c=d", "/x?a=██"), ("?a=1", "?a=██"),
      ("", ""),
      ("/x#y?z=1", "/x#██"), ("/x?\u{301}secret", "/x?██"),
      ("/x?a=\u{301}1&\u{301}b=2", "/x?a=██&\u{301}b=██"),
    ])
  func paths(given: String, shown: String) {
    #expect(Redaction(showingQueryValuesOf: ["page"]).path(given) == shown)
  }

  @Test(
    "User names and passwords are removed",
    arguments: [
      ("a.test:80", "a.test:80"), ("u@a.test", "a.test"), ("u:p@a.test:80", "a.test:80"),
      ("u:p@x@a.test", "a.test"), ("u:p@[::1]:80", "[::1]:80"), ("", ""), ("@", ""),
      ("u:p@\u{301}a.test", "\u{301}a.test"),
    ])
  func authorities(given: String, shown: String) { #expect(Redaction().authority(given) == shown) }

  @Test(
    "All parts of a URL are redacted",
    arguments: [
      ("https://u:p@a.test/x?y=z", "https://a.test/x?y=██"), ("//u:p@a.test?y=z", "//a.test?y=██"),
      ("https://a.test", "https://a.test"), ("/x//u@y?z=1", "/x//u@y?z=██"), ("x?y=//u@z", "x?y=██"),
      ("https://a.test?\u{301}y=z", "https://a.test?\u{301}y=██"),
    ])
  func urls(given: String, shown: String) { #expect(Redaction().url(given) == shown) }
}
