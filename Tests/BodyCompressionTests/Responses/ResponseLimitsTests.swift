import BodyCompression
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ResponseLimitsTests {
  private func response(
    _ body: ResponseBody, received: Int64 = 0, coding: ContentCoding? = nil
  ) -> Response {
    let report = TransportReport(bytes: .init(received: received), contentCoding: coding)
    return Response(
      HTTPResponse(status: .ok), body: body, exchange: Exchange(transport: received > 0 ? report : nil))
  }

  private func sent(
    _ response: Response, limits: ResponseLimits = ResponseLimits(),
    options: RequestOptions = RequestOptions()
  ) async throws -> (Response, RequestOptions) {
    let dispatcher = ScriptedDispatcher(answering: response)
    let request = Request(
      HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/"), options: options)
    // Without codings the dispatcher's limits are those of the content.
    let limited = try await Pipeline(over: dispatcher) {
      CompressionInterceptor(accepting: [], limits: limits)
    }.send(request)
    return (limited, dispatcher.requests[0].options)
  }

  private func zeros(_ count: Int) -> ResponseBody { .bytes(Array(repeating: 0, count: count)) }

  @Test(
    "The stricter of two buffer limits is passed to the dispatcher",
    arguments: [
      (.buffered(upTo: 10), 100, .buffered(upTo: 10)), (.buffered(upTo: 100), 10, .buffered(upTo: 10)),
      (.streamed, 10, .streamed),
    ] as [(RequestOptions.Delivery, Int, RequestOptions.Delivery)])
  func bufferedLimit(asked: RequestOptions.Delivery, own: Int, told: RequestOptions.Delivery) async throws {
    let (_, options) = try await sent(
      response(.empty), limits: ResponseLimits(buffered: own), options: RequestOptions(delivery: asked))
    #expect(options.delivery == told)
  }

  @Test(
    "The stricter of two stream limits is passed to the dispatcher",
    arguments: [(nil, nil, nil), (nil, 10, 10), (20, nil, 20), (20, 10, 10), (10, 20, 10)]
      as [(Int64?, Int64?, Int64?)])
  func streamedLimit(asked: Int64?, own: Int64?, told: Int64?) async throws {
    let (_, options) = try await sent(
      response(.empty), limits: ResponseLimits(streamed: own),
      options: RequestOptions(delivery: .streamed, streamLimit: asked))
    #expect(options.streamLimit == told)
  }

  @Test(
    "E9: A response in memory beyond the limit is an error even if the dispatcher let it through",
    arguments: [999, 1000, 1001])
  func bytesAreCounted(count: Int) async throws {
    let limits = ResponseLimits(buffered: 1000)
    guard count > 1000 else {
      #expect(try await sent(response(zeros(count)), limits: limits).0.body.length == Int64(count))
      return
    }
    let error = await #expect(throws: NetworkError.self) {
      try await sent(response(zeros(count)), limits: limits)
    }
    #expect(error?.kind == .bodyTooLarge(limit: 1000))
    #expect(error?.origin == .interceptor("CompressionInterceptor"))
    #expect(error?.requestMayHaveBeenProcessed == true)
  }

  @Test("If a stream was requested, the stream limit applies to bytes")
  func bytesForAStream() async throws {
    let error = await #expect(throws: NetworkError.self) {
      try await sent(
        response(zeros(101)), limits: ResponseLimits(streamed: 100),
        options: RequestOptions(delivery: .streamed))
    }
    #expect(error?.kind == .bodyTooLarge(limit: 100))
  }

  @Test("A stream beyond its limit ends with an error and cancels the transfer")
  func streamsAreCounted() async throws {
    let source = ScriptedByteSource(Array(repeating: Array(repeating: 0, count: 400), count: 100))
    let ending = BodyStream.Ending()
    let (limited, _) = try await sent(
      response(.stream(BodyStream(length: nil, ending: ending, source))),
      limits: ResponseLimits(streamed: 1000),
      options: RequestOptions(delivery: .streamed))
    guard case .stream(let stream) = limited.body else {
      Issue.record("The stream was turned into bytes.")
      return
    }
    #expect(stream.ending === ending)
    var received = 0
    let error = await #expect(throws: NetworkError.self) {
      for try await chunk in stream { received += chunk.count }
    }
    #expect(error?.kind == .bodyTooLarge(limit: 1000))
    #expect(received == 800)
    #expect(source.reads == 3)
    #expect(source.isCancelled)
  }

  @Test("A stream of exactly its limit is delivered whole, with its trailers")
  func streamWithinItsLimit() async throws {
    let ending = BodyStream.Ending()
    let source = ScriptedByteSource([[1, 2], [3]])
    let (limited, _) = try await sent(
      response(.stream(BodyStream(length: 3, ending: ending, source))),
      options: RequestOptions(delivery: .streamed, streamLimit: 3))
    #expect(try await limited.body.collect(upTo: 3) == [1, 2, 3])
    ending.finish(trailers: [.eTag: "x"])
    #expect(limited.trailers == [.eTag: "x"])
    #expect(!source.isCancelled)
  }

  @Test("A stream that declares too great a length is refused before a byte is read")
  func announcedTooLong() async throws {
    let source = ScriptedByteSource([[1]])
    let error = await #expect(throws: NetworkError.self) {
      try await sent(
        response(.stream(BodyStream(length: 11, source))), limits: ResponseLimits(streamed: 10),
        options: RequestOptions(delivery: .streamed))
    }
    #expect(error?.kind == .bodyTooLarge(limit: 10))
    #expect(source.reads == 0)
  }

  @Test("If bytes were requested, their limit applies to a stream")
  func streamForBytes() async throws {
    let source = ScriptedByteSource(Array(repeating: [0, 0, 0], count: 10))
    let (limited, _) = try await sent(
      response(.stream(BodyStream(length: nil, source))), limits: ResponseLimits(buffered: 10))
    let error = await #expect(throws: NetworkError.self) { try await limited.body.collect(upTo: 1000) }
    #expect(error?.kind == .bodyTooLarge(limit: 10))
  }

  @Test("A stream without a limit isn't wrapped")
  func unlimitedStream() async throws {
    let stream = BodyStream(length: nil, ScriptedByteSource([[1]]))
    let (limited, _) = try await sent(response(.stream(stream)), options: RequestOptions(delivery: .streamed))
    guard case .stream(let handed) = limited.body else {
      Issue.record("The stream was turned into bytes.")
      return
    }
    #expect(handed === stream)
  }

  @Test(
    "Content beyond the ratio is an error, above the floor and if the figures are known",
    arguments: [
      (2_000_000, 9_999, .brotli, 200, true), (2_000_000, 10_000, .brotli, 200, false),
      (1_048_576, 1, .gzip, 200, false), (1_048_577, 1, .gzip, 200, true), (2_000_000, 0, .gzip, 200, false),
      (2_000_000, 165, nil, 200, false), (2_000_000, 165, .gzip, nil, false),
      (2_000_000, .max, .gzip, 200, false),
    ] as [(Int, Int64, ContentCoding?, Int?, Bool)])
  func ratio(count: Int, received: Int64, coding: ContentCoding?, ratio: Int?, isRefused: Bool) async throws {
    let whole = response(zeros(count), received: received, coding: coding)
    let limits = ResponseLimits(ratio: ratio)
    guard isRefused else {
      #expect(try await sent(whole, limits: limits).0.body.length == Int64(count))
      return
    }
    let error = await #expect(throws: NetworkError.self) { try await sent(whole, limits: limits) }
    guard case .bodyTooLarge = error?.kind else {
      Issue.record("Unexpected error: \(String(describing: error))")
      return
    }
    #expect(error?.reason.contains("a ratio above 200:1") == true)
  }
}
