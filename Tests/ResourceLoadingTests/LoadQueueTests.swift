import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResourceLoading

/// A queue, whose actions are kept until a test ends them.
private struct QueueFixture {
  var queue: LoadQueue
  private(set) var cancelled: [String] = []
  /// The names of the resources whose transfers run, in the order in which they started.
  private(set) var transferring: [String] = []
  /// The names of the resources that are being decoded, with the width, in the order in which they started.
  private(set) var decoding: [String] = []
  private var ids: [String: LoadQueue.LoadID] = [:]
  private var names: [LoadQueue.LoadID: String] = [:]
  private var lastWaiter: LoadQueue.WaiterID = 0
  var isPrefetching = true

  init(transfers: Int = 1, decodes: Int = 1) {
    queue = LoadQueue(ResourceLimits(transfers: transfers, decodes: decodes))
  }

  static func variant(_ name: String, _ width: Int? = nil) throws -> ResourceVariant {
    let key = try ResourceKey(PictureServer.request(name))
    return ResourceVariant(key: key, size: width.map { PixelSize(width: $0, height: $0) })
  }

  @discardableResult
  mutating func ask(_ name: String, _ width: Int? = nil) throws -> LoadQueue.WaiterID {
    lastWaiter += 1
    _ = queue.ask(try Self.variant(name, width), of: PictureServer.request(name), lastWaiter)
    advance()
    return lastWaiter
  }

  mutating func prefetch(_ names: String..., width: Int? = nil) throws {
    for name in names { queue.prefetch(try Self.variant(name, width), of: PictureServer.request(name)) }
    advance()
  }

  mutating func cancelPrefetch(_ name: String) throws {
    queue.cancelPrefetch(try Self.variant(name))
    advance()
  }

  mutating func leave(_ waiter: LoadQueue.WaiterID) {
    queue.leave(waiter)
    advance()
  }

  mutating func removeAll() -> [LoadQueue.WaiterID] {
    defer { advance() }
    return queue.removeAll().sorted()
  }

  mutating func finishTransfer(_ name: String) {
    transferring.removeAll { $0 == name }
    if let id = ids[name] {
      queue.finishTransfer(id, ResourceContent(bytes: Array(name.utf8), isStorable: true))
    }
    advance()
  }

  mutating func failTransfer(_ name: String) -> [LoadQueue.WaiterID] {
    defer { advance() }
    transferring.removeAll { $0 == name }
    return ids[name].map { queue.failTransfer($0) } ?? []
  }

  mutating func finishDecode(_ name: String, _ width: Int? = nil) -> [LoadQueue.WaiterID]? {
    defer { advance() }
    decoding.removeAll { $0 == Self.text(name, width) }
    guard let id = ids[name] else { return nil }
    return queue.finishDecode(id, width.map { PixelSize(width: $0, height: $0) })?.waiters
  }

  /// Allows prefetches to start.
  mutating func resumePrefetches() {
    isPrefetching = true
    advance()
  }

  private mutating func advance() {
    for action in queue.advance(prefetching: isPrefetching) {
      switch action {
      case .transfer(let id, let key, _, _):
        let name = String(key.path.dropFirst())
        transferring.append(name)
        ids[name] = id
        names[id] = name
      case .cancel(let id): cancelled.append(names[id] ?? "?")
      case .decode(_, let variant, let content, _):
        decoding.append(Self.text(String(decoding: content.bytes, as: UTF8.self), variant.size?.width))
      }
    }
  }

  private static func text(_ name: String, _ width: Int?) -> String { width.map { "\(name) \($0)" } ?? name }
}

@Suite struct LoadQueueTests {
  @Test("The last asked visible load starts first, and prefetches follow in the order of their requests")
  func order() throws {
    var fixture = QueueFixture()
    try fixture.ask("running")
    try fixture.prefetch("p1", "p2")
    for name in ["a", "b", "c"] { try fixture.ask(name) }
    var order: [String] = []
    while let name = fixture.transferring.first {
      order.append(name)
      fixture.finishTransfer(name)
      _ = fixture.finishDecode(name)
    }
    #expect(order == ["running", "c", "b", "a", "p1", "p2"])
    #expect(fixture.queue.isIdle)
  }

