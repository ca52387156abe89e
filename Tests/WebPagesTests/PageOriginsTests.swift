import HTTPTypes
import Interception
import Testing

@testable import WebPages

@Suite struct PageOriginsTests {
  private static func origins() throws -> PageOrigins {
    try PageOrigins(scheme: "Estate-Page", sites: ["www.estate.example", "Dev.Example:8443"])
  }

  private static func request(
    _ url: String, method: HTTPRequest.Method = .get, _ fields: [(String, String)] = []
  ) throws -> Request {
    var all: HTTPFields = [:]
    for (name, value) in fields {
      all.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
    }
    return try Request(url, method: method, headerFields: all)
  }

  @Test("A page's URL, origin and referrer are those of its https site, and the method, path and query stay")
  func requests() throws {
    let mapped = try Self.origins().request(
      Self.request(
        "estate-page://WWW.estate.example/a%20b?x=1", method: .put,
        [
          ("Origin", "estate-page://www.estate.example"),
          ("Referer", "estate-page://www.estate.example/loan/?estate-page://x"), ("X-Own", "1"),
        ]))
    #expect(mapped.head.scheme == "https" && mapped.head.authority == "www.estate.example")
    #expect(mapped.head.method == .put && mapped.head.path == "/a%20b?x=1")
    #expect(mapped.head.headerFields[.origin] == "https://www.estate.example")
    #expect(mapped.head.headerFields[.referer] == "https://www.estate.example/loan/?estate-page://x")
    #expect(mapped.head.headerFields[try #require(HTTPField.Name("X-Own"))] == "1")
  }

  @Test("The web view's own cookies, and what concerns the connection, are not sent")
  func dropped() throws {
    let fields = [
      "Cookie", "Accept-Encoding", "Host", "Content-Length", "Transfer-Encoding", "Keep-Alive", "TE", "X-Hop",
    ].map { ($0, "1") }
    let mapped = try Self.origins().request(
      Self.request("estate-page://www.estate.example/", fields + [("Connection", "close, x-hop")]))
    #expect(mapped.head.headerFields.isEmpty)
  }

