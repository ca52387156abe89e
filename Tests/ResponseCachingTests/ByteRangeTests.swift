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
      ("bytes=11-12", nil), ("bytes=0-\(Int.max)", 0..<11),
    ] as [(String, Range<Int>?)])
  func bounds(_ text: String, bytes: Range<Int>?) throws {
    #expect(try #require(ByteRange(text)).bounds(in: 11) == bytes)
    #expect(ByteRange(text)?.bounds(in: 0) == nil)
  }

  @Test(
    "Anything but a single byte range is refused",
    arguments: [
      "", "bytes", "bytes=", "bytes=-", "bytes=1", "bytes=2-1", "bytes=0-1,3-4", "bytes=a-b", "bytes=+1-2",
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

  @Test("A Range that can't be served from the cache is forwarded unchanged")
  func forwarded() async throws {
    let fixture = fixture()
    let bypass = Exchange.CacheStatus.forwarded(.bypass, stored: false)
    #expect(try await fixture.send(part()).exchange.cache == bypass)
    _ = try await fixture.send(.stated())
    for request in [
      part("bytes=10-"), part("bytes=0-1,3-4"), part(rule: .stated(limit: .seconds(60)).with(.reload)),
      .stated(fields: [.range: "bytes=2-4", .ifRange: "\"a\""]),
      .stated(fields: [.range: "bytes=2-4", .cacheControl: "no-cache"]),
      .stated(method: .head, fields: [.range: "bytes=2-4"]),
    ] {
      #expect(try await fixture.send(request).exchange.cache == bypass)
      #expect(fixture.server.requests.last?.head.headerFields[.range] == request.head.headerFields[.range])
    }
    fixture.clock.advance(by: .seconds(30))
    #expect(try await fixture.send(part()).exchange.cache == bypass)
    #expect(fixture.store.count == 1)
  }

  @Test("Decoded content, and responses under a rule with a time, have no parts")
  func decoded() async throws {
    let decoded = CacheFixture(fields: [.cacheControl: "max-age=30"])
    for (fixture, rule) in [(decoded, CacheRule.stated()), (fixture(), .timed(.seconds(60)))] {
      _ = try await fixture.send(.houses(rule: rule))
      #expect(try await fixture.send(part(rule: rule)).exchange.cache == .forwarded(.bypass, stored: false))
    }
  }
}
