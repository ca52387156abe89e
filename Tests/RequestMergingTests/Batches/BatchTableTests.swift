import HTTPTypes
import Interception
import Testing

@testable import RequestMerging

@Suite struct BatchTableTests {
  typealias Table = BatchTable<String, String>

  var table = Table()
  var rule = MergingFixture.rule

  func candidate(_ id: String) throws -> MergeCandidate {
    let request = MergingFixture.request(id)
    return try #require(MergeCandidate(request, by: rule, at: 0, origin: RequestOrigin(request.head)))
  }

  func open(_ table: inout Table, _ id: String) throws -> Table.Place {
    table.start(try candidate(id)) { (_) async throws(NetworkError) in Response(status: .ok) }
  }

  func join(_ table: inout Table, _ id: String, _ batch: UInt64) throws -> Table.Place? {
    switch table.join(try candidate(id), batch, by: rule) {
    case .joined(let place), .filled(let place, _, _): place
    case .noRoom, .tooLate: nil
    }
  }

  static func failure(_ wasSent: Bool) -> Table.Outcome {
    .failure(NetworkError(.cancelled(.task), "", requestMayHaveBeenProcessed: wasSent))
  }

  @Test("A batch is sent once, by its window or because it is full")
  func sentOnce() throws {
    var table = table
    let place = try open(&table, "1")
    #expect(table.openBatches(of: try candidate("2").key).map(\.batch) == [place.batch])
    #expect(table.endWindow(of: place.batch)?.entries.map(\.item.id) == ["1"])
    #expect(table.endWindow(of: place.batch) == nil)
    guard case .tooLate = table.join(try candidate("2"), place.batch, by: rule) else {
      Issue.record("A batch that was sent can't be joined.")
      return
    }
    #expect(table.openBatches(of: try candidate("2").key).isEmpty)
  }

  @Test("A window that starts after its batch was filled is cancelled, and the transfer is not replaced")
  func lateWindow() throws {
    var table = table
    var rule = rule
    rule.maximumCount = 2
    let place = try open(&table, "1")
    guard case .filled(let second, _, let window) = table.join(try candidate("2"), place.batch, by: rule)
    else {
      Issue.record("The batch should be full.")
      return
    }
    #expect(window == nil)
    #expect(table.storeTransfer("transfer", of: place.batch) == true)
    #expect(table.storeWindow("window", of: place.batch) == false)
    #expect(table.leave(place, Self.failure).cancelled == nil)
    #expect(table.leave(second, Self.failure).cancelled == "transfer")
  }

  @Test("A window that has sent its batch before its handle is stored is the transfer")
  func quickWindow() throws {
    var table = table
    let place = try open(&table, "1")
    _ = table.endWindow(of: place.batch)
    #expect(table.storeWindow("window", of: place.batch) == true)
    #expect(table.leave(place, Self.failure).cancelled == "window")
    #expect(table.storeTransfer("transfer", of: place.batch) == false)
  }

  @Test("A filled batch cancels its window")
  func filledWindow() throws {
    var table = table
    var rule = rule
    rule.maximumCount = 2
    let place = try open(&table, "1")
    #expect(table.storeWindow("window", of: place.batch) == true)
    guard case .filled(_, let contents, "window"?) = table.join(try candidate("2"), place.batch, by: rule)
    else {
      Issue.record("The batch should be full, with a window.")
      return
    }
    #expect(contents.entries.map(\.item.id) == ["1", "2"])
  }

  @Test("Each request is resolved once, whether it is suspended before or after")
  func resolution() throws {
    var table = table
    let first = try open(&table, "1")
    let joined = [try join(&table, "2", first.batch), try join(&table, "3", first.batch)]
    let (second, third) = (try #require(joined[0]), try #require(joined[1]))
    #expect(table.suspend(first, "first") == nil)
    let sent = table.endWindow(of: first.batch)
    let contents = try #require(sent)
    // The third one is cancelled before it is suspended.
    #expect(table.leave(third, Self.failure).resumption == nil)
    #expect(table.suspend(third, "third")?.failure?.requestMayHaveBeenProcessed == true)
    let outcomes = [Table.Outcome](repeating: .success(Response(status: .ok)), count: 3)
    #expect(table.finish(contents, outcomes).map(\.continuation) == ["first"])
    #expect(table.leave(first, Self.failure).resumption == nil)
    #expect(table.leave(second, Self.failure).resumption == nil, "It is resolved already.")
    #expect(table.suspend(second, "second")?.failure == nil)
    #expect(table.isEmpty && table.waitingCount == 0)
  }
}
