#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  private static func breaks(
    _ context: ConformanceContext, _ response: LoopbackResponse, _ kinds: NetworkError.Kind...
  ) async throws {
    try await context.server { server in
      for delivery: RequestOptions.Delivery in [.buffered(upTo: 1 << 20), .streamed] {
        server.enqueue(response)
        let request = server.place.request("/", method: .post, body: .text("once"), delivery: delivery)
        let error = try await context.failure(request)
        try context.expect(error, kinds, processed: true)
      }
      try await server.wait { $0.openExchanges == 0 }
      try context.expect(server.counts.begunRequests, is: 2, "the number of requests that arrived")
    }
  }

  private static let response = LoopbackResponse(content: .pattern(10_000))

  /// The connection is reset while the request is being sent.
  static let resetInRequest = ConformanceCase(
    "resetInRequest", "a reset while the request is being sent is a transport failure without a retry",
    needs: .wire
  ) { context in try await breaks(context, response.failing(.requestBody, .reset), .transport) }

  /// The connection is closed before the response.
  static let closeBeforeAnswer = ConformanceCase(
    "closeBeforeAnswer", "a connection closed before the response is a transport failure without a retry",
    needs: .wire
  ) { context in try await breaks(context, response.failing(.responseStart, .close), .transport) }

  /// The connection is reset before the response.
  static let resetBeforeAnswer = ConformanceCase(
    "resetBeforeAnswer", "a reset before the response is a transport failure without a retry", needs: .wire
  ) { context in try await breaks(context, response.failing(.responseStart, .reset), .transport) }

  /// The connection is reset within the content.
  static let resetInContent = ConformanceCase(
    "resetInContent", "a reset within the content is a transport failure", needs: .wire
  ) { context in try await breaks(context, response.failing(.responseBody, .reset), .transport) }

  /// The content is shorter than announced.
  static let shortContent = ConformanceCase(
    "shortContent", "content that is shorter than announced is a transport failure", needs: .wire
  ) { context in
    try await breaks(context, response.failing(.responseStart, .announceLength(10_001)), .transport)
  }

  /// Chunked content ends without the last chunk.
  static let chunksWithoutEnd = ConformanceCase(
    "chunksWithoutEnd", "chunked content without the last chunk is a transport failure", needs: .wire
  ) { context in
    let chunked = LoopbackResponse(content: .pattern(10_000), framing: .chunked(1_000))
    try await breaks(context, chunked.failing(.responseEnd, .close), .transport)
  }

  /// The response is not HTTP.
  static let garbage = ConformanceCase(
    "garbage", "a response that is not HTTP is a protocol violation", needs: .wire
  ) { context in
    let garbage = Array("\u{1}\u{2}nonsense\r\n\r\n".utf8)
    try await breaks(
      context, response.failing(.responseStart, .garbage(garbage)).failing(.responseStart, .close),
      .protocolViolation)
  }

  /// The content length is not a valid number.
  static let brokenLength = ConformanceCase(
    "brokenLength", "a negative Content-Length is a protocol violation", needs: .wire
  ) { context in
    try await breaks(context, response.failing(.responseStart, .announceLength(-5)), .protocolViolation)
  }

  /// A connection that the server closed is not reused.
  static let deadConnection = ConformanceCase(
    "deadConnection", "an idle connection that the server closed does not affect the next request",
    needs: .wire
  ) { context in
    try await context.server { server in
      _ = try await context.content(server.place.request("/pattern/10"))
      await server.dropConnections()
      let content = try await context.content(server.place.request("/pattern/10"))
      try context.expect(content.count, is: 10, "the length")
    }
  }

  static let breaking = [
    resetInRequest, closeBeforeAnswer, resetBeforeAnswer, resetInContent, shortContent, chunksWithoutEnd,
    garbage,
    brokenLength, deadConnection,
  ]
}
#endif
