import Interception
import Testing

@testable import DNSBypass

@Suite("ServiceCache")
struct ServiceCacheTests {
  /// A cache whose changing calls may stand in expectations.
  private final class Cache {
    private var cache = ServiceCache()

    func begin(_ name: ServiceName, at now: Duration) -> UInt64? { cache.begin(name, at: now) }

    func wait(for name: ServiceName, at now: Duration) -> Duration? {
      cache.wait(for: name, AsyncStream.makeStream(of: Void.self).1, at: now)
    }

    /// Ends a question, and returns the number of those who waited.
    @discardableResult
    func end(
      _ name: ServiceName, _ number: UInt64, _ service: HTTPService, timeToLive: Duration?, at now: Duration
    ) -> Int {
      cache.end(name, number, service, timeToLive: timeToLive, at: now).count
    }

    func service(_ name: ServiceName, at now: Duration) -> HTTPService? { cache.service(name, at: now) }

    func networkDidChange() -> Int { cache.networkDidChange().count }
  }

  private let name = ServiceName(host: "a.test", port: 443)
  private let other = ServiceName(host: "a.test", port: 8443)

  private func service() throws -> HTTPService {
    let data: [UInt8] = [0, 1, 0, 0, 1, 0, 3, 2, 0x68, 0x33]
    return HTTPService([try ServiceBinding(NameReader(data), owner: NameMessageBuilder.name("a.test"))])
  }

  @Test("Records are those of the host, or with a port other than 443 those of a name below it")
  func names() {
    #expect(name.queryName == NameMessageBuilder.name("a.test"))
    #expect(other.queryName == NameMessageBuilder.name("_8443._https.a.test"))
    #expect(ServiceName(host: "a..test", port: 443).queryName == nil)
    let long = (0..<4).map { _ in String(repeating: "a", count: 61) }.joined(separator: ".")
    #expect(ServiceName(host: long, port: 443).queryName != nil)
    #expect(ServiceName(host: long, port: 8443).queryName == nil)
  }

  @Test("Requests wait for 50 ms from when the first of them has its addresses, and no longer")
  func waiting() {
    var wait = ServiceWait()
    let times = [700, 720, 750, 5_000].map { wait.remaining(at: .milliseconds($0)) }
    #expect(times == [50, 30, 0, 0].map { .milliseconds($0) })
  }

  @Test("A question is asked once at a time for each origin, and again when its answer is no longer valid")
  func questions() throws {
    let cache = Cache()
    let number = try #require(cache.begin(name, at: .zero))
    #expect(cache.begin(name, at: .zero) == nil)
    let second = try #require(cache.begin(other, at: .zero))
    #expect(cache.wait(for: name, at: .seconds(1)) == .milliseconds(50))
    #expect(cache.wait(for: name, at: .seconds(2)) == nil)
    let service = try service()
    #expect(cache.end(name, number, service, timeToLive: .seconds(60), at: .seconds(2)) == 1)
    #expect(cache.end(other, second, .empty, timeToLive: nil, at: .seconds(2)) == 0)
    #expect(cache.wait(for: name, at: .seconds(2)) == nil)
    #expect(cache.service(name, at: .seconds(61)) == service && cache.service(name, at: .seconds(62)) == nil)
    // That there are none is remembered for a minute, too.
    #expect(cache.service(other, at: .seconds(61)) == HTTPService.empty)
    #expect(cache.begin(other, at: .seconds(61)) == nil)
    #expect(cache.begin(name, at: .seconds(62)) != nil && cache.begin(other, at: .seconds(62)) != nil)
  }

  @Test("Times are kept within the limits of addresses", arguments: [(0, 10), (30, 30), (1_000_000, 86_400)])
  func lifetimes(given: Int, kept: Int) throws {
    let cache = Cache()
    let number = try #require(cache.begin(name, at: .zero))
    cache.end(name, number, try service(), timeToLive: .seconds(given), at: .zero)
    #expect(cache.service(name, at: .seconds(kept) - .milliseconds(1)) != nil)
    #expect(cache.service(name, at: .seconds(kept)) == nil)
  }

  @Test("A change of the network forgets records and questions, and ignores answers to earlier questions")
  func network() throws {
    let cache = Cache()
    let known = try #require(cache.begin(other, at: .zero))
    cache.end(other, known, try service(), timeToLive: .seconds(60), at: .zero)
    let former = try #require(cache.begin(name, at: .zero))
    _ = cache.wait(for: name, at: .zero)
    #expect(cache.networkDidChange() == 1)
    #expect(cache.service(other, at: .zero) == nil)
    let present = try #require(cache.begin(name, at: .zero))
    #expect(cache.end(name, former, try service(), timeToLive: .seconds(60), at: .zero) == 0)
    #expect(cache.service(name, at: .zero) == nil && cache.begin(name, at: .zero) == nil)
    cache.end(name, present, try service(), timeToLive: .seconds(60), at: .zero)
    #expect(cache.service(name, at: .zero) != nil)
  }
}
