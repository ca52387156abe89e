import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import BodyFormats

@Suite("ReconnectingEvents", .timeLimit(.minutes(5)))
struct ReconnectingEventsTests {
  private let clock = TestClock()

  private func events(
    over dispatcher: ScriptedDispatcher, policy: EventReconnection = EventReconnection(),
    lastEventID: String = ""
  ) -> ReconnectingEvents {
    ReconnectingEvents(
      over: dispatcher, policy: policy, lastEventID: lastEventID, time: TimeSource(clock), random: { 0 },
      request: { try Request("https://api.test/events") })
  }

  private static func stream(_ text: String) -> Response {
    Response(status: .ok, headerFields: [.contentType: "text/event-stream"], bytes: Array(text.utf8))
  }

  private func lastEventIDs(of dispatcher: ScriptedDispatcher) -> [String?] {
    dispatcher.requests.map { request in
      HTTPField.Name("Last-Event-ID").flatMap { request.head.headerFields[$0] }
    }
  }

  /// Reads the data of all events, while the clock passes waits.
  private func read(_ events: ReconnectingEvents, passing waits: [Duration]) async throws -> [String] {
    let reader = Task {
      var data: [String] = []
      for try await event in events { data.append(event.data) }
      return data
    }
    for wait in waits {
      try await clock.waitForSleepers()
      clock.advance(by: wait)
    }
    return try await reader.value
  }

  @Test("Events continue over another stream, after the last one with an ID, until the status 204")
  func continuation() async throws {
    let dispatcher = ScriptedDispatcher { (_, number) throws(NetworkError) in
      switch number {
      case 1: Self.stream("id: 1\ndata: a\n\nid: 2\ndata: b\n\ndata: cut off")
      case 2: throw NetworkError(.connect, "The server is gone.")
      case 3: Response(status: .serviceUnavailable, headerFields: [.retryAfter: "7"])
      case 4: Self.stream("retry: 100\nid: 3\ndata: c\n\n")
      default: Response(status: .noContent)
      }
    }
    let events = events(over: dispatcher, lastEventID: "0")
    // 3 s after a stream with events and after the first failure, what the server asked for, and its retry.
    let waits: [Duration] = [.seconds(3), .seconds(3), .seconds(7), .milliseconds(100)]
    #expect(try await read(events, passing: waits) == ["a", "b", "c"])
    #expect(lastEventIDs(of: dispatcher) == ["0", "2", "2", "2", "3"])
    #expect(Set(dispatcher.requests.map(\.id)).count == 5)
    #expect(dispatcher.requests.allSatisfy { $0.head.headerFields[.accept] == "text/event-stream" })
  }

  @Test("An ID without an event counts, and an empty one ends the continuation")
  func identifiers() async throws {
    let dispatcher = ScriptedDispatcher { (_, number) throws(NetworkError) in
      switch number {
      case 1: Self.stream("id: 5\n\n")
      case 2: Self.stream("id\ndata: a\n\n")
      default: Response(status: .noContent)
      }
    }
    #expect(try await read(events(over: dispatcher), passing: [.seconds(3), .seconds(3)]) == ["a"])
    #expect(lastEventIDs(of: dispatcher) == [nil, "5", nil])
  }

  @Test("A refusal and a response that is no stream are thrown, and nothing is sent after them")
  func refusals() async throws {
    for response in [
      Response(status: .notFound), Response(status: .unauthorized),
      Response(status: .ok, headerFields: [.contentType: "text/html"], bytes: [0x61]),
    ] {
      let dispatcher = ScriptedDispatcher(answering: response)
      var iterator = events(over: dispatcher).makeAsyncIterator()
      do throws(NetworkError) {
        _ = try await iterator.next()
        Issue.record("A refused stream has events.")
      } catch {
        #expect(error.kind == .rejected)
        if response.status != .ok { #expect(error.reason.contains("\(response.status.code)")) }
      }
      #expect(try await iterator.next() == nil)
      #expect(dispatcher.requests.count == 1)
    }
  }

  @Test("Streams without events end with an error at the limit")
  func limit() async throws {
    let dispatcher = ScriptedDispatcher(answering: Self.stream(": nothing\n\n"))
    let events = events(over: dispatcher, policy: EventReconnection(wait: .seconds(1), failureLimit: 3))
    let error = await #expect(throws: NetworkError.self) {
      _ = try await read(events, passing: [.seconds(1), .seconds(2)])
    }
    #expect(error?.kind == .transport)
    #expect(dispatcher.requests.count == 3)
  }

  @Test("A cancellation ends the wait and the events")
  func cancellation() async throws {
    let dispatcher = ScriptedDispatcher(failing: NetworkError(.offline, "There is no network."))
    let events = events(over: dispatcher)
    let reader = Task { for try await _ in events {} }
    try await clock.waitForSleepers()
    reader.cancel()
    let error = await #expect(throws: NetworkError.self) { try await reader.value }
    #expect(error?.kind == .cancelled(.task))
    #expect(dispatcher.requests.count == 1)
  }

  @Test("An error of the closure ends the events, and a cancellation in it is one of the task")
  func closures() async throws {
    struct Missing: Error {}
    for (thrown, kind) in [
      (Missing(), .rejected), (CancellationError(), .cancelled(.task)),
      (NetworkError(.needsLogin, "A login is missing."), .needsLogin),
    ] as [(any Error, NetworkError.Kind)] {
      let events = ReconnectingEvents(over: ScriptedDispatcher(), time: TimeSource(clock)) { throw thrown }
      var iterator = events.makeAsyncIterator()
      let error = await #expect(throws: NetworkError.self) { _ = try await iterator.next() }
      #expect(error?.kind == kind)
    }
  }
}
