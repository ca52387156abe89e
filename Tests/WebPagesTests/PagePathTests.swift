import Testing

@testable import WebPages

@Suite struct PagePathTests {
  @Test(
    "A request's path leads to the file of a package",
    arguments: [
      ("/", "index.html"), ("/loan/", "loan/index.html"), ("/a.html?x=/../y", "a.html"), ("/a#b", "a"),
      ("/%C3%BC.html", "ü.html"), ("/a%20b/c", "a b/c"), ("/...", "..."), ("/.well-known/x", ".well-known/x"),
      ("/?q", "index.html"),
    ])
  func file(target: String, path: String) {
    #expect(PagePath.file(for: target) == Array(path.utf8))
  }

  @Test(
    "No file of a package has a path that leaves it, or that is read in two ways",
    arguments: [
      "", "a", "/..", "/../a", "/a/../b", "/./a", "//a", "/a//b", "/%2e%2e/a", "/%2E./a", "/a%2Fb",
      "/a%2f..%2fb",
      "/a%5Cb", "/a\\b", "/a%00", "/%0A", "/%", "/%4", "/%zz", "/%FF", "/a/%2e%2e/", "/a//", "*",
      "/" + String(repeating: "a", count: 1_025),
    ])
  func noFile(target: String) {
    #expect(PagePath.file(for: target) == nil)
  }

  @Test("Paths that differ only in how a character is composed are two files")
  func composition() throws {
    var package = try PagePackage(site: "a.example", version: 1)
    try package.add("\u{E9}", type: "text/plain", [1])
    try package.add("e\u{301}", type: "text/plain", [2])
    #expect(PagePath.file(for: "/%C3%A9") != PagePath.file(for: "/e%CC%81"))
  }

  @Test(
    "Sites are compared in lower case, without the port of https",
    arguments: [
      ("WWW.Example.COM", "www.example.com"), ("a.example:443", "a.example"),
      ("a.example:8443", "a.example:8443"), ("a.example.", "a.example"), ("localhost:1", "localhost:1"),
      ("127.0.0.1", "127.0.0.1"), ("[::1]", "[::1]"), ("[::1]:443", "[::1]"),
    ])
  func site(text: String, canonical: String) { #expect(PageSite.canonical(text) == canonical) }

  @Test(
    "What is not a host is no site",
    arguments: [
      "", "*.example.com", "https://a.example", "a.example/b", "a..b", "user@a.example", "a.example:", "a:0",
      "a.example:99999", "a.example:x", "a b", "ä.example", "1.2.3", "[::1", "..",
    ])
  func noSite(text: String) { #expect(PageSite.canonical(text) == nil) }
}