  @Test("A prefetch that becomes visible starts before others, and waits behind them when it no longer is")
  func changingPriorities() throws {
    var fixture = QueueFixture()
    try fixture.ask("running")
    try fixture.prefetch("p1", "p2", "p3")
    try fixture.ask("a")
    let visible = try fixture.ask("p2")
    try fixture.ask("p3")
    fixture.leave(visible)
    var order: [String] = []
    while let name = fixture.transferring.first {
      order.append(name)
      fixture.finishTransfer(name)
      _ = fixture.finishDecode(name)
    }
    #expect(order == ["running", "p3", "a", "p1", "p2"])
  }

  @Test("All that ask for a resource share its transfer, and one decode for each size")
  func sharing() throws {
    var fixture = QueueFixture(transfers: 4, decodes: 4)
    let small = [try fixture.ask("a", 10), try fixture.ask("a", 10)]
    let large = [try fixture.ask("a", 20)]
    #expect(fixture.transferring == ["a"])
    fixture.finishTransfer("a")
    #expect(fixture.decoding == ["a 20", "a 10"])
    let late = [try fixture.ask("a", 10), try fixture.ask("a", 30)]
    #expect(fixture.transferring.isEmpty && fixture.decoding == ["a 20", "a 10", "a 30"])
    #expect(fixture.finishDecode("a", 10) == small + [late[0]])
    #expect(fixture.finishDecode("a", 20) == large)
    #expect(fixture.finishDecode("a", 30) == [late[1]])
    #expect(fixture.queue.isIdle && fixture.queue.waitingCount == 0)
  }

  @Test("The last caller that leaves cancels the transfer, and no other one does")
  func leaving() throws {
    var fixture = QueueFixture()
    let waiters = [try fixture.ask("a"), try fixture.ask("a", 10)]
    try fixture.prefetch("a")
    fixture.leave(waiters[0])
    fixture.leave(waiters[1])
    #expect(fixture.cancelled.isEmpty, "It is prefetched")
    try fixture.cancelPrefetch("a")
    #expect(fixture.cancelled == ["a"])
    #expect(fixture.failTransfer("a") == [])
    #expect(fixture.queue.isIdle)
  }

  @Test("What was cancelled while it waited is never transferred or decoded")
  func cancelledInTime() throws {
    var fixture = QueueFixture()
    try fixture.ask("a")
    let waiter = try fixture.ask("b")
    fixture.leave(waiter)
    fixture.finishTransfer("a")
    let second = try fixture.ask("c")
    #expect(fixture.transferring == ["c"])
    fixture.finishTransfer("c")
    fixture.leave(second)
    #expect(fixture.finishDecode("a")?.count == 1)
    #expect(fixture.transferring.isEmpty && fixture.decoding.isEmpty && fixture.cancelled.isEmpty)
    #expect(fixture.queue.isIdle)
  }

