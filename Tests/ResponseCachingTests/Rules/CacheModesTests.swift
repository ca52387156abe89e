import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Testing

@Suite struct CacheModesTests {
  private static let minute = CacheRule.timed(.seconds(60))

  struct Case: Sendable, CustomTestStringConvertible {
    let mode: CacheRule.Mode
    let state: State
    let text: String
    let status: Exchange.CacheStatus
    enum State: String, Sendable { case nothing, fresh, stale }
    var testDescription: String { "\(mode), \(state.rawValue) stored" }
  }

  @Test(
    "The modes revalidate, preferStored and noStore handle no response, a fresh one and a stale one",
    arguments: [
      Case(
        mode: .revalidate, state: .nothing, text: "response 1", status: .forwarded(.uriMiss, stored: true)),
      Case(mode: .revalidate, state: .fresh, text: "response 2", status: .forwarded(.request, stored: true)),
      Case(mode: .revalidate, state: .stale, text: "response 2", status: .forwarded(.stale, stored: true)),
      Case(
        mode: .preferStored, state: .nothing, text: "response 1", status: .forwarded(.uriMiss, stored: true)),
      Case(mode: .preferStored, state: .fresh, text: "response 1", status: .hit(ttl: 60)),
      Case(mode: .preferStored, state: .stale, text: "response 1", status: .hit(ttl: -10)),
      Case(mode: .noStore, state: .nothing, text: "response 1", status: .forwarded(.bypass, stored: false)),
      Case(mode: .noStore, state: .fresh, text: "response 2", status: .forwarded(.bypass, stored: false)),
      Case(mode: .noStore, state: .stale, text: "response 2", status: .forwarded(.bypass, stored: false)),
    ])
  func modes(_ test: Case) async throws {
    let fixture = CacheFixture()
    if test.state != .nothing { _ = try await fixture.send(.houses()) }
    if test.state == .stale { fixture.clock.advance(by: .seconds(70)) }
    let response = try await fixture.send(.houses(rule: Self.minute.with(test.mode)))
    #expect(try await response.body.collect(upTo: 99) == Array(test.text.utf8))
    #expect(response.exchange.cache == test.status)
    // What noStore has received is not what the next call gets.
    let next = try? await fixture.text(.houses(rule: Self.minute.with(.onlyStored)))
    #expect(next == test.storedText)
  }

  @Test("The mode revalidate sends a conditional request for a fresh response with a validator")
  func revalidate() async throws {
    let fixture = CacheFixture { request, _ throws(NetworkError) in
      request.head.headerFields[.ifNoneMatch] == "\"a\""
        ? Response(status: .notModified) : Response(status: .ok, headerFields: [.eTag: "\"a\""], bytes: [1])
    }
    _ = try await fixture.send(.houses())
    let response = try await fixture.send(.houses(rule: Self.minute.with(.revalidate)))
    #expect(response.exchange.cache == .revalidated(.request))
    #expect(try await response.body.collect(upTo: 9) == [1])
    #expect(fixture.server.requests.count == 2)
  }

  @Test("The mode revalidate doesn't use a stale response while it is revalidated")
  func revalidateInStaleWindow() async throws {
    let fixture = CacheFixture(fields: [.cacheControl: "max-age=10, stale-while-revalidate=50"])
    _ = try await fixture.send(.stated())
    fixture.clock.advance(by: .seconds(12))
    let request = Request.houses(rule: .stated(limit: .seconds(60)).with(.revalidate))
    #expect(try await fixture.send(request).exchange.cache == .forwarded(.stale, stored: true))
  }

  @Test(
    "A stale response that forbids it is used by no mode, although the mode accepts stale ones",
    arguments: [
      "max-age=10, must-revalidate", "no-cache", "max-age=10",
    ])
  func forbidden(_ control: String) async throws {
    let isForbidden = control != "max-age=10"
    let fixture = CacheFixture(fields: [.cacheControl: control])
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(12))
    #expect(fixture.cache.storedState(for: .houses()) == (isForbidden ? .absent : .stale))
    let onlyStored = Request.houses(rule: Self.minute.with(.onlyStored))
    if isForbidden {
      let error = await #expect(throws: NetworkError.self) { try await fixture.send(onlyStored) }
      #expect(error?.kind == .notStored)
      #expect(error?.reason.contains("must be revalidated") == true)
    } else {
      #expect(try await fixture.send(onlyStored).exchange.cache == .hit(ttl: -2))
    }
    let preferred = try await fixture.send(.houses(rule: Self.minute.with(.preferStored)))
    #expect(preferred.exchange.cache == (isForbidden ? .forwarded(.stale, stored: true) : .hit(ttl: -2)))
    // A fresh one is used by both.
    if control != "no-cache" {
      _ = try await fixture.send(.houses(rule: Self.minute.with(.reload)))
      #expect(try await fixture.send(onlyStored).exchange.cache?.isHit == true)
    }
  }

  @Test("A POST that an API declares cacheable removes nothing in mode noStore")
  func noStorePost() async throws {
    let fixture = CacheFixture()
    _ = try await fixture.send(.houses())
    _ = try await fixture.send(.houses(rule: Self.minute.with(.noStore), method: .post))
    #expect(fixture.store.count == 1)
  }
}

extension CacheModesTests.Case {
  /// The text that is stored afterwards, if any.
  fileprivate var storedText: String? {
    guard mode == .noStore else { return text }
    return state == .nothing ? nil : "response 1"
  }
}
