import HTTPTypes
import Interception
import ResponseStoreConformance
import SwitchyardTesting
import Testing

@testable import ResponseCaching

/// RFC 9111, section 4: of several responses to a request, the most recent one by `Date` is used.
@Suite(.timeLimit(.minutes(5)))
struct NewestResponseTests {
  private static func date(_ seconds: Int) -> String {
    HTTPDate.format(CacheFixture.start.advanced(by: .seconds(seconds)))
  }

  private func stored(dated seconds: Int?, received: Int, fields: HTTPFields = [:]) throws -> StoredResponse {
    var fields = fields
    fields[.date] = seconds.map(Self.date)
    let head = HTTPResponse(status: .ok, headerFields: fields)
    return StoredResponse(
      key: try #require(CacheKey(.houses(), leavingOut: .standard)),
      selector: try #require(VariantSelector(of: head, to: [:], leavingOut: .standard)), head: head,
      body: [], trailers: nil,
      freshness: Freshness(
        received: CacheInstant(wall: CacheFixture.start.advanced(by: .seconds(received)), steady: nil),
        initialAge: .zero, lifetime: .seconds(60)))
  }

  @Test(
    "The dates decide; a date later than its arrival counts as the arrival, unless both are",
    arguments: [
      // Date and arrival of one response, those of another one, and whether the first is older.
      ((0, 10), (5, 6), true), ((5, 6), (0, 10), false), ((5, 6), (5, 9), false),
      ((nil, 10), (5, 6), false), ((nil, 4), (5, 6), true), ((nil, 4), (nil, 6), true),
      // The clock of one server is an hour ahead.
      ((3_600, 5), (8, 9), true), ((8, 9), (3_600, 5), false), ((3_600, 8), (5, 9), false),
      // The client's clock is an hour behind.
      ((3_605, 10), (3_606, 8), true), ((3_606, 8), (3_605, 10), false),
    ] as [((Int?, Int), (Int?, Int), Bool)])
  func order(_ left: (Int?, Int), _ right: (Int?, Int), isOlder: Bool) throws {
    let (left, right) = (
      try stored(dated: left.0, received: left.1), try stored(dated: right.0, received: right.1)
    )
    #expect(left.isOlder(than: right) == isOlder)
  }

  @Test("A slow older response doesn't replace a newer one, which arrived earlier")
  func late() async throws {
    let (isWaiting, isAnswered) = (WaitableValue(false), WaitableValue(false))
    let fixture = CacheFixture { _, number throws(NetworkError) in
      if number == 1 {
        isWaiting.update { $0 = true }
        _ = try? await isAnswered.wait { $0 }
      }
      return Response(
        status: .ok, headerFields: [.date: Self.date(number == 1 ? 0 : 5)], bytes: [UInt8(number)])
    }
    async let slow = fixture.send(.houses())
    _ = try await isWaiting.wait { $0 }
    fixture.clock.advance(by: .seconds(5))
    // A request that doesn't wait for the slow one.
    _ = try await fixture.send(.houses(rule: .timed(.seconds(60)).with(.reload)))
    isAnswered.update { $0 = true }
    let late = try await slow
    #expect(try await late.body.collect(upTo: 9) == [1])
    #expect(late.exchange.cache == .forwarded(.uriMiss, stored: false))
    #expect(try await fixture.send(.houses()).body.collect(upTo: 9) == [2])
  }

  @Test("The stores in memory keep the rules of all stores")
  func conformance() async throws {
    let violations = try await ResponseStoreConformance(MemoryStore()).violations()
    #expect(violations == [])
    let layered = try await ResponseStoreConformance(MemoryStore(), under: MemoryStore()).violations()
    #expect(layered == [])
  }

  @Test("Of two variants that match a request, the newer one is used", arguments: [true, false])
  func variants(newerFirst: Bool) async throws {
    // The first one depends on the language, the second one on nothing, so both match a request for "de".
    let dates = newerFirst ? [9, 3] : [3, 9]
    let fixture = CacheFixture { request, number throws(NetworkError) in
      var fields: HTTPFields = [.date: Self.date(dates[number - 1])]
      if number == 1 { fields[.vary] = "Accept-Language" }
      return Response(status: .ok, headerFields: fields, bytes: [UInt8(number)])
    }
    fixture.clock.advance(by: .seconds(10))
    _ = try await fixture.send(.houses(fields: [.acceptLanguage: "de"]))
    let other = try await fixture.send(.houses(fields: [.acceptLanguage: "en"]))
    #expect(other.exchange.cache == .forwarded(.varyMiss, stored: true))
    let response = try await fixture.send(.houses(fields: [.acceptLanguage: "de"]))
    #expect(response.exchange.cache?.isHit == true)
    #expect(try await response.body.collect(upTo: 9) == [newerFirst ? 1 : 2])
  }
}
