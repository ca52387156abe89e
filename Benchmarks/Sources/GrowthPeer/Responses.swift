import ArgumentParser
import Foundation
import HTTPTypes
import HeapMeasuring
import Interception
import PeerReporting
import ResponseCaching
import SQLiteStores

extension GrowthPeer {
  /// Responses of 1 KiB stored in memory, and hits spread over all of them.
  struct Responses: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Stores many responses in memory.")
    @Option(help: "The number of responses.") var size: Int
    @Option(help: "The number of measured hits.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in
        let before = heap_bytes()
        let store = MemoryStore(limits: .init(bytes: 1 << 40, responses: size))
        let load = try CacheLoad(store)
        var report = GrowthReport()
        let start = ProcessorTime.now()
        try await load.fill(size) {}
        report.add("store", since: start, by: ProcessorTime.now(), units: size)
        report.add("memory", bytes: heap_bytes() - before, units: size)
        try await load.hit(requests, of: size, &report)
        report.print()
      }
    }
  }

  /// The same on a disk.
  struct StoredResponses: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Stores many responses on a disk.")
    @Option(help: "The number of responses.") var size: Int
    @Option(help: "The number of measured hits.") var requests: Int
    @Option(help: "An empty directory.") var directory: String

    func run() throws {
      try Waiting.wait { [self] in
        let before = heap_bytes()
        let store = SQLiteResponseStore(
          directory: directory, limits: .init(bytes: 1 << 40, responses: size))
        let load = try CacheLoad(store)
        var report = GrowthReport()
        let start = ProcessorTime.now()
        // Storing does not wait for the disk, and the responses that wait are limited.
        try await load.fill(size) { _ = await store.usage() }
        report.add("store", since: start, by: ProcessorTime.now(), units: size)
        let (stored, _) = await store.usage()
        guard stored == size else { throw Trouble("\(stored) of \(size) responses are stored") }
        try await load.hit(requests, of: size, &report)
        report.add("memory", bytes: heap_bytes() - before, units: size)
        await store.close()
        report.print()
      }
    }
  }
}

/// A chain of a cache over responses that differ.
private struct CacheLoad {
  private let chain: Pipeline

  init(_ store: any ResponseStore) throws {
    let cache = CachingInterceptor(store: store)
    chain = try Pipeline(over: Stub()) { cache }
  }

  /// Stores responses, and calls `pause` after every hundred.
  func fill(_ count: Int, _ pause: () async -> Void) async throws {
    for number in 0..<count {
      _ = try await chain.send(request(number))
      if number.isMultiple(of: 100) { await pause() }
    }
    await pause()
  }

  /// Sends requests for responses in no order, each of which must be a hit.
  func hit(_ requests: Int, of count: Int, _ report: inout GrowthReport) async throws {
    var numbers = SplitMix(state: 1)
    let start = ProcessorTime.now()
    for _ in 0..<requests {
      let response = try await chain.send(request(Int(numbers.next() % UInt64(count))))
      guard response.exchange.cache?.isHit == true else { throw Trouble("a request was no hit") }
    }
    report.add("hit", since: start, by: ProcessorTime.now(), units: requests)
  }

  private func request(_ number: Int) -> Request {
    var request = Request(authority: "api.example.com", path: "/v1/houses/\(number)")
    request.context.api = APIIdentity(service: "estate", name: "homes.detail")
    request.context.cacheRule = .timed(.seconds(86_400))
    return request
  }

  private struct Stub: Dispatcher {
    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      var content = Array((request.head.path ?? "").utf8)
      content += repeatElement(0x61, count: max(0, 1_024 - content.count))
      return Response(status: .ok, headerFields: [.contentType: "application/json"], bytes: content)
    }
  }
}

/// Numbers in no order, the same in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension GrowthPeer {
  /// What a hit does at least: it finds a key of 32 bytes, and reads a value of 1 KiB on the heap.
  ///
  /// Its time grows only because of the processor's caches.
  struct HashTable: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hash-table", abstract: "Reads values of 1 KiB from a dictionary of the standard library.")
    @Option(help: "The number of values.") var size: Int
    @Option(help: "The number of measured reads.") var requests: Int

    private struct Key: Hashable { let words: SIMD4<UInt64> }

    func run() throws {
      var table: [Key: [UInt8]] = [:]
      let before = heap_bytes()
      for number in 0..<size {
        table[key(number)] = Array(repeating: UInt8(truncatingIfNeeded: number), count: 1_024)
      }
      var report = GrowthReport()
      report.add("memory", bytes: heap_bytes() - before, units: size)
      var numbers = SplitMix(state: 1)
      var sum = 0
      let start = ProcessorTime.now()
      for _ in 0..<requests {
        guard let value = table[key(Int(numbers.next() % UInt64(size)))] else {
          throw Trouble("a key is missing")
        }
        for byte in value { sum &+= Int(byte) }
      }
      report.add("read", since: start, by: ProcessorTime.now(), units: requests)
      guard sum >= 0 else { throw Trouble("the sum is negative") }
      report.print()
    }

    private func key(_ number: Int) -> Key {
      var words = SplitMix(state: UInt64(number))
      return Key(words: SIMD4(words.next(), words.next(), words.next(), words.next()))
    }
  }
}
