import Testing

@testable import Interception

@Suite struct URIReferenceTests {
  private static let base = URIReference("http://a/b/c/d;p?q")

  @Test(
    "The normal examples of RFC 3986, section 5.4.1, are resolved",
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
      ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
      (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
      ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
      ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"),
    ])
  func normalExamples(_ reference: String, target: String) {
    #expect(URIReference(reference).resolved(against: Self.base).description == target)
  }

  @Test(
    "The abnormal examples of RFC 3986, section 5.4.2, are resolved strictly",
    arguments: [
      ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
      ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
      ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
      ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
      ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ])
  func abnormalExamples(_ reference: String, target: String) {
    #expect(URIReference(reference).resolved(against: Self.base).description == target)
  }

  @Test("A relative path is merged with a base that has an authority and no path")
  func emptyBasePath() {
    let base = URIReference("http://a?q")
    #expect(URIReference("g").resolved(against: base).description == "http://a/g")
    #expect(URIReference("../g").resolved(against: base).description == "http://a/g")
    #expect(URIReference("").resolved(against: base).description == "http://a?q")
  }

  @Test(
    "A text is split into its components, and they make up the text again",
    arguments: [
      ("ftp://ftp.is.co.za/rfc/rfc1808.txt", ["ftp", "ftp.is.co.za", "/rfc/rfc1808.txt", nil, nil]),
      (
        "http://www.ics.uci.edu/pub/ietf/uri/#Related",
        ["http", "www.ics.uci.edu", "/pub/ietf/uri/", nil, "Related"]
      ),
      (
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
        ["ldap", "[2001:db8::7]", "/c=GB", "objectClass?one", nil]
      ),
      ("mailto:John.Doe@example.com", ["mailto", nil, "John.Doe@example.com", nil, nil]),
      ("//host?", [nil, "host", "", "", nil]), ("1a:b", [nil, nil, "1a:b", nil, nil]),
      ("a b:c", [nil, nil, "a b:c", nil, nil]), (":", [nil, nil, ":", nil, nil]),
      ("#a?b", [nil, nil, "", nil, "a?b"]), ("", [nil, nil, "", nil, nil]),
    ])
  func components(_ text: String, _ parts: [String?]) {
    let reference = URIReference(text)
    #expect(
      [reference.scheme, reference.authority, reference.path, reference.query, reference.fragment] == parts)
    #expect(reference.description == text)
  }

  @Test("A long path of dot segments is resolved", .timeLimit(.minutes(5)))
  func longPath() {
    let path = String(repeating: "/a/../.", count: 200_000)
    #expect(URIReference.removingDotSegments(path) == "/")
    let climbing = String(repeating: "/a", count: 200_000) + String(repeating: "/..", count: 200_000)
    #expect(URIReference.removingDotSegments(climbing) == "/")
  }
}
