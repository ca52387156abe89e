import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestLogging

@Suite struct CallLedgerTests {
  @Test("nothing is kept of calls that have finished, however they ended")
  func keepsNothing() async throws {
    let recorder = EventRecorder()
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      guard number % 3 != 0 else { throw NetworkError(.connect, "Nobody listens.") }
      return Response(status: .ok)
    }
    let pipeline = try Pipeline(over: dispatcher, observers: [recorder]) {
      InlineInterceptor("L", stage: .logging) { request, next in try await next.dispatch(request) }
    }
    // One id twice at the same time: copies of a request keep it.
    let request = Request(authority: "a.test", path: "/")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = try? await pipeline.send(request) } }
    }
    var ledger = CallLedger()
    for event in recorder.events { _ = ledger.take(event, of: "L", at: .zero) }
    #expect(recorder.events.count == 300)
    #expect(ledger.count == 0)
  }

  @Test("an event of a call whose start wasn't seen is ignored")
  func unknownCall() async throws {
    let recorder = EventRecorder()
    _ = try await Pipeline(over: ScriptedDispatcher(), observers: [recorder]) {}
      .send(Request(authority: "a.test", path: "/"))
    var ledger = CallLedger()
    for event in recorder.events.dropFirst() { #expect(ledger.take(event, of: "L", at: .zero) == nil) }
    #expect(ledger.count == 0)
  }
}
