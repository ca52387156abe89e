import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Testing

/// Responses to POST that are stored for a later GET (RFC 9110, section 9.3.3).
@Suite struct PostedRetrievalTests {
  private static let path = "/v1/houses?city=1"

  private func fixture(
    _ fields: HTTPFields, status: HTTPResponse.Status = .ok, isStreamed: Bool = false
  ) -> CacheFixture {
    CacheFixture { request, number throws(NetworkError) in
      let bytes = Array("\(request.head.method) \(number)".utf8)
      guard request.head.method == .post else {
        return Response(status: .ok, headerFields: [.cacheControl: "max-age=30"], bytes: bytes)
      }
      let head = HTTPResponse(status: status, headerFields: fields)
      return isStreamed
        ? Response(head, body: .stream(BodyStream(length: nil, ScriptedByteSource([bytes]))))
        : Response(head, body: .bytes(bytes))
    }
  }

  private func request(
    _ method: HTTPRequest.Method, path: String = path, rule: CacheRule = .stated(), partition: String = "ann",
    fields: HTTPFields = [:]
  ) -> Request {
    .houses(
      path, rule: rule, partition: partition, method: method, fields: fields,
      body: method == .post ? .text("a house") : .empty, api: nil)
  }

  private static let storable: HTTPFields = [.cacheControl: "max-age=30", .contentLocation: path]

  @Test(
    "A fresh response to POST whose Content-Location is the target answers a later GET",
    arguments: [
      path, "https://api.estate.example" + path, "HTTPS://API.estate.example:443" + path,
      "//api.estate.example" + path, "?city=1", "", "./houses?city=1", "../v1/houses?city=1",
    ], [false, true])
  func stored(_ location: String, isStreamed: Bool) async throws {
    let fixture = fixture(
      [.cacheControl: "max-age=30", .contentLocation: location], isStreamed: isStreamed)
    let posted = try await fixture.send(request(.post))
    #expect(posted.exchange.cache == .forwarded(.method, stored: !isStreamed))
    #expect(try await posted.body.collect(upTo: 99) == Array("POST 1".utf8))
    #expect(try await fixture.text(request(.get)) == "POST 1")
    #expect(try await fixture.send(request(.get)).exchange.cache == .hit(ttl: 30))
    #expect(fixture.server.requests.count == 1)
  }

  @Test(
    "A response to POST that isn't what a GET would return is not stored",
    arguments: [
      [.cacheControl: "max-age=30"], [.contentLocation: path],
      [.cacheControl: "max-age=30", .contentLocation: "/v1/houses/7"],
      [.cacheControl: "max-age=30", .contentLocation: "http://api.estate.example" + path],
      [.cacheControl: "max-age=30", .contentLocation: "https://other.example" + path],
      [.cacheControl: "max-age=30", .contentLocation: "https://ann@api.estate.example" + path],
      [.cacheControl: "max-age=30", .contentLocation: path + "#top"],
      [.cacheControl: "max-age=30", .contentLocation: "/v1/houses"],
      [.cacheControl: "max-age=0", .contentLocation: path],
      [.cacheControl: "no-cache, max-age=30", .contentLocation: path],
      [.cacheControl: "no-store, max-age=30", .contentLocation: path],
      [.lastModified: "Sat, 05 Nov 1994 08:49:37 GMT", .contentLocation: path],
      [.cacheControl: "max-age=30", .contentLocation: path, .vary: "*"],
    ] as [HTTPFields])
  func notStored(_ fields: HTTPFields) async throws {
    let fixture = fixture(fields)
    let rule = CacheRule.stated(heuristicLimit: .seconds(86_400))
    #expect(
      try await fixture.send(request(.post, rule: rule)).exchange.cache == .forwarded(.method, stored: false))
    #expect(try await fixture.text(request(.get, rule: rule)) == "GET 2")
  }

  @Test("Two different Content-Locations, and any other status, store nothing")
  func ambiguous() async throws {
    var fields = Self.storable
    fields.append(HTTPField(name: .contentLocation, value: "/v1/houses/7"))
    for fixture in [fixture(fields), fixture(Self.storable, status: .created)] {
      _ = try await fixture.send(request(.post))
      #expect(try await fixture.text(request(.get)) == "GET 2")
    }
  }

  @Test(
    "A POST without a stated rule, with no-store, or with the mode noStore stores nothing",
    arguments: [
      (.off, [:]), (.stated(), [.cacheControl: "no-store"]), (.stated().with(.noStore), [:]),
    ] as [(CacheRule, HTTPFields)])
  func refused(_ rule: CacheRule, fields: HTTPFields) async throws {
    let fixture = fixture(Self.storable)
    _ = try await fixture.send(request(.post, rule: rule, fields: fields))
    #expect(fixture.store.count == 0)
  }

  @Test("The response replaces what was stored for the target, and serves its own account only")
  func replaced() async throws {
    let fixture = fixture(Self.storable)
    #expect(try await fixture.text(request(.get)) == "GET 1")
    #expect(try await fixture.text(request(.get, partition: "bob")) == "GET 2")
    _ = try await fixture.send(request(.post))
    #expect(try await fixture.text(request(.get)) == "POST 3")
    #expect(try await fixture.text(request(.get, partition: "bob")) == "GET 4")
    #expect(try await fixture.send(request(.post)).exchange.cache == .forwarded(.method, stored: true))
    #expect(try await fixture.text(request(.get)) == "POST 5")
  }

  @Test("A response to POST whose account was wiped meanwhile is not stored")
  func wiped() async throws {
    let fixture = CacheFixture { _, _ throws(NetworkError) in
      Response(status: .ok, headerFields: Self.storable, bytes: [1])
    }
    let wiping = ScriptedDispatcher { request, _ throws(NetworkError) in
      let response = try await fixture.server.dispatch(request)
      await fixture.cache.wipe(partition: "ann")
      return response
    }
    let chain = wiping.intercepted(by: fixture.cache)
    #expect(try await chain.dispatch(request(.post)).exchange.cache == .forwarded(.method, stored: false))
    #expect(fixture.store.count == 0)
  }
}
