import Interception
import Testing

@testable import DNSBypass

@Suite("NameCache")
struct NameCacheTests {
  private let found = HostAddresses(
    targets: [ConnectTarget(address: "203.0.114.1")], names: [[1, 0x61, 4, 0x74, 0x65, 0x73, 0x74, 0]])

  @Test("Times are kept within the limits")
  func lifetimes() {
    var cache = NameCache()
    for (given, kept) in [(0, 10), (30, 30), (1_000_000, 86_400)] {
      cache.store(found, for: "a.test", timeToLive: .seconds(given), askedIn: cache.network, at: .zero)
      #expect(cache.lookUp("a.test", at: .seconds(kept) - .milliseconds(1)) == .fresh(found))
      #expect(cache.lookUp("a.test", at: .seconds(kept)) == .stale(found))
      #expect(cache.lookUp("a.test", at: .seconds(kept + 3_600)) == .missing)
    }
    cache.store(HostAddresses(), for: "b.test", timeToLive: nil, askedIn: cache.network, at: .zero)
    #expect(cache.lookUp("b.test", at: .seconds(59)) == .fresh(HostAddresses()))
    #expect(cache.lookUp("b.test", at: .seconds(60)) == .stale(HostAddresses()))
    cache.networkDidChange()
    #expect(cache.lookUp("a.test", at: .zero) == .missing)
  }

  @Test("A pause ends after its time, with a response, and with another network")
  func pause() {
    var cache = NameCache()
    #expect(!cache.isPaused(at: .zero))
    cache.noteReached(false, askedIn: cache.network, at: .zero)
    #expect(cache.isPaused(at: .seconds(29)) && !cache.isPaused(at: .seconds(30)))
    cache.noteReached(true, askedIn: cache.network, at: .seconds(1))
    #expect(!cache.isPaused(at: .seconds(2)))
    cache.noteReached(false, askedIn: cache.network, at: .seconds(3))
    cache.networkDidChange()
    #expect(!cache.isPaused(at: .seconds(4)))
  }

  @Test("What was asked in a former network is neither stored, nor a reason for a pause")
  func formerNetwork() {
    var cache = NameCache()
    let former = cache.network
    cache.networkDidChange()
    cache.store(found, for: "a.test", timeToLive: .seconds(60), askedIn: former, at: .zero)
    cache.noteReached(false, askedIn: former, at: .zero)
    #expect(cache.lookUp("a.test", at: .zero) == .missing && !cache.isPaused(at: .zero))
    cache.noteReached(false, askedIn: cache.network, at: .zero)
    cache.noteReached(true, askedIn: former, at: .zero)
    #expect(cache.isPaused(at: .zero))
  }

  @Test("A full cache makes room: for what is stale first, then for what becomes so next")
  func limit() {
    var cache = NameCache()
    for number in 0..<NameCache.limit {
      cache.store(
        found, for: "\(number)", timeToLive: .seconds(100 + number), askedIn: cache.network, at: .zero)
    }
    cache.store(found, for: "new", timeToLive: .seconds(500), askedIn: cache.network, at: .zero)
    #expect(cache.lookUp("0", at: .zero) == .missing && cache.lookUp("1", at: .zero) == .fresh(found))
    cache.store(found, for: "newer", timeToLive: .seconds(500), askedIn: cache.network, at: .seconds(200))
    #expect(cache.lookUp("50", at: .seconds(200)) == .missing)
    #expect(cache.lookUp("150", at: .seconds(200)) == .fresh(found))
  }
}
