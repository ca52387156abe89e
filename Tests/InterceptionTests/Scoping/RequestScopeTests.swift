import HTTPTypes
import Testing

@testable import Interception

@Suite struct RequestScopeTests {
  private static func request(
    _ authority: String? = "api.example", scheme: String = "https", api: APIIdentity? = nil
  ) -> Request {
    var request = Request(
      HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/houses"))
    request.context.api = api
    return request
  }

  private static let list = APIIdentity(service: "estate", name: "houses.list")

  @Test("B5: A scope contains the requests of its service, its API, its authority or its predicate")
  func kinds() {
    let other = APIIdentity(service: "estate", name: "houses.add")
    let foreign = APIIdentity(service: "media", name: "houses.list")
    func contained(in scope: Request.Scope) -> [Bool] {
      [Self.list, other, foreign, nil].map { scope.contains(Self.request(api: $0)) }
    }
    #expect(contained(in: .service("estate")) == [true, true, false, false])
    #expect(contained(in: .api(Self.list)) == [true, false, false, false])
    #expect(contained(in: .authority("api.example")) == [true, true, true, true])
    #expect(contained(in: .authority("other.example")) == [false, false, false, false])
    #expect(contained(in: .where { $0.context.api?.name == "houses.list" }) == [true, false, true, false])
    #expect(
      contained(in: .service("media").union(.api(Self.list))) == [true, false, true, false])
    #expect(
      contained(in: .service("estate").intersection(.where { $0.context.api != Self.list }))
        == [false, true, false, false])
  }

  @Test(
    "An authority is compared without regard to case and to the default port",
    arguments: [
      ("api.example", "api.example", "https", true), ("API.example", "api.Example", "https", true),
      ("api.example", "api.example:443", "https", true), ("api.example:443", "api.example", "https", true),
      ("api.example:443", "API.EXAMPLE:443", "https", true), ("api.example", "api.example:80", "http", true),
      ("api.example:80", "api.example", "HTTP", true), ("api.example:443", "api.example", "http", false),
      ("api.example", "api.example:443", "http", false), ("api.example", "api.example:8443", "https", false),
      ("api.example:8443", "api.example:8443", "https", true),
      ("api.example", "api.example.org", "https", false),
      ("api.example", "wwwapi.example", "https", false),
      ("api.example", "API.example.", "https", true), ("api.example.", "api.example", "https", true),
      ("api.example", "api.example.:443", "https", true),
      ("api.example.:8443", "api.example:8443", "http", true),
      ("[2001:DB8:0::1]", "[2001:db8::1]:443", "https", true),
      ("[2001:db8::443]", "[2001:db8::443]", "https", true),
      ("[2001:db8::]", "[2001:db8::]:443", "https", true), ("api.example", "", "https", false),
      ("", "api.example", "https", false), ("example:443", "example:443:443", "https", false),
    ])
  func authorities(_ scope: String, _ authority: String, _ scheme: String, _ isContained: Bool) {
    let request = Self.request(authority, scheme: scheme)
    #expect(Request.Scope.authority(scope).contains(request) == isContained)
  }

  @Test("A request without an authority belongs to the scope of none")
  func noAuthority() {
    #expect(!Request.Scope.authority("").contains(Self.request(nil)))
  }

  @Test("Scopes that name the same service, API or authority certainly overlap")
  func overlaps() {
    let estate = Request.Scope.service("estate")
    let overlapping: [(Request.Scope, Request.Scope)] = [
      (estate, .service("estate")), (estate, .api(Self.list)), (.api(Self.list), .api(Self.list)),
      (.authority("API.example"), .authority("api.example")),
      (.service("media").union(estate), .service("news").union(.api(Self.list))),
    ]
    for (left, right) in overlapping {
      #expect(left.certainlyOverlaps(right))
      #expect(right.certainlyOverlaps(left))
    }
    let others: [(Request.Scope, Request.Scope)] = [
      (estate, .service("media")), (.service("media"), .api(Self.list)),
      (.authority("a.example"), .authority("b.example")), (estate, .authority("api.example")),
      (.where { _ in true }, .where { _ in true }), (estate, estate.intersection(.service("media"))),
    ]
    for (left, right) in others {
      #expect(!left.certainlyOverlaps(right))
      #expect(!right.certainlyOverlaps(left))
    }
  }
}
