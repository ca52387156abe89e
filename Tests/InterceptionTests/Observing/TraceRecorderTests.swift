import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@Suite("A trace recorder")
struct TraceRecorderTests {
  @Test("A trace contains the attempts, the errors and the response's status")
  func attempts() async throws {
    let recorder = TraceRecorder()
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: number < 2 ? .serviceUnavailable : .ok)
    }
    let pipeline = try Pipeline(over: dispatcher, observers: [recorder]) {
      Persisting(attempts: 3)
      Standing("Signer", .signing)
    }
    let request = Request.example
    _ = try await pipeline.send(request)
    let trace = try #require(recorder.trace(of: request.id))
    #expect(trace.status == .ok)
    #expect(
      trace.steps.map { "\($0.name) \($0.attempt)" } == [
        "Persisting 1", "Signer 1", "ScriptedDispatcher 1", "Signer 2", "ScriptedDispatcher 2",
      ])
    #expect(trace.steps.allSatisfy { $0.own != nil && $0.error == nil })
  }

  @Test("Only the most recent traces are kept")
  func capacity() async throws {
    let recorder = TraceRecorder(capacity: 2)
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [recorder]) {}
    let requests = (0..<3).map { _ in Request.example }
    for request in requests { _ = try await pipeline.send(request) }
    #expect(recorder.traces.map(\.request) == requests.suffix(2).map(\.id))
  }

  @Test("Each trace is delivered when its call ends, including its error")
  func handOver() async throws {
    let finished = Mutex<[Trace]>([])
    let recorder = TraceRecorder { trace in finished.withLock { $0.append(trace) } }
    let failing = ScriptedDispatcher(failing: NetworkError(.offline, "no network"))
    let pipeline = try Pipeline(over: failing, observers: [recorder]) {}
    _ = try? await pipeline.send(.example)
    #expect(finished.withLock { $0.map(\.error?.kind) } == [.offline])
  }
}
