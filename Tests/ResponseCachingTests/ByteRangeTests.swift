import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResponseCaching

@Suite struct ByteRangeTests {
  @Test(
    "A range is parsed and applied to eleven bytes",
    arguments: [
      ("bytes=0-1", 0..<2), ("bytes=1-", 1..<11), ("bytes=-1", 10..<11), ("bytes=-99", 0..<11),
      ("bytes=9-99", 9..<11), ("BYTES= 3-3 ", 3..<4), ("bytes=11-", nil), ("bytes=-0", nil),
      ("bytes=11-12", nil), ("bytes=0-\(Int.max)", 0..<11), ("bytes=, 0-1 ,", 0..<2),
    ] as [(String, Range<Int>?)])
  func bounds(_ text: String, bytes: Range<Int>?) throws {
    #expect(try #require(ByteRange(text)).bounds(in: 11) == bytes)
    #expect(ByteRange(text)?.bounds(in: 0) == nil)
  }

  @Test(
    "Anything but a single byte range is refused",
    arguments: [
      "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=1", "bytes=2-1", "bytes=0-1,3-4", "bytes=a-b",
      "bytes=+1-2",
      "bytes=0-1-2", "bytes=--1", "items=0-1", "bytes=99999999999999999999-",
    ])
  func refused(_ text: String) {
    #expect(ByteRange(text) == nil)
  }

  private func fixture(_ fields: HTTPFields = [:]) -> CacheFixture {
    var all: HTTPFields = [.cacheControl: "max-age=30", .contentLength: "10", .eTag: "\"a\""]
    for field in fields { all[field.name] = field.value }
    let fields = all
    return CacheFixture { _, _ throws(NetworkError) in
      Response(
        HTTPResponse(status: .ok, headerFields: fields), body: .bytes(Array("0123456789".utf8)),
        trailers: [.init("Digest") ?? .age: "of all"])
    }
  }

  private func part(_ range: String = "bytes=2-4", rule: CacheRule = .stated(limit: .seconds(60))) -> Request
  {
    .houses(rule: rule, fields: [.range: range])
  }

  @Test("Under a stated rule, a Range is served from a fresh stored response")
  func answered() async throws {
    let fixture = fixture()
    _ = try await fixture.send(.stated())
    fixture.clock.advance(by: .seconds(5))
    for rule in [CacheRule.stated(limit: .seconds(60)), .stated(limit: .seconds(60)).with(.onlyStored)] {
      let response = try await fixture.send(part(rule: rule))
      #expect(response.status == .partialContent)
      #expect(try await response.body.collect(upTo: 99) == Array("234".utf8))
      #expect(response.exchange == Exchange(attempts: 0, cache: .hit(ttl: 25)))
      #expect(response.trailers == nil)
      let fields = response.head.headerFields
      #expect(fields[.contentRange] == "bytes 2-4/10")
      #expect(fields[.contentLength] == "3")
      #expect(fields[.age] == "5")
      #expect(fields[.eTag] == "\"a\"")
    }
    #expect(fixture.server.requests.count == 1)
    #expect(try await fixture.send(.stated()).head.headerFields[.contentLength] == "10")
  }

