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

  func enter(
    _ table: inout Table, _ candidate: MergeCandidate, except compared: Set<UInt64> = []
  ) -> Table.Entering {
    table.enter(candidate, except: compared, by: rule, send: Self.send)
  }

  static let send: Table.Send = { (_) async throws(NetworkError) in Response(status: .ok) }

  /// Opens a batch for a request that was compared with the open ones.
  func open(_ table: inout Table, _ id: String, except compared: Set<UInt64> = []) throws -> Table.Place {
    let entering = enter(&table, try candidate(id), except: compared)
    guard case .started(let place, nil) = entering else { throw UnexpectedEntering(entering: entering) }
    return place
  }

  /// The batch with which a request must be compared.
  func candidateBatch(
    _ table: inout Table, _ id: String, except compared: Set<UInt64> = []
  ) throws -> (batch: UInt64, first: Request) {
    let entering = enter(&table, try candidate(id), except: compared)
    guard case .candidate(let batch, let first) = entering else {
      throw UnexpectedEntering(entering: entering)
    }
    return (batch, first)
  }

  struct UnexpectedEntering: Error { let entering: Table.Entering }

  func join(_ table: inout Table, _ id: String, _ batch: UInt64) throws -> Table.Place? {
    switch table.join(try candidate(id), batch, by: rule, send: Self.send) {
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
    #expect(try candidateBatch(&table, "2").batch == place.batch)
    #expect(table.endWindow(of: place.batch)?.entries.map(\.item.id) == ["1"])
    #expect(table.endWindow(of: place.batch) == nil)
    guard case .tooLate = table.join(try candidate("2"), place.batch, by: rule, send: Self.send) else {
      Issue.record("A batch that was sent can't be joined.")
      return
    }
    #expect(try open(&table, "2").batch != place.batch)
  }

  @Test("Of two requests that compared the same batches, one opens a batch and the other is offered it")
  func sameLook() throws {
    var table = table
    let other = try open(&table, "1")
    // Both are incompatible with the open batch.
    for id in ["2", "3"] { #expect(try candidateBatch(&table, id).batch == other.batch) }
    let second = try open(&table, "2", except: [other.batch])
    let offered = try candidateBatch(&table, "3", except: [other.batch])
    #expect(offered.batch == second.batch && offered.first.head.path == "/prices/2")
    #expect(try join(&table, "3", offered.batch)?.batch == second.batch)
  }

  @Test("Two requests of which neither finds a batch share one")
  func emptyLook() throws {
    var table = table
    let first = try open(&table, "1")
    #expect(try candidateBatch(&table, "2").batch == first.batch)
  }

  @Test("A request opens a batch only after it was compared with one that was opened meanwhile")
  func openedMeanwhile() throws {
    var table = table
    let first = try open(&table, "1")
    let meanwhile = try open(&table, "2", except: [first.batch])
    #expect(try candidateBatch(&table, "3", except: [first.batch]).batch == meanwhile.batch)
    let third = try open(&table, "3", except: [first.batch, meanwhile.batch])
    // A batch that was sent meanwhile is not offered.
    _ = table.endWindow(of: meanwhile.batch)
    #expect(try candidateBatch(&table, "4", except: [first.batch]).batch == third.batch)
  }

  @Test("A request that was compared with 16 batches is sent alone, so that at most 16 are open")
  func maximum() throws {
    var table = table
    var opened: Set<UInt64> = []
    for number in 0..<16 { opened.insert(try open(&table, "\(number)", except: opened).batch) }
    // One that compared 15 of them must compare the one that was opened meanwhile.
    for batch in opened {
      #expect(try candidateBatch(&table, "16", except: opened.subtracting([batch])).batch == batch)
    }
    guard case .alone = enter(&table, try candidate("16"), except: opened) else {
      Issue.record("16 batches are open.")
      return
    }
    // The number of comparisons is bounded even if batches are sent and opened meanwhile.
    for batch in opened { _ = table.endWindow(of: batch) }
    guard case .alone = enter(&table, try candidate("16"), except: opened) else {
      Issue.record("The request was compared with 16 batches.")
      return
    }
  }

  @Test("A window that starts after its batch was filled is cancelled, and the transfer is not replaced")
  func lateWindow() throws {
    var table = table
    var rule = rule
    rule.maximumCount = 2
    let place = try open(&table, "1")
    guard
      case .filled(let second, _, let window) = table.join(
        try candidate("2"), place.batch, by: rule, send: Self.send)
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

  @Test(
    "A window that has ended before its handle is stored does not take the place of the transfer",
    arguments: [false, true])
  func quickWindow(isTransferStored: Bool) throws {
    var table = table
    let place = try open(&table, "1")
    #expect(table.endWindow(of: place.batch) != nil)
    if isTransferStored { #expect(table.storeTransfer("transfer", of: place.batch) == true) }
    #expect(table.storeWindow("window", of: place.batch) == false)
    #expect(table.leave(place, Self.failure).cancelled == (isTransferStored ? "transfer" : nil))
    #expect(table.storeTransfer("transfer", of: place.batch) == false)
  }

  @Test("A filled batch cancels its window")
  func filledWindow() throws {
    var table = table
    var rule = rule
    rule.maximumCount = 2
    let place = try open(&table, "1")
    #expect(table.storeWindow("window", of: place.batch) == true)
    guard
      case .filled(_, let contents, "window"?) = table.join(
        try candidate("2"), place.batch, by: rule, send: Self.send)
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
    #expect(table.finish(contents, outcomes).resumptions.map(\.continuation) == ["first"])
    #expect(table.leave(first, Self.failure).resumption == nil)
    #expect(table.leave(second, Self.failure).resumption == nil, "It is resolved already.")
    #expect(table.suspend(second, "second")?.failure == nil)
    #expect(table.isEmpty && table.waitingCount == 0)
  }
}
