import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

// The example in the documentation of `Interceptor`; other forms of this loop crash the Swift 6.3 compiler.
private struct Repeating: Interceptor {
  let traits = InterceptorTraits(stage: .retry, callsNext: .anyNumber)
  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    for attempt in 1..<3 {
      do {
        return try await next.dispatch(request.asAttempt(attempt))
      } catch {
        guard !error.requestMayHaveBeenProcessed else { throw error }
      }
    }
    return try await next.dispatch(request.asAttempt(3))
  }
}

@Suite("An interceptor that calls next repeatedly", .timeLimit(.minutes(5)))
struct CallingNextAgainTests {
  @Test("The response of the successful attempt is returned")
  func success() async throws {
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.attempt == 3 else { throw NetworkError(.connect, "Refused.") }
      return Response(status: .ok)
    }
    let response = try await Pipeline(over: dispatcher) { Repeating() }.send(.example)
    #expect(response.status == .ok)
    #expect(dispatcher.requests.map(\.attempt) == [1, 2, 3])
  }

  @Test("The error that ends the attempts is passed on unchanged")
  func failure() async throws {
    for (isFinal, attempts) in [(true, [1]), (false, [1, 2, 3])] {
      let dispatcher = ScriptedDispatcher(
        failing: NetworkError(.connect, "Refused.", requestMayHaveBeenProcessed: isFinal))
      let pipeline = try Pipeline(over: dispatcher) { Repeating() }
      let error = await #expect(throws: NetworkError.self) { try await pipeline.send(.example) }
      #expect(error?.kind == .connect)
      #expect(dispatcher.requests.map(\.attempt) == attempts)
    }
  }
}
