#if DEBUG
import HTTPTypes
import SwitchyardTesting
import Testing

@testable import Interception

@Suite("Debug builds check how often an interceptor calls next")
struct NextCallCheckTests {
  /// Calls `next` a number of times, and returns the last response.
  private static func calling(
    _ calls: Int, declaring declared: InterceptorTraits.NextCalls, ignoresErrors: Bool = false
  ) -> InlineInterceptor {
    InlineInterceptor(
      "Calling", traits: InterceptorTraits(stage: .retry, callsNext: declared)
    ) { request, next in
      var response = Response(status: .noContent)
      for _ in 0..<calls {
        do {
          response = try await next.dispatch(request)
        } catch {
          if !ignoresErrors { throw error }
        }
      }
      return response
    }
  }

  private static let declaredCalls: [(InterceptorTraits.NextCalls, Int)] = [
    (.exactlyOnce, 1), (.atMostOnce, 0), (.atMostOnce, 1), (.anyNumber, 0), (.anyNumber, 1), (.anyNumber, 3),
  ]

  @Test("A declared number of calls is permitted", arguments: declaredCalls, [false, true])
  func declared(_ row: (InterceptorTraits.NextCalls, Int), _ isObserved: Bool) async throws {
    let server = ScriptedDispatcher()
    let pipeline = try Pipeline(over: server, observers: isObserved ? [EventRecorder()] : []) {
      Self.calling(row.1, declaring: row.0)
    }
    _ = try await pipeline.send(.example)
    #expect(server.requests.count == row.1)
  }

  @Test(
    "A response without a call fails with the interceptor's name and the remedy", arguments: [false, true])
  func noCall(isObserved: Bool) async throws {
    let pipeline = try Pipeline(
      over: ScriptedDispatcher(), observers: isObserved ? [EventRecorder()] : []
    ) {
      Self.calling(0, declaring: .exactlyOnce)
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.kind == .rejected)
    #expect(error.origin == .pipeline)
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(
      error.reason
        == "Calling responds without calling next, but its traits declare callsNext: .exactlyOnce; declare "
        + ".atMostOnce, or call next. Only debug builds check this.")
  }

  @Test(
    "A second call that is not declared fails before anything is sent, also if its error is ignored",
    arguments: [InterceptorTraits.NextCalls.exactlyOnce, .atMostOnce], [(false, false), (true, true)])
  func secondCall(_ declared: InterceptorTraits.NextCalls, _ flags: (Bool, Bool)) async throws {
    let (isObserved, ignoresErrors) = flags
    let server = ScriptedDispatcher()
    let pipeline = try Pipeline(over: server, observers: isObserved ? [EventRecorder()] : []) {
      Self.calling(2, declaring: declared, ignoresErrors: ignoresErrors)
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.kind == .rejected)
    #expect(error.origin == .pipeline)
    #expect(error.requestMayHaveBeenProcessed)
    #expect(
      error.reason
        == "Calling calls next again, but its traits declare callsNext: .\(declared); declare .anyNumber, or "
        + "call next once. Only debug builds check this.")
    #expect(server.requests.count == 1)
  }

  @Test("An interceptor that throws without calling next fails with its own error")
  func throwing() async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      InlineInterceptor("Refusing", traits: InterceptorTraits(stage: .validation)) { _, _ in
        throw Refusal(why: "no")
      }
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.origin == .interceptor("Refusing"))
  }

  @Test("An interceptor that is limited to some requests, or reads responses as bytes, is checked, too")
  func wrapped() async throws {
    let traits = InterceptorTraits(stage: .caching, responseBody: .bytes(upTo: 1))
    let stub = InlineInterceptor("Stub", traits: traits) { _, _ in Response(status: .ok) }
    for interceptor in [stub, stub.only(for: .where { _ in true })] as [any Interceptor] {
      let pipeline = try Pipeline(over: ScriptedDispatcher()) { interceptor }
      let error = await #expect(throws: NetworkError.self) { try await pipeline.send(.example) }
      #expect(error?.origin == .pipeline)
    }
    let outside = try Pipeline(over: ScriptedDispatcher()) { stub.only(for: .where { _ in false }) }
    #expect(try await outside.send(.example).exchange.attempts == 1)
  }
}
#endif
