import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Synchronization
import Testing

/// Wall clocks that are set while a response is stored as bytes, which have no steady time.
@Suite(.timeLimit(.minutes(5)))
struct ClockSettingTests {
  private let disk = EncodedStore()
  private let clock = TestClock()
  private let offset = Offset()

  private final class Offset: Sendable { let value = Mutex(Duration.zero) }

  /// Starts a process, with a steady clock of its own, whose cache reads the same disk.
  private func startedCache() -> CachingInterceptor {
    let (clock, offset) = (clock, offset)
    let time = TimeSource(clock) {
      CacheFixture.start.advanced(by: clock.now.offset + offset.value.withLock { $0 })
    }
    return CachingInterceptor(store: disk, time: time)
  }

  private func setWallClock(by seconds: Int) { offset.value.withLock { $0 += .seconds(seconds) } }

  private func status(_ cache: CachingInterceptor) async throws -> Exchange.CacheStatus? {
    try await ScriptedDispatcher().intercepted(by: cache).dispatch(.houses()).exchange.cache
  }

  @Test("A response from before the start is stale in time, although the clock is set back after the start")
  func setBackAfterStart() async throws {
    _ = try await status(startedCache())
    clock.advance(by: .seconds(40))
    let cache = startedCache()
    setWallClock(by: -31)
    #expect(try await status(cache) == .hit(ttl: 20))
    clock.advance(by: .seconds(19))
    #expect(try await status(cache) == .hit(ttl: 1))
    clock.advance(by: .seconds(2))
    #expect(try await status(cache)?.isHit == false)
  }

  @Test("A response that arrived while the clock was ahead is stale in time when it is right again")
  func aheadAtArrival() async throws {
    let cache = startedCache()
    setWallClock(by: 31)
    _ = try await status(cache)
    clock.advance(by: .seconds(40))
    setWallClock(by: -31)
    #expect(try await status(cache) == .hit(ttl: 20))
    clock.advance(by: .seconds(21))
    #expect(try await status(cache)?.isHit == false)
  }

  @Test("With a clock that is never set a response is as old as it is, in each process that reads it")
  func neverSet() async throws {
    _ = try await status(startedCache())
    for ttl: Int64 in [40, 20, 0] {
      clock.advance(by: .seconds(20))
      #expect(
        try await status(startedCache()) == (ttl > 0 ? .hit(ttl: ttl) : .forwarded(.stale, stored: true)))
    }
  }
}

/// A store that keeps a response as bytes, as one on a disk does.
private final class EncodedStore: ResponseStore {
  private let bytes = Mutex<[UInt8]>([])

  func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
    StoredResponse(encoded: bytes.withLock { $0 })
  }

  func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
    bytes.withLock { $0 = response.encoded() }
    return true
  }

  func remove(_ selection: CacheSelection) async -> Int { 0 }
}
