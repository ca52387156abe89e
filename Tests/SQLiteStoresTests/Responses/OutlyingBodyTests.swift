#if SQLite
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResponseCaching
@testable import SQLiteStores

/// Ranges of bodies in files, which are verified, but not held.
@Suite(.timeLimit(.minutes(5))) struct OutlyingBodyTests {
  /// 1 MiB and a few bytes.
  private static let body = StoreFixture.body(1, size: (1 << 20) + 7)

  private let fixture: StoreFixture
  private let clock = TestClock()
  private let server: ScriptedDispatcher

  init() throws {
    fixture = try StoreFixture()
    server = ScriptedDispatcher { request, _ throws(NetworkError) in
      Response(
        status: .ok,
        headerFields: [
          .cacheControl: "max-age=60", .contentLength: String(Self.body.count), .eTag: "\"a\"",
        ],
        bytes: Self.body)
    }
  }

  private func request(_ range: String? = nil, isStreamed: Bool = false, limit: Int = 1 << 30) -> Request {
    var request = StoreFixture.request(1)
    request.context.cacheRule = .stated()
    request.head.headerFields[.range] = range
    request.options.delivery = isStreamed ? .streamed : .buffered(upTo: limit)
    return request
  }

  private func chain(_ store: some ResponseStore, under memory: MemoryStore? = nil) -> some Dispatcher {
    server.intercepted(
      by: CachingInterceptor(
        memory: memory, store: store, time: TimeSource(clock) { StoreFixture.start }))
  }

  @Test(
    "A range of a large body is read from its file alone, from the disk and below memory",
    arguments: [
      ("bytes=0-0", 0..<1), ("bytes=65535-65536", 65_535..<65_537), ("bytes=-7", 1_048_576..<1_048_583),
      ("bytes=5-", 5..<1_048_583),
    ] as [(String, Range<Int>)], [false, true])
  func ranges(_ wanted: (range: String, bytes: Range<Int>), isStreamed: Bool) async throws {
    let (range, bytes) = wanted
    let disk = fixture.store()
    let memory = MemoryStore(limits: .init(bytes: 1 << 20))
    _ = try await chain(disk).dispatch(request())
    for chain: any Dispatcher in [chain(disk), chain(disk, under: memory)] {
      let response = try await chain.dispatch(request(range, isStreamed: isStreamed))
      #expect(response.status == .partialContent)
      #expect(response.exchange.cache == .hit(ttl: 60))
      if case .stream(let stream) = response.body {
        #expect(isStreamed && stream.length == Int64(bytes.count))
      } else {
        #expect(!isStreamed)
      }
      #expect(try await response.body.collect(upTo: 1 << 30) == Array(Self.body[bytes]))
    }
    #expect(server.requests.count == 1)
    let key = try #require(CacheKey(request(), keepsOrder: true, leavingOut: .standard))
    let found = await disk.lookupForRange(key, requestFields: request(range).head.headerFields)
    #expect(found.response?.body.isEmpty == true)
    #expect(found.response?.outlyingBody?.count == Self.body.count)
    await disk.close()
  }

  @Test("A range of a body file that was changed, cut or deleted is a miss", arguments: 0..<3)
  func damaged(_ fault: Int) async throws {
    let disk = fixture.store()
    _ = try await chain(disk).dispatch(request())
    await disk.close()
    let file = try #require(fixture.bodies.first)
    var bytes = try Data(contentsOf: file)
    switch fault {
    case 0: bytes[900_000] ^= 1
    case 1: bytes.removeLast()
    default: try FileManager.default.removeItem(at: file)
    }
    if fault < 2 { try bytes.write(to: file) }
    let next = fixture.store()
    let response = try await chain(next).dispatch(request("bytes=0-4"))
    #expect(response.exchange.cache?.isHit == false)
    #expect(server.requests.count == 2)
    await next.close()
  }

  @Test("A range that is longer than the request allows is refused before it is read")
  func limited() async throws {
    let disk = fixture.store()
    _ = try await chain(disk).dispatch(request())
    await #expect(throws: NetworkError.self) {
      try await chain(disk).dispatch(request("bytes=0-999999", limit: 1_000))
    }
    #expect(try await chain(disk).dispatch(request("bytes=0-999", limit: 1_000)).status == .partialContent)
    await disk.close()
  }

  @Test("A range that is being streamed is read completely although its response is removed")
  func removed() async throws {
    let disk = fixture.store()
    _ = try await chain(disk).dispatch(request())
    let response = try await chain(disk).dispatch(request("bytes=1-1000000", isStreamed: true))
    await disk.remove(.all)
    #expect(fixture.bodies.isEmpty)
    #expect(try await response.body.collect(upTo: 1 << 30) == Array(Self.body[1...1_000_000]))
    await disk.close()
  }
}
#endif