  @Test(
    "A Range that can't be served from the cache is forwarded unchanged",
    arguments: [
      ("bytes=10-", .stated(limit: .seconds(60)), .get, [:], .partial),
      ("bytes=-0", .stated(limit: .seconds(60)), .get, [:], .partial),
      ("bytes=0-1,3-4", .stated(limit: .seconds(60)), .get, [:], .bypass),
      ("bytes=2-4", .stated(limit: .seconds(60)), .head, [:], .bypass),
      ("bytes=2-4", .stated(limit: .seconds(60)).with(.reload), .get, [:], .request),
      ("bytes=2-4", .stated(limit: .seconds(60)), .get, [.cacheControl: "no-cache"], .request),
      ("bytes=2-4", .stated(limit: .seconds(60)), .get, [.ifRange: "\"b\""], .partial),
      ("bytes=2-4", .stated(limit: .seconds(60)), .get, [.ifRange: "W/\"a\""], .partial),
      ("bytes=2-4", .stated(limit: .seconds(60)), .get, [.ifRange: "a"], .partial),
      ("bytes=2-4", .stated(limit: .seconds(60)), .get, [.ifMatch: "\"a\""], .bypass),
    ] as [(String, CacheRule, HTTPRequest.Method, HTTPFields, Exchange.CacheStatus.ForwardReason)])
  func forwarded(
    _ range: String, rule: CacheRule, method: HTTPRequest.Method, fields: HTTPFields,
    reason: Exchange.CacheStatus.ForwardReason
  ) async throws {
    let fixture = CacheFixture { request, number throws(NetworkError) in
      number == 1
        ? Response(
          status: .ok, headerFields: [.cacheControl: "max-age=30", .contentLength: "10", .eTag: "\"a\""],
          bytes: Array("0123456789".utf8))
        : Response(status: .rangeNotSatisfiable, headerFields: [.cacheControl: "max-age=30"])
    }
    _ = try await fixture.send(.stated())
    var fields = fields
    fields[.range] = range
    let request = Request.houses(rule: rule, method: method, fields: fields)
    #expect(try await fixture.send(request).exchange.cache == .forwarded(reason, stored: false))
    #expect(fixture.server.requests.last?.head.headerFields == fields)
    #expect(fixture.store.count == 1)
    fixture.clock.advance(by: .seconds(30))
    #expect(try await fixture.send(part()).exchange.cache == .forwarded(.stale, stored: false))
    #expect(fixture.store.count == 1)
  }

  @Test("A whole response to a request for a range is stored as one")
  func ignored() async throws {
    let fixture = fixture()
    #expect(try await fixture.send(part()).exchange.cache == .forwarded(.uriMiss, stored: true))
    #expect(try await fixture.send(part()).exchange.cache == .hit(ttl: 30))
    #expect(try await fixture.text(.stated()) == "0123456789")
  }

  @Test(
    "The condition of If-Range holds for the same strong tag, or for a date that is old enough",
    arguments: [
      (#""a""#, #""a""#, nil, true), (#"W/"a""#, #"W/"a""#, nil, false), (#""b""#, #""a""#, nil, false),
      ("a", "a", nil, false), (#""a", "b""#, #""a""#, nil, false),
      ("Sun, 06 Nov 1994 08:48:37 GMT", nil, "Sun, 06 Nov 1994 08:48:37 GMT", true),
      ("Sun, 06 Nov 1994 08:48:38 GMT", nil, "Sun, 06 Nov 1994 08:48:38 GMT", false),
      ("Sun, 06 Nov 1994 08:48:36 GMT", nil, "Sun, 06 Nov 1994 08:48:37 GMT", false),
      ("yesterday", nil, "yesterday", false),
    ] as [(String, String?, String?, Bool)])
  func conditions(_ condition: String, tag: String?, modified: String?, holds: Bool) async throws {
    let stored = fixture([.eTag: tag ?? "", .lastModified: modified ?? "", .date: Self.date])
    _ = try await stored.send(.stated())
    let request = Request.stated(fields: [.range: "bytes=2-4", .ifRange: condition])
    #expect(try await stored.send(request).exchange.cache?.isHit == holds)
  }

  /// The start of the fixture's clock.
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  @Test("Decoded content, and responses under a rule with a time, have no parts")
  func decoded() async throws {
    let decoded = CacheFixture(fields: [.cacheControl: "max-age=30"])
    _ = try await decoded.send(.stated())
    #expect(try await decoded.send(part()).exchange.cache == .forwarded(.partial, stored: true))
    let rule = CacheRule.timed(.seconds(60))
    let timed = fixture()
    _ = try await timed.send(.houses(rule: rule))
    #expect(try await timed.send(part(rule: rule)).exchange.cache == .forwarded(.bypass, stored: false))
  }
}