  @Test(
    "A load that is asked for again while its cancelled transfer ends begins anew, after that",
    arguments: [[nil], [10], [nil, 10], [10, nil]] as [[Int?]])
  func restart(_ widths: [Int?]) throws {
    var fixture = QueueFixture(transfers: 4, decodes: 4)
    fixture.leave(try fixture.ask("a"))
    let waiters = try widths.map { try fixture.ask("a", $0) }
    #expect(fixture.cancelled == ["a"] && fixture.transferring == ["a"])
    #expect(fixture.failTransfer("a") == [], "The cancellation is not that of the new callers")
    #expect(fixture.transferring == ["a"])
    fixture.finishTransfer("a")
    for (width, waiter) in zip(widths, waiters) { #expect(fixture.finishDecode("a", width) == [waiter]) }
    #expect(fixture.queue.isIdle)
  }

  @Test(
    "A prefetch that is asked for again while its cancelled transfer ends begins anew, after that",
    arguments: [nil, 10] as [Int?])
  func restartOfPrefetch(_ width: Int?) throws {
    var fixture = QueueFixture(transfers: 4)
    fixture.leave(try fixture.ask("a"))
    try fixture.prefetch("a", width: width)
    #expect(fixture.failTransfer("a") == [])
    #expect(fixture.transferring == ["a"])
    fixture.finishTransfer("a")
    #expect(fixture.finishDecode("a", width) == [])
    #expect(fixture.queue.isIdle)
  }

  @Test("The response that arrives in spite of a cancellation is used if a caller has asked again")
  func responseInSpiteOfCancellation() throws {
    var fixture = QueueFixture()
    fixture.leave(try fixture.ask("a"))
    let waiter = try fixture.ask("a", 10)
    fixture.finishTransfer("a")
    #expect(fixture.decoding == ["a 10"] && fixture.finishDecode("a", 10) == [waiter])
    fixture.leave(try fixture.ask("b"))
    fixture.finishTransfer("b")
    #expect(fixture.decoding.isEmpty && fixture.queue.isIdle, "No caller has asked again")
  }

  @Test("A failure concerns all that wait, and the next one that asks starts another transfer")
  func failure() throws {
    var fixture = QueueFixture()
    let waiters = [try fixture.ask("a"), try fixture.ask("a", 10)]
    #expect(fixture.failTransfer("a") == waiters)
    #expect(fixture.queue.isIdle)
    try fixture.ask("a")
    #expect(fixture.transferring == ["a"])
  }

  @Test("Prefetches leave half of the transfers and decodes to what becomes visible")
  func reservations() throws {
    var fixture = QueueFixture(transfers: 6, decodes: 2)
    try fixture.prefetch("1", "2", "3", "4", "5", "6", "7", "8")
    #expect(fixture.transferring == ["1", "2", "3"])
    for name in ["1", "2", "3"] { fixture.finishTransfer(name) }
    #expect(fixture.decoding == ["1"], "Those that wait to be decoded count, too")
    #expect(fixture.transferring == ["4"])
    for name in ["a", "b", "c"] { try fixture.ask(name) }
    #expect(fixture.transferring == ["4", "a", "b", "c"])
    fixture.finishTransfer("b")
    #expect(fixture.decoding == ["1", "b"])
  }

  @Test("Without room for prefetched values none starts, and what is visible does")
  func pausedPrefetches() throws {
    var fixture = QueueFixture(transfers: 4)
    fixture.isPrefetching = false
    try fixture.prefetch("p")
    try fixture.ask("a")
    #expect(fixture.transferring == ["a"])
    fixture.resumePrefetches()
    #expect(fixture.transferring == ["a", "p"])
  }

  @Test("A slow decoder stops further transfers, so that few resources are in memory undecoded")
  func backPressure() throws {
    var fixture = QueueFixture(transfers: 3, decodes: 1)
    for number in 0..<20 { try fixture.ask("\(number)") }
    var (transferred, finished) = (0, 0)
    repeat {
      while let name = fixture.transferring.first {
        fixture.finishTransfer(name)
        transferred += 1
      }
      #expect(transferred - finished <= 4 && fixture.decoding.count == 1)
      guard let name = fixture.decoding.first else { break }
      #expect(fixture.finishDecode(name)?.count == 1)
      finished += 1
    } while !fixture.queue.isIdle
    #expect(finished == 20 && fixture.queue.isIdle)
  }

  @Test("Of more than 1,000 prefetches that wait, the oldest are dropped")
  func manyPrefetches() throws {
    var fixture = QueueFixture()
    try fixture.ask("running")
    for number in 0..<1500 { try fixture.prefetch("\(number)") }
    #expect(fixture.queue.count == 1001)
    fixture.finishTransfer("running")
    #expect(fixture.transferring == ["500"])
  }

  /// What happens while the only transfer runs; at most 1,000 prefetches may wait after that.
  private static let floods: [(String, @Sendable (inout QueueFixture) throws -> Void)] = [
    ("sizes of one resource", { for width in 1...1500 { try $0.prefetch("a", width: width) } }),
    ("sizes of what is transferred", { for width in 1...1500 { try $0.prefetch("running", width: width) } }),
    (
      "sizes of several resources",
      { for width in 1...500 { try $0.prefetch("a", "b", "c", width: width) } }
    ),
    (
      "prefetches whose callers leave after others were added",
      { fixture in
        for number in 0..<1000 { try fixture.prefetch("\(number)") }
        let waiters = try (0..<1000).map { try fixture.ask("\($0)") }
        for number in 1000..<2000 { try fixture.prefetch("\(number)") }
        for waiter in waiters { fixture.leave(waiter) }
      }
    ),
    (
      "prefetches of what is visible",
      { fixture in
        let waiters = try (0..<2000).map { try fixture.ask("\($0)") }
        for number in 0..<2000 { try fixture.prefetch("\(number)") }
        for waiter in waiters { fixture.leave(waiter) }
      }
    ),
  ]

  @Test(
    "At most 1,000 prefetches wait, however they came to wait", .timeLimit(.minutes(5)),
    arguments: floods.indices)
  func floodOfPrefetches(_ index: Int) throws {
    let (name, flood) = Self.floods[index]
    var fixture = QueueFixture()
    try fixture.ask("running")
    try flood(&fixture)
    #expect(fixture.queue.demandCount == 1001, "\(name)")
    #expect(fixture.cancelled.isEmpty && fixture.transferring == ["running"])
    // The newest one is among those that are kept.
    try fixture.cancelPrefetch("1999")
    #expect(fixture.queue.demandCount == (index > 2 ? 1000 : 1001), "\(name)")
  }

  @Test("A prefetch whose transfer runs is not dropped for newer ones, nor one that is visible")
  func runningPrefetches() throws {
    var fixture = QueueFixture(transfers: 2)
    try fixture.prefetch("running", "visible")
    let waiter = try fixture.ask("visible", 10)
    for number in 0..<1500 { try fixture.prefetch("\(number)") }
    #expect(fixture.cancelled.isEmpty && fixture.transferring == ["running", "visible"])
    fixture.finishTransfer("visible")
    #expect(fixture.finishDecode("visible", 10) == [waiter])
  }

  @Test("The request of each load is handed out once, to be released, however the load ends")
  func endedRequests() throws {
    var fixture = QueueFixture(transfers: 4)
    for name in ["decoded", "failed", "removed"] { try fixture.ask(name) }
    let waiter = try fixture.ask("cancelled")
    try fixture.ask("failed", 10)
    fixture.finishTransfer("decoded")
    _ = fixture.finishDecode("decoded")
    _ = fixture.failTransfer("failed")
    fixture.leave(waiter)
    fixture.finishTransfer("cancelled")
    _ = fixture.removeAll()
    #expect(
      fixture.queue.takeEnded().map { $0.head.path } == ["/decoded", "/failed", "/cancelled", "/removed"])
    #expect(fixture.queue.takeEnded().isEmpty)
  }

  @Test("After all loads were ended, what still runs occupies its place and is given to no caller")
  func removeAll() throws {
    var fixture = QueueFixture(transfers: 2, decodes: 1)
    let first = try fixture.ask("a")
    fixture.finishTransfer("a")
    let others = [try fixture.ask("b"), try fixture.ask("c"), try fixture.ask("d")]
    #expect(fixture.removeAll() == [first] + others)
    #expect(fixture.cancelled.sorted() == ["b", "c"])
    let waiter = try fixture.ask("e")
    #expect(fixture.transferring == ["b", "c"], "Two transfers still run")
    fixture.finishTransfer("b")
    #expect(fixture.transferring == ["c", "e"])
    fixture.finishTransfer("e")
    #expect(fixture.finishDecode("a") == nil)
    #expect(fixture.decoding == ["e"])
    #expect(fixture.failTransfer("c") == [])
    #expect(fixture.finishDecode("e") == [waiter])
    #expect(fixture.queue.isIdle)
  }
}
