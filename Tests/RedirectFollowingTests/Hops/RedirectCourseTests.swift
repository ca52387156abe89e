import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RedirectFollowing

@Suite struct RedirectCourseTests {
  private static let start = HTTPRequest(
    method: .get, scheme: "https", authority: "a.example", path: "/x?token=secret")

  private static func response(_ code: Int, _ locations: String...) -> HTTPResponse {
    let fields = HTTPFields(locations.map { HTTPField(name: .location, value: $0) })
    return HTTPResponse(status: .init(code: code), headerFields: fields)
  }

  private static func hop(
    _ response: HTTPResponse, from request: HTTPRequest = start, body: RequestBody = .empty,
    rules: RedirectRules = RedirectRules()
  ) throws(RedirectError) -> RedirectHop? {
    var course = RedirectCourse(rules, mode: .follow)
    return try course.hop(from: request, body, by: response)
  }

  @Test(
    "Each status keeps or changes the method, and keeps or drops the body, as RFC 9110 says",
    arguments: [
      (
        301,
        [
          "GET": "GET+", "HEAD": "HEAD+", "POST": "GET", "PUT": "PUT+", "DELETE": "DELETE+",
          "PATCH": "PATCH+",
        ]
      ),
      (302, ["GET": "GET+", "HEAD": "HEAD+", "POST": "GET", "PUT": "PUT+", "QUERY": "QUERY+"]),
      (303, ["GET": "GET", "HEAD": "HEAD", "POST": "GET", "PUT": "GET", "DELETE": "GET", "QUERY": "GET"]),
      (307, ["GET": "GET+", "HEAD": "HEAD+", "POST": "POST+", "PUT": "PUT+"]),
      (308, ["GET": "GET+", "HEAD": "HEAD+", "POST": "POST+", "DELETE": "DELETE+"]),
    ] as [(Int, [String: String])])
  func methods(_ code: Int, _ table: [String: String]) throws {
    for (method, expected) in table {
      var request = Self.start
      request.method = try #require(HTTPRequest.Method(method))
      let hop = try #require(
        try Self.hop(Self.response(code, "/y"), from: request, body: .text("content")))
      #expect(hop.method.rawValue + (hop.keepsBody ? "+" : "") == expected, "\(code) after \(method)")
      #expect(hop.target.url == "https://a.example/y")
      #expect(!hop.crossesOrigin)
    }
  }

  @Test("Other statuses are returned", arguments: [200, 201, 204, 300, 304, 305, 306, 309, 399, 401, 503])
  func otherStatuses(_ code: Int) throws {
    #expect(try Self.hop(Self.response(code, "/y")) == nil)
  }

  @Test("A response without Location, or with an empty one, is returned")
  func noLocation() throws {
    #expect(try Self.hop(Self.response(302)) == nil)
    #expect(try Self.hop(Self.response(302, "")) == nil)
    #expect(try Self.hop(Self.response(302, "", "")) == nil)
  }

  @Test("The same Location several times, and an empty one beside it, count as one")
  func repeatedLocations() throws {
    for values in [["/y"], ["/y", "/y"], ["/y", "/y", "/y"], ["", "/y"]] {
      var response = Self.response(302)
      for value in values { response.headerFields.append(HTTPField(name: .location, value: value)) }
      #expect(try Self.hop(response)?.target.path == "/y", "\(values)")
    }
  }

  @Test("Different Locations are an error that names the field and none of the values")
  func differentLocations() throws {
    let error = #expect(throws: RedirectError.self) { try Self.hop(Self.response(302, "/y?k=s3cret", "/z")) }
    #expect(error?.rule == .invalidLocation("the response has 2 different values of Location"))
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test("A request to which a reference can't be relative is returned")
  func noBase() throws {
    let request = HTTPRequest(method: .options, scheme: "https", authority: "a.example", path: "*")
    #expect(try Self.hop(Self.response(302, "/y"), from: request) == nil)
  }

  @Test(
    "A forbidden redirect names its rule",
    arguments: [
      ("http://a.example/", .downgrade), ("javascript:alert(document.cookie)", .scheme("javascript")),
      ("data:text/html,secret", .scheme("data")), ("file:///etc/passwd", .scheme("file")),
      ("https://127.0.0.1/", .privateAddress), ("https://[::ffff:10.0.0.1]/", .privateAddress),
      ("//localhost:8080/", .privateAddress),
      (
        "https://\u{E4}.example/",
        .invalidLocation("its host is not a name of letters, digits, hyphens, dots and underscores")
      ),
      ("/a\tb", .invalidLocation("it contains a control character")),
    ] as [(String, RedirectError.Rule)])
  func forbidden(_ location: String, rule: RedirectError.Rule) throws {
    let rules = RedirectRules(allowsPrivateAddresses: false)
    let error = try #require(
      #expect(throws: RedirectError.self) { try Self.hop(Self.response(302, location), rules: rules) })
    #expect(error.rule == rule)
    #expect(error.hops.first == "GET https://a.example/x")
    #expect(!"\(error)".contains("secret"))
  }

  @Test(
    "A request that stays in its origin follows no redirect to another one",
    arguments: [
      ("/y", true), ("https://A.example:443/", true), ("//b.example/", false),
      ("https://a.example:444/", false),
      ("https://a.example.evil.example/", false), ("http://a.example/", false),
    ])
  func staysInOrigin(_ location: String, isFollowed: Bool) throws {
    var course = RedirectCourse(
      RedirectRules(allowsDowngrades: true), mode: .follow, staysInOrigin: true)
    for response in [Self.response(302, "/again"), Self.response(307, location)] {
      do throws(RedirectError) {
        let hop = try course.hop(from: Self.start, .empty, by: response)
        #expect(hop?.crossesOrigin == false)
        #expect(isFollowed || response.headerFields[.location] == "/again")
      } catch {
        #expect(!isFollowed && error.rule == .otherOrigin)
      }
    }
    #expect(course.redirects.count == (isFollowed ? 2 : 1))
  }

  @Test("What is forbidden by default is followed if it is allowed, and the reverse")
  func allowed() throws {
    let lenient = RedirectRules(allowsDowngrades: true)
    let hop = try #require(try Self.hop(Self.response(302, "http://127.0.0.1/"), rules: lenient))
    #expect(hop.isDowngrade && hop.crossesOrigin)
    let strict = RedirectRules(allowsPrivateAddresses: false)
    var request = Self.start
    request.authority = "localhost:8443"
    // From one private address to another one nothing is gained.
    #expect(try Self.hop(Self.response(302, "https://127.0.0.1/"), from: request, rules: strict) != nil)
    #expect(try Self.hop(Self.response(302, "https://192.0.3.7/"), rules: strict) != nil)
  }

  @Test("Upgrades, other hosts and other ports cross origins; another form of the same one does not")
  func origins() throws {
    let table = [
      ("https://b.example/", true), ("https://a.example:8443/", true), ("//A.EXAMPLE:443/y", false),
      ("../z", false),
    ]
    for (location, crosses) in table {
      #expect(try Self.hop(Self.response(307, location))?.crossesOrigin == crosses, "\(location)")
    }
    var request = Self.start
    request.scheme = "http"
    let upgrade = try #require(try Self.hop(Self.response(301, "https://a.example/x"), from: request))
    #expect(upgrade.crossesOrigin && !upgrade.isDowngrade)
  }

  @Test("A body that can be sent once fails where it is needed again, and only there")
  func bodies() throws {
    func once(_ length: Int64?) -> RequestBody { .once(length: length, ScriptedByteSource([[1]])) }
    var request = Self.start
    request.method = .post
    for code in [307, 308] {
      let error = try #require(
        #expect(throws: RedirectError.self) {
          try Self.hop(Self.response(code, "/y?secret"), from: request, body: once(nil))
        })
      #expect(error.rule == .bodyNotReplayable)
      #expect(error.hops == ["POST https://a.example/x", "\(code) POST https://a.example/y"])
      #expect(try Self.hop(Self.response(code, "/y"), from: request, body: once(0))?.keepsBody == true)
    }
    #expect(try Self.hop(Self.response(303, "/y"), from: request, body: once(nil))?.keepsBody == false)
  }

  @Test("The limit holds for the whole call, and the error names every hop without its query")
  func limit() throws {
    var course = RedirectCourse(RedirectRules(limit: 3), mode: .follow)
    var request = Self.start
    for number in 1...3 {
      let hop = try #require(
        try course.hop(from: request, .empty, by: Self.response(302, "/\(number)?secret")))
      request.path = hop.target.pathAndQuery
    }
    let error = try #require(
      #expect(throws: RedirectError.self) {
        try course.hop(from: request, .empty, by: Self.response(302, "/4?secret"))
      })
    #expect(error.rule == .tooMany(limit: 3))
    #expect(
      error.hops == ["GET https://a.example/x"] + (1...4).map { "302 GET https://a.example/\($0)" })
    #expect(course.redirects.map(\.url) == (1...3).map { "https://a.example/\($0)?secret" })
    #expect(throws: RedirectError.self) {
      try Self.hop(Self.response(302, "/y"), rules: RedirectRules(limit: 0))
    }
  }

  @Test(
    "A redirect to a URL that was requested before is followed, whatever its form and status",
    arguments: [
      (302, "/x?token=secret"), (303, "#done"), (303, "?token=secret"),
      (307, "https://A.example:443/x?token=secret"),
      (308, "./x?token=secret"),
    ])
  func visited(_ code: Int, _ location: String) throws {
    var course = RedirectCourse(RedirectRules(limit: 3), mode: .follow)
    for _ in 1...3 {
      #expect(try course.hop(from: Self.start, .empty, by: Self.response(code, location)) != nil)
    }
    let error = try #require(
      #expect(throws: RedirectError.self) {
        try course.hop(from: Self.start, .empty, by: Self.response(code, location))
      })
    #expect(error.rule == .tooMany(limit: 3))
    #expect(error.hops.count == 5)
    #expect(
      error.cycle == ["\(code) GET https://a.example/x", "\(code) GET https://a.example/x"])
    #expect(!"\(error)".contains("secret"))
  }

  @Test(
    "An endless cycle ends at the limit, and the error names its hops alone",
    arguments: [
      // The targets of the redirects, and where the cycle of four redirects begins among them.
      (["/a", "/b", "/a", "/b"], ["/b", "/a", "/b"]),
      (["/a", "/b", "/c", "/a"], ["/a", "/b", "/c", "/a"]),
      (["/a", "/b", "/c", "/c"], ["/c", "/c"]),
      (["/a", "/b", "/c", "/d"], []),
      // Other queries are other URLs, as those of a server that counts.
      (["/a?1", "/a?2", "/a?3", "/a?4"], []),
    ])
  func cycles(_ locations: [String], _ expected: [String]) throws {
    var course = RedirectCourse(RedirectRules(limit: 3), mode: .follow)
    var request = Self.start
    var thrown: RedirectError?
    for location in locations {
      do throws(RedirectError) {
        request.path = try course.hop(from: request, .empty, by: Self.response(302, location))?.target.path
      } catch {
        thrown = error
      }
    }
    let error = try #require(thrown)
    #expect(error.rule == .tooMany(limit: 3))
    #expect(error.cycle == expected.map { "302 GET https://a.example\($0)" })
    #expect("\(error)".contains("Cycle: 302 GET https://a.example") == !expected.isEmpty)
    #expect("\(error)".contains("Hops: GET https://a.example/x") == expected.isEmpty)
  }

  @Test("A POST and the GET of the same URL after it are no cycle")
  func methodsOfCycle() throws {
    var course = RedirectCourse(RedirectRules(limit: 0), mode: .follow)
    var post = Self.start
    post.method = .post
    let error = #expect(throws: RedirectError.self) {
      try course.hop(from: post, .empty, by: Self.response(303, "/x?token=secret"))
    }
    #expect(error?.rule == .tooMany(limit: 0))
    #expect(error?.cycle == [])
  }

  @Test("A fragment is inherited until a Location has its own, and is in the hop's URL")
  func fragments() throws {
    var course = RedirectCourse(RedirectRules(), mode: .follow)
    var request = Self.start
    for (location, url) in [
      ("/1#one", "/1#one"), ("/2", "/2#one"), ("/3#", "/3#"), ("/4", "/4#"), ("/5#five", "/5#five"),
    ] {
      let hop = try #require(try course.hop(from: request, .empty, by: Self.response(302, location)))
      #expect(course.redirects.last?.url == "https://a.example" + url)
      request.path = hop.target.pathAndQuery
      #expect(request.path?.contains("#") == false)
    }
  }

  @Test("By the mode, a redirect is returned or fails; the latter names the first request")
  func modes() throws {
    var manual = RedirectCourse(RedirectRules(), mode: .manual)
    #expect(try manual.hop(from: Self.start, .empty, by: Self.response(302, "javascript:x")) == nil)
    var refusing = RedirectCourse(RedirectRules(), mode: .refuse)
    let error = #expect(throws: RedirectError.self) {
      try refusing.hop(from: Self.start, .empty, by: Self.response(302, "/y"))
    }
    #expect(error == RedirectError(rule: .refused, hops: ["GET https://a.example/x"]))
    #expect(try refusing.hop(from: Self.start, .empty, by: Self.response(304, "/y")) == nil)
  }

  @Test("An error stays short however long the URLs are")
  func longURLs() throws {
    let long = "/" + String(repeating: "a", count: 60_000)
    let error = try #require(
      #expect(throws: RedirectError.self) { try Self.hop(Self.response(302, "http://b.example" + long)) })
    #expect("\(error)".utf8.count < 600)
    let scheme = String(repeating: "s", count: 60_000) + ":x"
    #expect(throws: RedirectError.self) { try Self.hop(Self.response(302, scheme)) }
  }
}
