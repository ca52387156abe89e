import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResourceLoading

@Suite(.timeLimit(.minutes(5))) struct ScrollingTests {
  private typealias Load = Task<Picture, any Error>

  private static let thumbnail = PixelSize(width: 20, height: 10)
  private static let rows = 20

  /// A list that shows a screen of rows, and prefetches the next one.
  private final class List {
    let server = PictureServer()
    let decoder = PictureDecoder()
    let loader: ResourceLoader<PictureDecoder>
    private var loads: [Int: Load] = [:]

    init(_ limits: ResourceLimits) {
      loader = ResourceLoader(over: server, decoder: decoder, limits: limits)
    }

    /// Shows a screen, whose loads begin while the server answers no request.
    func show(_ visible: Range<Int>) async throws {
      server.close()
      let gone = loads.keys.filter { !visible.contains($0) }
      for row in gone { loads.removeValue(forKey: row)?.cancel() }
      loader.cancelPrefetches(of: gone.map(PictureServer.request), at: thumbnail)
      let ended = WaitableValue(0)
      for row in visible {
        loads[row] = Task { [loader] in
          defer { ended.update { $0 += 1 } }
          return try await loader.load(PictureServer.request(row), at: thumbnail)
        }
      }
      try await waitUntil("all rows are loaded or wait") { [loader] in
        loader.statistics.waiting + ended.value >= visible.count
      }
      // What was decided before they were asked for has reached the server.
      try await waitUntil("all transfers were sent") { [loader, server] in
        loader.statistics.transfers == server.paths.count
      }
      let next = visible.upperBound..<visible.upperBound + visible.count
      loader.prefetch(next.map(PictureServer.request), at: thumbnail)
    }

    /// Shows no row any more, and releases what is in memory.
    func close() {
      for load in loads.values { load.cancel() }
      loads = [:]
      loader.removeAll()
    }

    /// Lets the server answer until all rows of the screen are loaded, and checks their pictures.
    func settle() async throws {
      server.open()
      for (row, load) in loads { #expect(try await load.value.name == "\(row)") }
    }
  }

  /// Checks what decoded pictures took by the pictures themselves, and that none is left.
  private static func checkMemory(of list: List, _ limits: ResourceLimits) async throws {
    let own = 20 * 10 * 4
    let memory = list.decoder.memory
    // Besides what is kept: the rows of a screen, those of the last one whose tasks end, and what was decoded
    // or evicted and is on its way.
    let kept = limits.decodedBytes / (own + (try ResourceKey(PictureServer.request(0)).cost))
    let others = 2 * rows + 2 * limits.decodes
    #expect(memory.numbers.highestBuffers <= kept + others)
    #expect(memory.numbers.highestBytes <= limits.decodedBytes + others * own)
    #expect(memory.numbers.highestBuffers > kept / 2, "The limit was reached")
    list.close()
    try await waitUntil("all pictures are released") { memory.numbers.buffers == 0 }
    #expect(memory.numbers.bytes == 0)
  }

  @Test("J8: Of 10,000 images scrolled past the visible ones come first, none twice, in bounded memory")
  func tenThousandImages() async throws {
    let cost = 20 * 10 * 4 + 600
    // One transfer at a time, so that the server sees them in the order in which they were decided.
    let limits = ResourceLimits(decodedBytes: 100 * cost, transfers: 1, decodes: 2)
    let list = List(limits)
    var (settled, early) = (0, 0)
    for (screen, top) in stride(from: 0, to: 10_000, by: Self.rows).enumerated() {
      let visible = top..<top + Self.rows
      try await list.show(visible)
      // Every fourth screen is flung past before its pictures are there.
      guard screen % 4 != 3 else { continue }
      let sent = list.server.paths.count
      try await list.settle()
      settled += visible.count
      // What was sent since the rows were asked for, up to the last of them.
      let names = Set(visible.map { "/\($0)" })
      let order = list.server.paths.dropFirst(sent)
      if let last = order.lastIndex(where: names.contains) {
        early += order[...last].count { !names.contains($0) }
      }
    }
    let paths = list.server.paths
    #expect(settled == 7500)
    #expect(early == 0, "Requests for rows that aren't visible were sent before those of visible rows")
    #expect(Set(paths).count == paths.count, "Transferred twice")
    let counts = list.decoder.counts
    #expect(counts.values.allSatisfy { $0 == 1 }, "Decoded twice")
    #expect(counts.count >= settled && counts.count <= paths.count)
    let statistics = list.loader.statistics
    #expect(statistics.highestDecodedBytes <= limits.decodedBytes)
    #expect(statistics.highestDecodedBytes > limits.decodedBytes / 2, "The limit was reached")
    #expect(counts.count * cost > 10 * limits.decodedBytes)
    #expect(list.decoder.highest <= 2 && list.server.highest == 1)
    try await Self.checkMemory(of: list, limits)
  }

  @Test(
    "With several transfers at a time nothing is transferred or decoded twice, and memory is bounded, too")
  func severalTransfers() async throws {
    let limits = ResourceLimits(decodedBytes: 200_000, transfers: 6, decodes: 2)
    let list = List(limits)
    for (screen, top) in stride(from: 0, to: 2000, by: Self.rows).enumerated() {
      try await list.show(top..<top + Self.rows)
      if screen % 4 != 3 { try await list.settle() }
    }
    let paths = list.server.paths
    #expect(Set(paths).count == paths.count && list.decoder.counts.values.allSatisfy { $0 == 1 })
    #expect(list.loader.statistics.highestDecodedBytes <= limits.decodedBytes)
    #expect(list.server.highest <= 6 && list.decoder.highest <= 2)
    try await Self.checkMemory(of: list, limits)
  }
}
