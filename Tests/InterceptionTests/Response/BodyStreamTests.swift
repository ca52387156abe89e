import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("A response's stream")
struct BodyStreamTests {
  @Test("A stream is read chunk by chunk")
  func chunks() async throws {
    let stream = BodyStream(length: nil, ScriptedByteSource([[1], [2, 3]]))
    var chunks: [[UInt8]] = []
    for try await chunk in stream { chunks.append(chunk) }
    #expect(chunks == [[1], [2, 3]])
  }

  @Test("A stream has one reader, and a second one receives an error")
  func secondReader() async throws {
    let stream = BodyStream(length: nil, ScriptedByteSource([[1]]))
    #expect(try await ResponseBody.stream(stream).collect(upTo: 9) == [1])
    let error = await #expect(throws: NetworkError.self) {
      try await ResponseBody.stream(stream).collect(upTo: 9)
    }
    #expect(error?.kind == .bodyNotReplayable)
  }

  @Test("Releasing an unread stream cancels its source")
  func dropped() {
    let source = ScriptedByteSource([[1]])
    do { _ = BodyStream(length: nil, source) }
    #expect(source.isCancelled)
  }

  @Test("Releasing a partly read stream cancels its source")
  func halfRead() async throws {
    let source = ScriptedByteSource([[1], [2]])
    func readOne() async throws {
      let stream = BodyStream(length: nil, source)
      for try await _ in stream { break }
    }
    try await readOne()
    #expect(source.reads == 1)
    #expect(source.isCancelled)
  }

  @Test("Releasing a completely read stream cancels nothing")
  func finished() async throws {
    let source = ScriptedByteSource([[1]])
    func readAll() async throws {
      for try await _ in BodyStream(length: nil, source) {}
    }
    try await readAll()
    #expect(!source.isCancelled)
  }

  @Test(
    "A stream longer than the limit is refused and cancelled, by its announced length or by its bytes",
    arguments: [nil, 4])
  func limit(length: Int64?) async throws {
    let source = ScriptedByteSource([[1, 2], [3, 4]])
    let error = await #expect(throws: NetworkError.self) {
      try await ResponseBody.stream(BodyStream(length: length, source)).collect(upTo: 3)
    }
    #expect(error?.kind == .bodyTooLarge(limit: 3))
    #expect(source.isCancelled)
    #expect(source.reads == (length == nil ? 2 : 0))
  }

  @Test("A stream that breaks off throws its error to the reader")
  func failure() async throws {
    let source = ScriptedByteSource([[1]], endingWith: NetworkError(.transport, "reset"))
    var received: [[UInt8]] = []
    let error = await #expect(throws: NetworkError.self) {
      for try await chunk in BodyStream(length: nil, source) { received.append(chunk) }
    }
    #expect(error?.kind == .transport)
    #expect(received == [[1]])
  }

  @Test("A stream is buffered together with its trailers")
  func buffered() async throws {
    let ending = BodyStream.Ending()
    let stream = BodyStream(length: nil, ending: ending, ScriptedByteSource([[1]]))
    ending.finish(trailers: [.eTag: "x"])
    let response = try await Response(HTTPResponse(status: .ok), body: .stream(stream)).buffered(upTo: 1)
    #expect(response.trailers?[.eTag] == "x")
    #expect(response.body.length == 1)
  }

  @Test("A stream's end is recorded once")
  func ending() {
    let ending = BodyStream.Ending()
    ending.finish(trailers: [.eTag: "first"])
    ending.finish(trailers: [.eTag: "second"])
    #expect(ending.trailers?[.eTag] == "first")
  }
}
