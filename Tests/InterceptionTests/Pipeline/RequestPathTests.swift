import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("The path of a request through a pipeline", .timeLimit(.minutes(5)))
struct RequestPathTests {
  /// What is observed of a call.
  enum Observed: CaseIterable { case nothing, calls, steps }

  /// An observer that doesn't want the events of steps.
  private struct CallsOnly: SelectiveObserver {
    let observesSteps = false
    func observe(_ event: PipelineEvent) {}
  }

  private static func observers(_ observed: Observed) -> [any PipelineObserver] {
    switch observed {
    case .nothing: []
    case .calls: [CallsOnly()]
    case .steps: [EventRecorder()]
    }
  }

  /// Adds its name to a field, at once or when the request leaves.
  private static func marking(_ name: String, _ stage: Stage, isDeferred: Bool = false) -> InlineInterceptor {
    InlineInterceptor(name, stage: stage) { request, next in
      let mark = HTTPField(name: .via, value: name)
      guard isDeferred else {
        var request = request
        request.head.headerFields.append(mark)
        return try await next.dispatch(request)
      }
      let departure = Request.Departure { request in request.head.headerFields.append(mark) }
      return try await next.dispatch(request, onDeparture: departure)
    }
  }

  @Test(
    "It is the same whatever is observed: repeated and limited steps, departures, and the dispatcher's error",
    arguments: Observed.allCases)
  func everything(observed: Observed) async throws {
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      guard number > 1 else { return Response(status: .serviceUnavailable) }
      throw NetworkError(.connect, "Refused.")
    }
    let pipeline = try Pipeline(over: server, observers: Self.observers(observed)) {
      Persisting(attempts: 2)
      Self.marking("deferred", .signing, isDeferred: true)
      Self.marking("before", .caching)
      Self.marking("outside", .routing).only(for: .where { _ in false })
      Self.marking("inside", .logging).only(for: .where { _ in true })
    }
    let error = try #require(await #expect(throws: NetworkError.self) { try await pipeline.send(.example) })
    #expect(error.kind == .connect && error.attempt == 2)
    #expect(error.origin == .dispatcher("ScriptedDispatcher"))
    // What the first attempt sent is no part of the second one's error.
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(
      server.requests.map { $0.head.headerFields[values: .via] }
        == Array(repeating: ["before", "deferred", "inside"], count: 2))
  }

  @Test("An error that a step throws has its name, whatever is observed", arguments: Observed.allCases)
  func stepError(observed: Observed) async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: Self.observers(observed)) {
      Persisting(attempts: 2)
      InlineInterceptor("Refusing", stage: .logging) { request, next in
        _ = try await next.dispatch(request)
        throw Refusal(why: "no")
      }
    }
    let error = try #require(await #expect(throws: NetworkError.self) { try await pipeline.send(.example) })
    #expect(error.origin == .interceptor("Refusing"))
    #expect(error.underlying(as: Refusal.self) == Refusal(why: "no"))
    #expect(error.requestMayHaveBeenProcessed)
  }

  @Test("A cancelled call enters no step, whatever is observed", arguments: Observed.allCases)
  func cancelled(observed: Observed) async throws {
    let journal = Journal()
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: Self.observers(observed)) {
      InlineInterceptor("Noting", stage: .validation) { request, next in
        journal.note("entered")
        return try await next.dispatch(request)
      }
    }
    let error = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await #expect(throws: NetworkError.self) { try await pipeline.send(.example) }
    }.value
    #expect(error?.kind == .cancelled(.task) && error?.origin == .pipeline)
    #expect(journal.lines.isEmpty)
  }
}
