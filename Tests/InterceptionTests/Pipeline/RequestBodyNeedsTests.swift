import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("Body requirements of interceptors")
struct RequestBodyNeedsTests {
  private func pipeline(
    _ need: InterceptorTraits.RequestBodyNeed, over dispatcher: ScriptedDispatcher
  ) throws -> Pipeline {
    try Pipeline(over: dispatcher) {
      Standing("Reader", InterceptorTraits(stage: .signing, requestBody: need))
    }
  }

  private func streamed(_ chunks: [[UInt8]]) -> Request {
    var request = Request.example
    request.head.method = .post
    request.body = .once(length: nil, ScriptedByteSource(chunks))
    return request
  }

  @Test("A streamed body is collected for an interceptor that reads bytes")
  func collected() async throws {
    let dispatcher = ScriptedDispatcher()
    _ = try await pipeline(.bytes(upTo: 4), over: dispatcher).send(streamed([[1, 2], [3, 4]]))
    #expect(dispatcher.requests.map(\.body.bytes) == [[1, 2, 3, 4]])
  }

  @Test("A body that is too long for an interceptor that reads bytes is refused unsent, with its name")
  func tooLong() async throws {
    let dispatcher = ScriptedDispatcher()
    let error = try await #require(throws: NetworkError.self) {
      try await pipeline(.bytes(upTo: 3), over: dispatcher).send(streamed([[1, 2], [3, 4]]))
    }
    #expect(error.kind == .bodyTooLarge(limit: 3))
    #expect(error.origin == .interceptor("Reader"))
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("A single-use body is refused if an interceptor reads it before it is sent")
  func once() async throws {
    let dispatcher = ScriptedDispatcher()
    let error = try await #require(throws: NetworkError.self) {
      try await pipeline(.replayable, over: dispatcher).send(streamed([[1]]))
    }
    #expect(error.kind == .bodyNotReplayable)
    #expect(error.reason.contains("Reader"))
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("A body that no interceptor reads remains a stream")
  func untouched() async throws {
    let dispatcher = ScriptedDispatcher()
    _ = try await pipeline(.untouched, over: dispatcher).send(streamed([[1]]))
    #expect(dispatcher.requests.map(\.body.replay) == [.once])
  }

  @Test("A streamed response is collected for an interceptor that reads bytes")
  func answer() async throws {
    let journal = Journal()
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      let stream = BodyStream(length: nil, ScriptedByteSource([[1], [2]]))
      return Response(HTTPResponse(status: .ok), body: .stream(stream))
    }
    let pipeline = try Pipeline(over: dispatcher) {
      InlineInterceptor(
        "reader", traits: InterceptorTraits(stage: .caching, responseBodyLimit: 2)
      ) { request, next in
        let response = try await next.dispatch(request)
        if case .bytes(let bytes) = response.body { journal.note("\(bytes)") }
        return response
      }
    }
    _ = try await pipeline.send(.example)
    #expect(journal.lines == ["[1, 2]"])
  }
}
