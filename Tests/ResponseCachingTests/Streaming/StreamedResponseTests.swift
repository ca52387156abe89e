import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Synchronization
import Testing

@Suite("Streamed responses in the cache", .timeLimit(.minutes(5)))
struct StreamedResponseTests {
  /// A source of chunks that counts how many were read.
  private final class Chunks: ByteSource {
    private let chunks: [[UInt8]]
    private let failure: NetworkError?
    private let state = Mutex((read: 0, isCancelled: false))

    init(_ chunks: [[UInt8]], failure: NetworkError? = nil) {
      self.chunks = chunks
      self.failure = failure
    }

    var readCount: Int { state.withLock { $0.read } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func read() async throws(NetworkError) -> [UInt8]? {
      let index = state.withLock { state in
        defer { state.read += 1 }
        return state.read
      }
      guard index == chunks.count else { return chunks[index] }
      if let failure { throw failure }
      return nil
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
  }

  private static let chunks: [[UInt8]] = [Array("twelve ".utf8), Array("houses".utf8)]

  private static func fixture(
    _ source: Chunks, length: Int64? = nil, fields: HTTPFields = [:], limits: MemoryStore.Limits = .init()
  ) -> CacheFixture {
    CacheFixture(limits: limits) { _, _ throws(NetworkError) in
      let stream = BodyStream(length: length, source)
      return Response(HTTPResponse(status: .ok, headerFields: fields), body: .stream(stream))
    }
  }

  @Test("A streamed response is stored when it was read completely, and not before; reading keeps its pace")
  func complete() async throws {
    let source = Chunks(Self.chunks)
    let fixture = Self.fixture(source, length: 13)
    guard case .stream(let stream) = try await fixture.send(.houses()).body else {
      Issue.record("The response isn't a stream.")
      return
    }
    #expect(stream.length == 13)
    var read = 0
    for try await chunk in stream {
      #expect(chunk == Self.chunks[read])
      read += 1
      #expect(source.readCount == read)
      #expect(fixture.store.count == 0)
    }
    #expect(fixture.store.count == 1)
    let hit = try await fixture.send(.houses())
    #expect(hit.exchange.cache == .hit(ttl: 60))
    #expect(try await hit.body.collect(upTo: 100) == Array("twelve houses".utf8))
    #expect(fixture.server.requests.count == 1)
  }

  @Test("A streamed response that is released, fails, or has another length than announced is not stored")
  func incomplete() async throws {
    let released = Chunks(Self.chunks)
    var fixture = Self.fixture(released)
    do {
      guard case .stream(let stream) = try await fixture.send(.houses()).body else { return }
      let source = try stream.claim()
      #expect(try await source.read() == Self.chunks[0])
    }
    #expect(released.isCancelled)
    #expect(fixture.store.count == 0)

    fixture = Self.fixture(Chunks(Self.chunks, failure: NetworkError(.offline, "The connection was lost.")))
    await #expect(throws: NetworkError.self) { try await fixture.text(.houses()) }
    #expect(fixture.store.count == 0)

    for length: Int64 in [12, 14] {
      fixture = Self.fixture(Chunks(Self.chunks), fields: [.contentLength: "\(length)"])
      #expect(try await fixture.text(.houses()) == "twelve houses")
      #expect(fixture.store.count == 0)
    }
  }

  @Test("A streamed response with no-store, with an error's status or beyond the limit is not stored")
  func refused() async throws {
    var fixture = Self.fixture(Chunks(Self.chunks), fields: [.cacheControl: "no-store"])
    #expect(try await fixture.text(.houses()) == "twelve houses")
    #expect(fixture.store.count == 0)
    fixture = Self.fixture(Chunks(Self.chunks), limits: .init(bytes: 10_000, responseBytes: 12))
    #expect(try await fixture.text(.houses()) == "twelve houses")
    #expect(fixture.store.count == 0)
  }

  @Test("What is collected of all streams at once is limited; the others are passed on and not stored")
  func sum() async throws {
    let chunk = [UInt8](repeating: 7, count: 256 << 10)
    let limits = MemoryStore.Limits(bytes: 400 << 20, responseBytes: 4 << 20)
    let fixture = CacheFixture(limits: limits) { request, _ throws(NetworkError) in
      // Half of them announce their length.
      let length: Int64? = request.head.path?.hasSuffix("0") == true ? Int64(4 * chunk.count) : nil
      let stream = BodyStream(length: length, Chunks(Array(repeating: chunk, count: 4)))
      return Response(HTTPResponse(status: .ok), body: .stream(stream))
    }
    var sources: [any ByteSource] = []
    for number in 0..<100 {
      guard case .stream(let stream) = try await fixture.send(.houses("/v1/\(number)")).body else { return }
      sources.append(try stream.claim())
    }
    // All are read at the same pace, to their end.
    for round in 1...5 {
      for source in sources { #expect(try await source.read()?.count == (round < 5 ? chunk.count : nil)) }
    }
    #expect((1...16).contains(fixture.store.count))
    sources = []
    // Nothing is held any more.
    let count = fixture.store.count
    for number in 0..<30 { #expect(try await fixture.text(.houses("/v2/\(number)")).utf8.count == 1 << 20) }
    #expect(fixture.store.count == count + 30)
  }

  @Test("A streamed response that was cleared while it was read is not stored")
  func cleared() async throws {
    let fixture = Self.fixture(Chunks(Self.chunks))
    guard case .stream(let stream) = try await fixture.send(.houses(partition: "anna")).body else { return }
    let source = try stream.claim()
    _ = try await source.read()
    await fixture.cache.wipe(partition: "anna")
    while try await source.read() != nil {}
    #expect(fixture.store.count == 0)
  }
}
