import Foundation
import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Synchronization
import Testing

@testable import ResourceLoading

@Suite(.timeLimit(.minutes(5))) struct ResourceLoaderTests {
  private typealias Loader = ResourceLoader<PictureDecoder>

  private static let picture = Picture(name: "a", width: 40, height: 20)
  private static let thumbnail = PixelSize(width: 10, height: 10)

  private static func loader(
    over server: PictureServer, _ decoder: PictureDecoder = PictureDecoder(),
    limits: ResourceLimits = ResourceLimits()
  ) -> Loader { Loader(over: server, decoder: decoder, limits: limits) }

  @Test("A resource is transferred and decoded once, and then returned from memory")
  func loading() async throws {
    let (server, decoder) = (PictureServer(), PictureDecoder())
    let loader = Self.loader(over: server, decoder)
    let request = PictureServer.request("a")
    #expect(loader.placeholder(for: request) == nil)
    for _ in 0..<3 { #expect(try await loader.load(request) == Self.picture) }
    #expect(loader.placeholder(for: request) == Self.picture)
    #expect(server.paths == ["/a"] && decoder.counts == [Self.picture: 1])
    let statistics = loader.statistics
    #expect(statistics.transfers == 1 && statistics.decodes == 1 && statistics.hits == 2)
    #expect(statistics.decodedBytes >= Self.picture.cost && statistics.waiting == 0)
  }

  @Test("Loads at the same time share one transfer, and one decode for each size")
  func sharing() async throws {
    let (server, decoder) = (PictureServer(), PictureDecoder())
    let loader = Self.loader(over: server, decoder)
    server.close()
    let request = PictureServer.request("a")
    let loads = (0..<10).map { number in
      Task { try await loader.load(request, at: number.isMultiple(of: 2) ? nil : Self.thumbnail) }
    }
    try await waitUntil("all wait") { loader.statistics.waiting == 10 }
    server.open()
    for (number, load) in loads.enumerated() {
      let expected = Self.picture.scaled(to: number.isMultiple(of: 2) ? nil : Self.thumbnail)
      #expect(try await load.value == expected)
    }
    #expect(server.paths == ["/a"] && decoder.counts.values.allSatisfy { $0 == 1 })
    #expect(decoder.counts.count == 2 && loader.statistics.joins == 9)
  }

  @Test(
    "The last caller whose task is cancelled cancels the transfer, and each cancelled one returns at once")
  func cancellation() async throws {
    let server = PictureServer()
    let loader = Self.loader(over: server)
    server.close()
    let request = PictureServer.request("a")
    let loads = (0..<2).map { _ in Task { try await loader.load(request) } }
    try await waitUntil("both wait") { loader.statistics.waiting == 2 }
    try await server.waitForRequests(1)
    for (number, load) in loads.enumerated() {
      load.cancel()
      let error = await #expect(throws: ResourceError.self) { try await load.value }
      #expect(error?.isCancellation == true)
      #expect(loader.statistics.waiting == 1 - number)
      if number == 0 { #expect(server.runningCount == 1, "Another caller waits") }
    }
    try await waitUntil("the transfer is cancelled") { server.runningCount == 0 }
    server.open()
    #expect(try await loader.load(request) == Self.picture)
  }

  @Test("A row that is shown again while its cancelled transfer ends gets its picture")
  func cancelledAndShownAgain() async throws {
    let server = PictureServer()
    let loader = Self.loader(over: server)
    for number in 0..<50 {
      let request = PictureServer.request(number)
      let first = Task { try await loader.load(request) }
      await Task.yield()
      first.cancel()
      #expect(try await loader.load(request).name == "\(number)")
      _ = await first.result
    }
    #expect(loader.statistics.waiting == 0)
  }

  @Test("A load whose task is cancelled already sends nothing")
  func cancelledBefore() async throws {
    let server = PictureServer()
    let loader = Self.loader(over: server)
    let load = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await loader.load(PictureServer.request("a"))
    }
    let error = await #expect(throws: ResourceError.self) { try await load.value }
    #expect(error?.isCancellation == true && server.paths.isEmpty)
  }

  @Test("Transfers and decodes at the same time are limited")
  func parallelism() async throws {
    let server = PictureServer()
    let decoder = PictureDecoder()
    let loader = Self.loader(over: server, decoder, limits: ResourceLimits(transfers: 3, decodes: 2))
    try await withThrowingTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          let picture = try await loader.load(PictureServer.request(number))
          #expect(picture.name == "\(number)")
        }
      }
      try await group.waitForAll()
    }
    #expect(server.highest <= 3 && decoder.highest <= 2 && server.paths.count == 200)
  }

  @Test("The decoder never runs on the actor of the caller")
  @MainActor func isolation() async throws {
    let isOnMain = Mutex(false)
    let decoder = PictureDecoder { if Thread.isMainThread { isOnMain.withLock { $0 = true } } }
    let loader = Self.loader(over: PictureServer(), decoder)
    _ = try await loader.load(PictureServer.request("a"))
    #expect(!isOnMain.withLock { $0 })
  }

  @Test("A value of another size is the placeholder until that of the size is there")
  func placeholder() async throws {
    let server = PictureServer()
    let loader = Self.loader(over: server)
    let request = PictureServer.request("a")
    _ = try await loader.load(request, at: Self.thumbnail)
    #expect(loader.placeholder(for: request) == Self.picture.scaled(to: Self.thumbnail))
    #expect(loader.placeholder(for: PictureServer.request("b")) == nil)
    #expect(try await loader.load(request) == Self.picture)
    #expect(loader.placeholder(for: request, at: PixelSize(width: 20, height: 20)) == Self.picture)
  }

  @Test("After its lifetime a value is loaded again, through the pipeline's cache")
  func lifetime() async throws {
    let clock = TestClock()
    let server = PictureServer()
    let loader = Loader(
      over: server, decoder: PictureDecoder(), limits: ResourceLimits(lifetime: .seconds(60)),
      time: TimeSource(clock))
    _ = try await loader.load(PictureServer.request("a"))
    clock.advance(by: .seconds(59))
    _ = try await loader.load(PictureServer.request("a"))
    #expect(server.paths.count == 1)
    clock.advance(by: .seconds(1))
    _ = try await loader.load(PictureServer.request("a"))
    #expect(server.paths.count == 2)
  }

  @Test("Scrolling back decodes what was evicted again, from the pipeline's cache and not from the server")
  func responseCache() async throws {
    let server = PictureServer()
    let pipeline = try Pipeline(over: server) { CachingInterceptor(defaultRule: .stated()) }
    let loader = Loader(
      over: pipeline, decoder: PictureDecoder(), limits: ResourceLimits(decodedBytes: 20_000))
    for number in Array(0..<40) + Array((0..<40).reversed()) {
      #expect(try await loader.load(PictureServer.request(number)).name == "\(number)")
    }
    let statistics = loader.statistics
    #expect(server.paths.count == 40 && statistics.decodes > 40)
    #expect(statistics.hits > 0 && statistics.highestDecodedBytes <= 20_000)
  }

  @Test("Releasing the values keeps loads; ending all of them gives no value of before to anybody")
  func removal() async throws {
    let server = PictureServer()
    let loader = Self.loader(over: server)
    _ = try await loader.load(PictureServer.request("a"))
    loader.removeValues()
    #expect(loader.statistics.decodedBytes == 0 && loader.placeholder(for: PictureServer.request("a")) == nil)
    server.close()
    let load = Task { try await loader.load(PictureServer.request("a")) }
    try await server.waitForRequests(2)
    loader.removeValues()
    #expect(loader.statistics.waiting == 1)
    loader.removeAll()
    let error = await #expect(throws: ResourceError.self) { try await load.value }
    #expect(error?.isCancellation == true)
    server.open()
    try await waitUntil("the transfer has ended") { server.runningCount == 0 }
    #expect(loader.placeholder(for: PictureServer.request("a")) == nil)
    #expect(try await loader.load(PictureServer.request("a")) == Self.picture)
  }

  @Test("A prefetch that is asked for becomes visible, and one that is cancelled is not transferred")
  func prefetching() async throws {
    let server = PictureServer()
    let loader = Self.loader(over: server, limits: ResourceLimits(transfers: 1))
    server.close()
    loader.prefetch((0..<4).map(PictureServer.request))
    try await server.waitForRequests(1)
    loader.cancelPrefetches(of: [PictureServer.request(2)])
    let load = Task { try await loader.load(PictureServer.request(3)) }
    try await waitUntil("it waits") { loader.statistics.waiting == 1 }
    server.open()
    #expect(try await load.value.name == "3")
    try await waitUntil("all are in memory") { loader.placeholder(for: PictureServer.request(1)) != nil }
    #expect(server.paths == ["/0", "/3", "/1"])
    #expect(server.requests.map(\.options.priority) == [.low, .normal, .low])
    #expect(try await loader.load(PictureServer.request(1)).name == "1")
    #expect(loader.statistics.hits == 1)
  }

  @Test("Progress is reported to all that wait with a meter, and each meter is finished")
  func progress() async throws {
    let chunks = Self.picture.bytes.map { [$0] }
    let server = PictureServer { picture throws(NetworkError) in
      let stream = BodyStream(length: Int64(chunks.count), ScriptedByteSource(chunks))
      return Response(HTTPResponse(status: .ok), body: .stream(stream))
    }
    let loader = Self.loader(over: server)
    server.close()
    let meters = [TransferMeter(), TransferMeter()]
    let loads = meters.map { meter in
      Task { try await loader.load(PictureServer.request("a"), reportingTo: meter) }
    }
    try await waitUntil("both wait") { loader.statistics.waiting == 2 }
    server.open()
    for load in loads { #expect(try await load.value == Self.picture) }
    for meter in meters {
      var last: TransferMeter.Progress?
      for await progress in meter.updates() { last = progress }
      #expect(last?.bytes == Int64(chunks.count) && last?.fraction == 1)
    }
  }

  /// Asks its loader when it is released.
  private final class Curious: Sendable {
    let ask: @Sendable () -> Void

    init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }

    deinit { ask() }
  }

  private struct CuriousDecoder: ResourceDecoder {
    let ask: @Sendable () -> Void

    func measure(_ bytes: [UInt8]) throws -> PixelSize? { nil }

    func decode(_ bytes: [UInt8], to size: PixelSize?) throws -> DecodedResource<Curious> {
      DecodedResource(Curious(ask), cost: 1000)
    }
  }

  @Test("A value whose end asks the loader is evicted and removed without a deadlock")
  func releasedValues() async throws {
    let loaders = Mutex<ResourceLoader<CuriousDecoder>?>(nil)
    let answers = Atomic(0)
    let loader = ResourceLoader(
      over: PictureServer(),
      decoder: CuriousDecoder {
        guard let loader = loaders.withLock({ $0 }) else { return }
        if loader.statistics.transfers > 0 { answers.add(1, ordering: .relaxed) }
      }, limits: ResourceLimits(decodedBytes: 4000))
    loaders.withLock { $0 = loader }
    for number in 0..<5 { _ = try await loader.load(PictureServer.request(number)) }
    try await waitUntil("values were evicted") { answers.load(ordering: .relaxed) >= 3 }
    loader.removeValues()
    try await waitUntil("all were removed") { answers.load(ordering: .relaxed) == 5 }
    loaders.withLock { $0 = nil }
  }
}
