import HTTPTypes
import InMemoryLogging
import Interception
import Logging
import RequestLogging
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct LoggingInterceptorStreamTests {
  private let capture = LogCapture()

  private func answer(_ source: ScriptedByteSource, ending: BodyStream.Ending = BodyStream.Ending())
    async throws
    -> Response
  {
    let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"])
    let stream = BodyStream(length: nil, ending: ending, source)
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in Response(head, body: .stream(stream)) }
    let logging = LoggingInterceptor(
      logger: capture.logger(.debug), bodies: BodySampling(requestBytes: 0, responseBytes: 4))
    return try await Pipeline(over: dispatcher) { logging }.send(Request(authority: "a.test", path: "/"))
  }

  @Test("A stream is logged once it has ended, with its bytes and the transport's report")
  func complete() async throws {
    let ending = BodyStream.Ending()
    let response = try await answer(
      ScriptedByteSource([Array("abc".utf8), Array("def".utf8)]), ending: ending)
    #expect(capture.entries.isEmpty)
    ending.finish(transport: TransportReport(bytes: .init(received: 3, decoded: 6)))
    #expect(try await response.body.collect(upTo: 10) == Array("abcdef".utf8))
    #expect(capture.messages == ["request finished"])
    #expect(capture.entries[0]["response.bytes"] == "6")
    #expect(capture.entries[0]["response.streamed"] == "true")
    #expect(capture.entries[0]["transport.received.bytes"] == "3")
    #expect(capture.entries[0]["response.body"] == "abcd… (+2 bytes)")
  }

  @Test("A stream that fails is logged as a failure with the bytes read so far")
  func broken() async throws {
    let failure = NetworkError(.transport, "The connection broke.")
    let response = try await answer(ScriptedByteSource([[1, 2, 3]], endingWith: failure))
    await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 10) }
    #expect(capture.messages == ["request failed"])
    #expect(capture.entries[0]["error.label"] == "transport")
    #expect(capture.entries[0]["response.bytes"] == "3")
    #expect(capture.entries[0]["response.status"] == "200")
  }

  @Test("A stream that is dropped is cancelled, and logged once")
  func dropped() async throws {
    let source = ScriptedByteSource([[1], [2]])
    do {
      let response = try await answer(source)
      guard case .stream(let stream) = response.body else { return }
      let claimed = try stream.claim()
      #expect(try await claimed.read() == [1])
    }
    #expect(source.isCancelled)
    #expect(capture.messages == ["response dropped"])
    #expect(capture.entries[0]["response.bytes"] == "1")
  }
}