  @Test(
    "URLs of other schemes and of unlisted sites are refused",
    arguments: [
      "https://www.estate.example/", "http://www.estate.example/", "other://www.estate.example/",
      "estate-page://estate.example/", "estate-page://evil.example/",
      "estate-page://www.estate.example.evil.example/", "estate-page://www.estate.example:444/",
      // To the web view these are other origins than the site's.
      "estate-page://www.estate.example:443/", "estate-page://www.estate.example./",
      "estate-page://dev.example/",
    ])
  func unlisted(url: String) throws {
    let request = try Self.request(url)
    let error = #expect(throws: NetworkError.self) { try Self.origins().request(request) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test(
    "Requests of other origins' pages are refused, as SameSite cookies would be",
    arguments: [
      (.post, [("Origin", "https://evil.example")]), (.get, [("Origin", "https://evil.example")]),
      (.post, [("Origin", "null")]), (.get, [("Origin", "estate-page://evil.example")]),
      (.get, [("Origin", "https://www.estate.example")]),
      (.post, [("Origin", "estate-page://www.estate.example:443")]),
      (.get, [("Referer", "https://evil.example/")]), (.post, [("Sec-Fetch-Site", "cross-site")]),
      (.get, [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Dest", "image")]),
      (.get, [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Dest", "iframe"), ("Accept", "text/html")]),
      (.post, [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Dest", "document")]),
      (.post, [("Referer", "https://evil.example/"), ("Accept", "text/html")]),
      (.post, [("Origin", "estate-page://www.estate.example"), ("Origin", "https://evil.example")]),
      // Another listed site is another origin, too.
      (.post, [("Origin", "ESTATE-PAGE://dev.example:8443")]),
      (.get, [("Origin", "estate-page://dev.example:8443")]),
      (.put, [("Referer", "estate-page://dev.example:8443/a")]),
      (.get, [("Referer", "estate-page://dev.example:8443/a")]),
      (.post, [("Referer", "estate-page://dev.example:8443/"), ("Accept", "text/html")]),
      (.post, [("Origin", "estate-page://dev.example:8443"), ("Accept", "text/html")]),
      (.get, [("Referer", "estate-page://dev.example:8443/"), ("Sec-Fetch-Dest", "iframe")]),
    ] as [(HTTPRequest.Method, [(String, String)])])
  func foreign(method: HTTPRequest.Method, fields: [(String, String)]) throws {
    let request = try Self.request("estate-page://www.estate.example/", method: method, fields)
    let error = #expect(throws: NetworkError.self) { try Self.origins().request(request) }
    #expect(error?.kind == .rejected)
  }

  @Test(
    "Requests of the sites' own pages, of the app and of links are sent",
    arguments: [
      (.post, [("Origin", "estate-page://www.estate.example")]),
      (.post, [("Origin", "ESTATE-PAGE://www.estate.example")]), (.get, []), (.post, []),
      (.post, [("Referer", "estate-page://www.estate.example/a")]),
      (.get, [("Referer", "estate-page://dev.example:8443/a"), ("Accept", "text/html")]),
      (.get, [("Origin", "estate-page://dev.example:8443"), ("Accept", "text/html")]),
      (.get, [("Sec-Fetch-Site", "same-origin")]), (.get, [("Sec-Fetch-Site", "none")]),
      (.get, [("Referer", "https://other.example/"), ("Accept", "text/html")]),
      (.get, [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Dest", "document")]),
    ] as [(HTTPRequest.Method, [(String, String)])])
  func own(method: HTTPRequest.Method, fields: [(String, String)]) throws {
    let request = try Self.request("estate-page://www.estate.example/", method: method, fields)
    #expect(throws: Never.self) { try Self.origins().request(request) }
  }

  @Test(
    "The https origin of a listed site in a response is the page's",
    arguments: [
      (
        "Location", "https://www.estate.example/b?next=https://www.estate.example/c",
        "estate-page://www.estate.example/b?next=https://www.estate.example/c"
      ),
      ("Location", "HTTPS://WWW.ESTATE.EXAMPLE:443/b", "estate-page://www.estate.example/b"),
      ("Location", "https://dev.example:8443", "estate-page://dev.example:8443"),
      ("Location", "/b", "/b"), ("Location", "https://other.example/", "https://other.example/"),
      ("Location", "http://www.estate.example/", "http://www.estate.example/"),
      ("Location", "https://www.estate.example@evil.example/", "https://www.estate.example@evil.example/"),
      ("Location", "https://www.estate.example.evil.example/", "https://www.estate.example.evil.example/"),
      ("Content-Location", "https://www.estate.example/b", "estate-page://www.estate.example/b"),
      ("Access-Control-Allow-Origin", "https://www.estate.example", "estate-page://www.estate.example"),
      ("Access-Control-Allow-Origin", "*", "*"),
      (
        "Timing-Allow-Origin", "https://a.example, https://dev.example:8443",
        "https://a.example, estate-page://dev.example:8443"
      ),
      (
        "Content-Security-Policy", "default-src 'self' https://www.estate.example;img-src https://a.example",
        "default-src 'self' estate-page://www.estate.example;img-src https://a.example"
      ),
      (
        "Link", "<https://www.estate.example/a.css>; rel=preload, <b>; title=\"https://www.estate.example\"",
        "<estate-page://www.estate.example/a.css>; rel=preload, <b>; title=\"https://www.estate.example\""
      ),
      ("Refresh", "5; url=https://www.estate.example/b", "5; url=estate-page://www.estate.example/b"),
      ("Refresh", "0;URL = 'https://dev.example:8443/';x", "0;URL = 'estate-page://dev.example:8443/';x"),
      ("Refresh", "0,\"https://www.estate.example\"", "0,\"estate-page://www.estate.example\""),
      ("Refresh", "1.5 https://www.estate.example/", "1.5 estate-page://www.estate.example/"),
      (
        "Refresh", "0; url=https://www.estate.example/?u=https://www.estate.example/",
        "0; url=estate-page://www.estate.example/?u=https://www.estate.example/"
      ),
      (
        "Refresh", "0; url=https://a.example/?u=https://www.estate.example/",
        "0; url=https://a.example/?u=https://www.estate.example/"
      ),
      ("Refresh", "5", "5"), ("Refresh", "5; url=/b", "5; url=/b"), ("Refresh", "5; url=", "5; url="),
      ("X-Own", "https://www.estate.example/", "https://www.estate.example/"),
    ])
  func responses(name: String, value: String, mapped: String) throws {
    let name = try #require(HTTPField.Name(name))
    let head = HTTPResponse(status: .ok, headerFields: [name: value])
    #expect(try Self.origins().response(head).headerFields[name] == mapped)
  }

  @Test("A response's cookies, and what concerns https and the connection, don't reach the web view")
  func droppedFromResponses() throws {
    var fields: HTTPFields = [.setCookie: "a=1", .connection: "x-hop", .transferEncoding: "chunked"]
    for name in ["X-Hop", "Strict-Transport-Security", "Alt-Svc", "Keep-Alive"] {
      fields[try #require(HTTPField.Name(name))] = "1"
    }
    fields[.contentType] = "text/html"
    let head = try Self.origins().response(HTTPResponse(status: .ok, headerFields: fields))
    #expect(head.headerFields == [.contentType: "text/html"])
  }

  @Test(
    "Schemes that web views handle themselves, and malformed ones, are refused",
    arguments: [
      "http", "HTTPS", "ws", "file", "about", "data", "blob", "javascript", "", "1a", "a b", "a:", "ä",
    ])
  func schemes(scheme: String) {
    #expect(throws: PageHandlerError.scheme(scheme)) {
      try PageOrigins(scheme: scheme, sites: ["a.example"])
    }
  }

  @Test("A site that is no host, listed twice, or missing is refused")
  func sites() {
    #expect(throws: PageHandlerError.site(nil)) { try PageOrigins(scheme: "a", sites: []) }
    #expect(throws: PageHandlerError.site("*")) { try PageOrigins(scheme: "a", sites: ["*"]) }
    #expect(throws: PageHandlerError.site("A.example:443")) {
      try PageOrigins(scheme: "a", sites: ["a.example", "A.example:443"])
    }
  }
}
