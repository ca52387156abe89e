import HTTPTypes
import Interception
import Testing

@testable import ResponseCaching

@Suite struct FreshnessTests {
  private let start = CacheInstant(wall: CacheFixture.start, steady: .zero)

  private func instant(_ seconds: Int, wallOff: Int = 0) -> CacheInstant {
    CacheInstant(
      wall: CacheFixture.start.advanced(by: .seconds(seconds + wallOff)), steady: .seconds(seconds))
  }

  @Test(
    "A stated lifetime shortens the rule's 100 s but never lengthens them",
    arguments: [
      ([:], 100), ([.cacheControl: "max-age=30"], 30), ([.cacheControl: "max-age=300"], 100),
      ([.cacheControl: "max-age=30, max-age=20"], 20), ([.cacheControl: "MAX-AGE = \"30\""], 30),
      ([.cacheControl: "max-age=-1"], 0), ([.cacheControl: "max-age=1.5"], 0),
      ([.cacheControl: "max-age"], 0),
      ([.cacheControl: "max-age=99999999999999999999"], 100), ([.cacheControl: "s-maxage=5"], 100),
      ([.cacheControl: "x=\"a, max-age=5\", y"], 100), ([.cacheControl: "x=\"\\\", max-age=5\""], 100),
      ([.cacheControl: "no-cache"], 0), ([.cacheControl: "no-cache=\"set-cookie\", max-age=30"], 30),
      ([.cacheControl: "max-age=30", .age: "10"], 20), ([.cacheControl: "max-age=30", .age: "40"], -10),
      ([.cacheControl: "max-age=30", .age: "a"], 30),
      ([.cacheControl: "max-age=30", .date: "Sun, 06 Nov 1994 08:49:27 GMT"], 20),
      ([.cacheControl: "max-age=30", .date: "Sun, 06 Nov 1994 08:50:27 GMT"], 30),
      ([.expires: "Sun, 06 Nov 1994 08:50:17 GMT"], 40),
      ([.expires: "Sun, 06 Nov 1994 08:50:17 GMT", .date: "Sun, 06 Nov 1994 08:49:37 GMT"], 40),
      ([.expires: "Sun, 06 Nov 1994 08:50:17 GMT", .cacheControl: "max-age=3"], 3), ([.expires: "0"], 0),
      ([.expires: "Sat, 05 Nov 1994 08:50:17 GMT"], 0), ([.age: "40"], 100),
    ] as [(HTTPFields, Int)])
  func lifetimes(_ fields: HTTPFields, seconds: Int) {
    let freshness = Freshness(
      of: HTTPResponse(status: .ok, headerFields: fields), requested: start, received: start,
      rule: .timed(.seconds(100)))
    #expect(freshness.lifetime == .seconds(seconds))
  }

  @Test("The response delay counts as age although the wall clock was set back meanwhile")
  func delayWithClockSetBack() {
    let freshness = Freshness(
      of: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=30"]), requested: start,
      received: instant(20, wallOff: -600), rule: .timed(.seconds(100)))
    #expect(freshness.initialAge == .seconds(20))
    #expect(freshness.lifetime == .seconds(10))
  }

  @Test("The response delay counts as age (RFC 9111, section 4.2.3)")
  func delay() {
    let freshness = Freshness(
      of: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=30", .age: "2"]), requested: start,
      received: instant(3), rule: .timed(.seconds(100)))
    #expect(freshness.initialAge == .seconds(5))
    #expect(freshness.age(at: instant(10)) == .seconds(12))
    #expect(freshness.remaining(at: instant(10), limit: .seconds(100)) == .seconds(18))
    #expect(freshness.remaining(at: instant(10), limit: .seconds(8)) == .seconds(1))
  }

  @Test(
    "The clock that advanced more decides; a wall clock before the arrival means stale",
    arguments: [(10, 0, 10), (10, 5, 15), (10, -5, 10), (10, -10, 10), (10, -11, nil), (0, -1, nil)]
      as [(Int, Int, Int?)])
  func clocks(_ seconds: Int, wallOff: Int, elapsed: Int?) {
    #expect(start.elapsed(to: instant(seconds, wallOff: wallOff)) == elapsed.map { .seconds($0) })
  }

  @Test("A moment of another process is compared by the wall clock, and since the start by the steady one")
  func otherProcess() {
    let former = CacheInstant(wall: CacheFixture.start, steady: nil)
    #expect(former.elapsed(to: instant(500, wallOff: -400)) == .seconds(100))
    let start = CacheFixture.start.advanced(by: .seconds(40))
    func since(_ steady: Int, wall: Int) -> Duration? {
      former.elapsed(
        to: CacheInstant(
          wall: CacheFixture.start.advanced(by: .seconds(wall)), steady: .seconds(steady), start: start))
    }
    #expect(since(500, wall: 100) == .seconds(540))
    #expect(since(500, wall: 600) == .seconds(600))
    #expect(since(500, wall: -1) == nil)
  }
}
