import HTTPTypes
import Interception
import MediationFixtures
import SwitchyardTesting
import Testing

@testable import WebPages

@Suite(.timeLimit(.minutes(5))) @MainActor struct PageLoadTests {
  private static func handler(_ dispatcher: some Dispatcher) throws -> PageHandler {
    try PageHandler(scheme: "estate-page", sites: [PageStoreFixture.site], over: dispatcher, fields: [:])
  }

  private static func streaming(_ source: ScriptedByteSource) -> ScriptedDispatcher {
    ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, source)))
    }
  }

  private func ended(_ record: RecordedLoad) async throws {
    try await waitUntil("the load has ended") { record.isEnded }
  }

  @Test("A web view is given the head, the chunks and the end, in order and each once")
  func order() async throws {
    let record = RecordedLoad()
    let pages = try Self.handler(Self.streaming(ScriptedByteSource([[65], [66], [67]])))
    let load = pages.start(pageRequest(), record.receive)
    try await ended(record)
    #expect(record.events == ["head", "bytes", "bytes", "bytes", "finished"])
    #expect(record.text == "ABC" && record.head?.status == .ok && load.isEnded)
  }

  @Test("A response without content has a head and an end")
  func empty() async throws {
    let record = RecordedLoad()
    _ = try Self.handler(ScriptedDispatcher(answering: Response(status: .noContent)))
      .start(pageRequest(), record.receive)
    try await ended(record)
    #expect(record.events == ["head", "finished"])
  }

  @Test("A failure is the only event before the head, and the last one behind it")
  func failures() async throws {
    let early = RecordedLoad()
    _ = try Self.handler(ScriptedDispatcher(failing: .noNetwork)).start(pageRequest(), early.receive)
    try await ended(early)
    #expect(early.events == ["failed"] && early.error?.kind == .offline)
    let late = RecordedLoad()
    let source = ScriptedByteSource([[65]], endingWith: NetworkError(.transport, "The connection was lost."))
    _ = try Self.handler(Self.streaming(source)).start(pageRequest(), late.receive)
    try await ended(late)
    #expect(late.events == ["head", "bytes", "failed"] && late.error?.kind == .transport)
    let refused = RecordedLoad()
    _ = try Self.handler(ScriptedDispatcher()).start(
      Request(authority: "evil.example", path: "/"), refused.receive)
    try await ended(refused)
    #expect(refused.events == ["failed"] && refused.error?.kind == .invalidRequest)
  }

  @Test(
    "Nothing is delivered after a cancellation within any event, and the transfer is cancelled",
    arguments: 1...4)
  func cancelWithin(number: Int) async throws {
    let source = ScriptedByteSource((0..<100).map { [$0] })
    let record = RecordedLoad()
    let pages = try Self.handler(Self.streaming(source))
    var load: PageLoad?
    load = pages.start(pageRequest()) { event in
      record.receive(event)
      if record.events.count == number { load?.cancel() }
    }
    try await waitUntil("the transfer is cancelled") { source.isCancelled }
    #expect(load?.isEnded == true)
    // All that was on its way to the main actor has arrived before this.
    for _ in 0..<100 { await Task.yield() }
    #expect(record.events.count == number)
  }

  @Test(
    "A load that is cancelled at once, or while the network is silent, delivers nothing and ends the request")
  func cancelEarly() async throws {
    let cancelled = WaitableValue(0)
    let network = ScriptedDispatcher { _, _ async throws(NetworkError) in
      await Gate.cancelled()
      cancelled.update { $0 += 1 }
      throw NetworkError(.cancelled(.task), "The request was cancelled.")
    }
    let pages = try Self.handler(network)
    let record = RecordedLoad()
    pages.start(pageRequest(), record.receive).cancel()
    let load = pages.start(pageRequest(), record.receive)
    try await waitUntil("a request was sent") { network.requests.count == 1 }
    load.cancel()
    load.cancel()
    try await waitUntil("the request was cancelled") { cancelled.value == 1 }
    for _ in 0..<100 { await Task.yield() }
    #expect(record.events.isEmpty && load.isEnded)
    // The load that was cancelled at once has sent nothing.
    #expect(network.requests.count == 1)
  }

  @Test("Cancelling after the end does nothing, and the receiver is released with the end")
  func afterEnd() async throws {
    final class Receiver {}
    weak var released: Receiver?
    let record = RecordedLoad()
    let pages = try Self.handler(ScriptedDispatcher())
    let load: PageLoad
    do {
      let receiver = Receiver()
      released = receiver
      load = pages.start(pageRequest()) { [receiver] event in
        withExtendedLifetime(receiver) { record.receive(event) }
      }
    }
    try await ended(record)
    try await waitUntil("the receiver is released") { released == nil }
    load.cancel()
    #expect(record.events == ["head", "finished"])
  }

  @Test(
    "Many loads that are cancelled at random moments deliver nothing after it, and each other one ends once")
  func many() async throws {
    var random = SeededRandom(seed: 7)
    let pages = try Self.handler(
      ScriptedDispatcher { _, _ throws(NetworkError) in
        Response(
          HTTPResponse(status: .ok),
          body: .stream(BodyStream(length: nil, ScriptedByteSource((0..<20).map { [$0] }))))
      })
    var records: [(record: RecordedLoad, countAtCancel: Int?)] = []
    for _ in 0..<200 {
      let record = RecordedLoad()
      let load = pages.start(pageRequest(), record.receive)
      var countAtCancel: Int?
      for _ in 0..<random.below(40) { await Task.yield() }
      if random.below(2) == 0 {
        load.cancel()
        countAtCancel = record.events.count
      }
      records.append((record, countAtCancel))
    }
    try await waitUntil("all other loads have ended") {
      records.allSatisfy { $0.countAtCancel != nil || $0.record.isEnded }
    }
    for (record, countAtCancel) in records {
      if let countAtCancel { #expect(record.events.count == countAtCancel) }
      #expect(record.events.count { $0 == "finished" || $0 == "failed" } <= 1)
    }
  }
}

extension Gate {
  /// Returns once the task is cancelled.
  fileprivate static func cancelled() async {
    let gate = Gate()
    await withTaskCancellationHandler {
      await gate.wait()
    } onCancel: {
      gate.open()
    }
  }
}
