import HTTPServing
import Testing

@testable import EstateWeb

@Suite("The streams of events", .timeLimit(.minutes(5)))
@MainActor struct EventStreamsTests {
  private func text(_ stream: StreamedBody) async -> String? {
    await stream.next().map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("A stream has an event for each change, a heartbeat when nothing changes, and ends with the app")
  func events() async throws {
    let changes = ChangeCount()
    let stream = try #require(EventStreams(changes, pulse: .milliseconds(1)).stream(after: 0) { "/home/7" })
    #expect(await text(stream) == "retry: 250\n\n")
    changes.increment()
    changes.increment()
    #expect(await text(stream) == "id: 2\ndata: {\"path\":\"/home/7\",\"version\":2}\n\n")
    #expect(await text(stream) == ": \n\n")
    changes.close()
    #expect(await text(stream) == nil)
  }

  @Test("No more streams than permitted are open, and a released one makes room")
  func limit() {
    let streams = EventStreams(ChangeCount(), pulse: .seconds(5))
    var open = (0..<EventStreams.limit).compactMap { _ in streams.stream(after: 0) { "/" } }
    #expect(open.count == EventStreams.limit && streams.count == EventStreams.limit)
    let isRefused = streams.stream(after: 0) { "/" } == nil
    #expect(isRefused)
    open.removeLast()
    #expect(streams.count == EventStreams.limit - 1)
    open.removeAll()
    #expect(streams.count == 0)
  }
}
