import APIManagers
import Foundation
import HTTPTypes
import Interception
import Testing

@Suite struct EndpointTests {
  struct Filter: Encodable, Sendable {
    enum Kind: String, Encodable { case house, condo }
    struct Range: Encodable { var low = 1 }
    var text = "a b&c=d"
    var kind = Kind.condo
    var rooms = [2, 3]
    var hasGarden = true
    var area = 82.5
    var limit: Int?
    var since = Date(timeIntervalSince1970: 0)
    var range: Range?
    var grid: [[Int]]?
  }

  static let service = Service("estate", at: ServiceAddress(authority: "api.example", version: "v1"))

  static func body(_ request: Request) -> String? {
    request.body.bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "The params of a GET are sent in the query, in the order of the type",
    arguments: [
      HTTPRequest.Method.get, .head, .delete,
    ])
  func query(method: HTTPRequest.Method) throws {
    let endpoint = Endpoint<Filter>(Self.service, "search", method: method, path: "/search")
    let request = try endpoint.request(for: Filter(), at: Self.service.release)
    #expect(
      request.head.path
        == "/v1/search?text=a%20b%26c%3Dd&kind=condo&rooms=2&rooms=3&hasGarden=true&area=82.5"
        + "&since=1970-01-01T00%3A00%3A00Z")
    #expect(request.body.isEmpty)
    #expect(request.head.headerFields[.contentType] == nil)
  }

  @Test("The params of a POST are sent as a JSON object with stable bytes")
  func jsonBody() throws {
    let endpoint = Endpoint<Filter>(Self.service, "search", method: .post, path: "/search")
    let request = try endpoint.request(for: Filter(), at: Self.service.release)
    #expect(request.head.path == "/v1/search")
    #expect(request.head.headerFields[.contentType] == "application/json")
    #expect(
      Self.body(request)
        == #"{"area":82.5,"hasGarden":true,"kind":"condo","rooms":[2,3],"since":"1970-01-01T00:00:00Z","#
        + #""text":"a b&c=d"}"#)
  }

  @Test("A form is encoded like a query")
  func form() throws {
    let endpoint = Endpoint<Search>(Self.service, "search", method: .post, path: "/s", encoding: .form)
    let request = try endpoint.request(for: Search(city: "Le Mans"), at: Self.service.release)
    #expect(Self.body(request) == "city=Le%20Mans&page=1")
    #expect(request.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
  }

  @Test("Fields used in the path can be omitted from the query")
  func omittedFields() throws {
    let endpoint = Endpoint<Search>(
      Self.service, "s", path: "/cities/\(\.city)", encoding: .query(omitting: ["city"]))
    #expect(
      try endpoint.request(for: Search(), at: Self.service.release).head.path == "/v1/cities/Lyon?page=1")
  }

  @Test(
    "A value that cannot be represented in a query is refused by name",
    arguments: [
      (Filter(range: Filter.Range()), "range.low"), (Filter(grid: [[1]]), "grid[0]"),
      (Filter(area: .infinity), "area"),
    ])
  func refused(params: Filter, field: String) throws {
    let endpoint = Endpoint<Filter>(Self.service, "search", path: "/search")
    let error = try #require(throws: ParamsError.self) {
      try endpoint.request(for: params, at: Self.service.release)
    }
    #expect(error.field?.hasPrefix(field.prefix(4)) == true)
  }

  @Test("Common params and header fields are sent by every API, and the API's own take precedence")
  func commonFields() throws {
    let language = try #require(HTTPField.Name("Accept-Language"))
    let service = Service(
      "estate", at: ServiceAddress(authority: "api.example"),
      common: CommonFields(
        params: { api in ["app": "7", "page": "0", "for": api.name] },
        headerFields: { _ in [.userAgent: "Estate/1", language: "de"] }))
    let endpoint = Endpoint<Search>(service, "s", path: "/s", headerFields: [language: "fr"])
    let request = try endpoint.request(for: Search(), at: service.release)
    #expect(request.head.path == "/s?city=Lyon&page=1&app=7&for=s")
    #expect(request.head.headerFields[.userAgent] == "Estate/1")
    #expect(request.head.headerFields[values: language] == ["fr"])
  }

  @Test("The request has the API's identity, cache rule, partition and time limits")
  func requestContext() throws {
    let options = RequestOptions(timeouts: RequestOptions.Timeouts(whole: .seconds(3)))
    var endpoint = Endpoint<NoParams>(
      Self.service, "ping", path: "/ping", cacheRule: .timed(.seconds(5)), options: options)
    endpoint.context.connectTarget = ConnectTarget(address: "10.0.0.1")
    endpoint.context.partition = "replaced"
    let request = try endpoint.request(for: NoParams(), at: Self.service.release, partition: "alice")
    #expect(request.context.api == APIIdentity(service: "estate", name: "ping"))
    #expect(request.context.cacheRule == .timed(.seconds(5)))
    #expect(request.context.partition == "alice")
    #expect(request.context.connectTarget == ConnectTarget(address: "10.0.0.1"))
    #expect(request.options.timeouts.whole == .seconds(3))
    #expect(request.head.scheme == "https")
    #expect(request.head.authority == "api.example")
  }

  @Test(
    "A content type that would be altered in the header field is refused",
    arguments: ["text/plain\r\nEvil: 1", "text/plain\0", " text/plain"])
  func illegalContentType(_ contentType: String) throws {
    let endpoint = Endpoint<NoParams>(
      Self.service, "note", method: .post, path: "/note",
      encoding: .custom { _ throws(ParamsError) in .init(body: .text("x"), contentType: contentType) })
    let error = try #require(throws: ParamsError.self) {
      _ = try endpoint.request(for: NoParams(), at: Self.service.release)
    }
    #expect(error.reason.contains("content type") && !error.reason.contains("Evil"))
  }

  @Test("Encoded header fields override those of the endpoint and of the service")
  func encodedHeaderFields() throws {
    let endpoint = Endpoint<String>(
      Self.service, "note", path: "/note",
      encoding: .custom { params throws(ParamsError) in .init(headerFields: [.acceptLanguage: params]) },
      headerFields: [.acceptLanguage: "en", .accept: "text/plain"])
    let request = try endpoint.request(for: "de", at: Self.service.release)
    #expect(request.head.headerFields[values: .acceptLanguage] == ["de"])
    #expect(request.head.headerFields[values: .accept] == ["text/plain"])
  }

  @Test("Content in a format of its own is sent with its type, beside a query and header fields")
  func ownContent() throws {
    let endpoint = Endpoint<String>(
      Self.service, "note", method: .post, path: "/note",
      encoding: .custom { params throws(ParamsError) in
        .init(.form(["text": params]), query: ["draft": "true"], headerFields: [.acceptLanguage: "de"])
      })
    let request = try endpoint.request(for: "a b", at: Self.service.release)
    #expect(request.head.path?.hasSuffix("/note?draft=true") == true)
    #expect(request.body.bytes == Array("text=a%20b".utf8))
    #expect(request.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
    #expect(request.head.headerFields[.acceptLanguage] == "de")
  }
}
