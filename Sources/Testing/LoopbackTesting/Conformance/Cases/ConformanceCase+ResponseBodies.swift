#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  private static let deliveries: [RequestOptions.Delivery] = [.buffered(upTo: 16 << 20), .streamed]

  private static func arrivesWhole(_ context: ConformanceContext, _ path: String, _ length: Int64)
    async throws
  {
    try await context.origin { place in
      for delivery in deliveries {
        let response = try await context.send(place.request(path, delivery: delivery))
        let expected = LoopbackContent.pattern(length).slice(0..<length)
        let content = try await context.read(response.body)
        try context.expect(content.count, is: expected.count, "the length")
        try context.expect(content == expected, "the content differs")
      }
    }
  }

  /// Content of a known length arrives complete, buffered and streamed.
  static let toldLength = ConformanceCase(
    "toldLength", "content of a known length arrives complete, buffered and streamed"
  ) { context in
    for length: Int64 in [0, 1, 100_000, 4 << 20] {
      try await arrivesWhole(context, "/pattern/\(length)", length)
    }
  }

  /// Chunked content arrives complete.
  static let chunked = ConformanceCase("chunked", "chunked content arrives complete") { context in
    for length: Int64 in [0, 1, 100_000] { try await arrivesWhole(context, "/chunked/\(length)", length) }
  }

  /// Content that ends with the connection arrives complete.
  static let untilClose = ConformanceCase(
    "untilClose", "content that ends with the connection arrives complete"
  ) { context in
    for length: Int64 in [0, 100_000] { try await arrivesWhole(context, "/close/\(length)", length) }
  }

  /// Trailers are available after the content.
  static let trailers = ConformanceCase(
    "trailers", "trailers are available once the content has been read"
  ) { context in
    try await context.origin { place in
      for delivery in deliveries {
        let response = try await context.send(place.request("/trailers", delivery: delivery))
        try context.expect(try await context.read(response.body), is: Array("content".utf8), "the content")
        try context.expect(response.trailers?.map(\.value), is: ["42", "yes"], "the trailers")
      }
    }
  }

  /// A stream has only one reader.
  static let oneReader = ConformanceCase("oneReader", "a stream has only one reader") { context in
    try await context.origin { place in
      let response = try await context.send(place.request("/pattern/10", delivery: .streamed))
      guard case .stream(let stream) = response.body else {
        throw ConformanceError("streamed delivery was requested, but the body is not a stream")
      }
      let source = try stream.claim()
      do throws(NetworkError) {
        _ = try stream.claim()
        throw NetworkError(.rejected, "")
      } catch {
        try context.expect(error.kind, is: .bodyNotReplayable, "the kind of the second claim")
      }
      source.cancel()
    }
  }

  /// The head of a streamed response is available before its content is complete.
  static let headFirst = ConformanceCase(
    "headFirst", "the head of a streamed response is available before its content is complete", needs: .wire
  ) { context in
    try await context.server { server in
      server.enqueue(LoopbackResponse(content: .pattern(1_000)).failing(.responseBody, .stall))
      let response = try await context.send(server.place.request("/", delivery: .streamed))
      guard case .stream(let stream) = response.body else {
        throw ConformanceError("streamed delivery was requested, but the body is not a stream")
      }
      var received: [UInt8] = []
      let source = try stream.claim()
      while received.count < 500, let chunk = try await source.read() { received += chunk }
      try context.expect(received, is: LoopbackContent.pattern(1_000).slice(0..<500), "the first half")
      source.cancel()
    }
  }

  /// 64 MiB are streamed, and a slow reader slows down the server.
  static let backPressure = ConformanceCase(
    "backPressure", "a reader that pauses stops the server from sending, and 64 MiB arrive complete",
    needs: .wire
  ) { context in
    let length: Int64 = 64 << 20
    try await context.server { server in
      let response = try await context.send(server.place.request("/pattern/\(length)", delivery: .streamed))
      guard case .stream(let stream) = response.body else {
        throw ConformanceError("streamed delivery was requested, but the body is not a stream")
      }
      let source = try stream.claim()
      var offset = Int64(try await source.read()?.count ?? 0)
      // The pause lasts as long as these exchanges take.
      for _ in 0..<40 { _ = try await context.content(server.place.request("/pattern/65536")) }
      let ahead = server.counts.sentBytes - 40 * 65_536 - offset
      try context.expect(ahead < 24 << 20, "the server was able to send \(ahead) bytes ahead of the reader")
      while let chunk = try await source.read() {
        // One byte per chunk is enough to detect a gap or a repetition, because the pattern has a long
        // period.
        try context.expect(
          chunk.first == LoopbackContent.patternByte(at: offset), "the content differs")
        offset += Int64(chunk.count)
      }
      try context.expect(offset, is: length, "the length")
    }
  }

  static let answerBodies = [toldLength, chunked, untilClose, trailers, oneReader, headFirst, backPressure]
}

extension ConformanceCase {
  private static func asking(_ request: Request) -> Request {
    var request = request
    request.head.headerFields[.acceptEncoding] = "gzip"
    return request
  }

  /// A request without `Accept-Encoding` asks for identity, and one with the field sends it unchanged.
  static let codingsRequested = ConformanceCase(
    "codingsRequested", "a request asks for identity, unless it has an Accept-Encoding field", needs: .wire
  ) { context in
    try await context.server { server in
      for (request, value) in [
        (server.place.request("/pattern/1"), "identity"),
        (asking(server.place.request("/pattern/1")), "gzip"),
      ] {
        _ = try await context.content(request)
        let received = try await server.takeRequest()
        try context.expect(received.head.headerFields[.acceptEncoding], is: value, "Accept-Encoding")
      }
    }
  }

  /// A coded response is delivered as it was sent, asked for or not; or decoded, without the fields of the
  /// coded form, by a dispatcher with ``/Interception/DispatcherCapabilities/responseDecoding``.
  static let codedContent = ConformanceCase(
    "codedContent", "coded content is delivered as it was sent, or decoded without the coded form's fields"
  ) { context in
    try await context.origin { place in
      let coded = GzipSample.stored(Array("plain text".utf8))
      for delivery: RequestOptions.Delivery in [.buffered(upTo: 1_000), .streamed] {
        let request = place.request("/gzip", delivery: delivery)
        for request in [request, asking(request)] {
          let response = try await context.send(request)
          let fields = response.head.headerFields
          let content = try await context.read(response.body)
          if context.decodes {
            try context.expect(content, is: Array("plain text".utf8), "the content")
            try context.expect(fields[.contentEncoding], is: nil, "Content-Encoding")
            try context.expect(fields[.contentLength], is: nil, "Content-Length")
          } else {
            try context.expect(content, is: coded, "the content")
            try context.expect(fields[.contentEncoding], is: "gzip", "Content-Encoding")
            try context.expect(fields[.contentLength], is: "\(coded.count)", "Content-Length")
          }
        }
      }
    }
  }

  /// Broken coded content is delivered as it was sent; a dispatcher that decodes reports a protocol
  /// violation.
  static let brokenCoding = ConformanceCase(
    "brokenCoding", "invalid coded content is delivered as it was sent, or is a protocol violation",
    needs: .wire
  ) { context in
    try await context.server { server in
      let request = asking(server.place.request("/brokenGzip"))
      guard !context.decodes else {
        return try await context.failure(request, .protocolViolation, processed: true)
      }
      let content = try await context.content(request)
      try context.expect(content, is: Array("this is no gzip at all".utf8), "the content")
    }
  }

  /// Limits apply to the bytes that are delivered.
  static let decodedLimit = ConformanceCase(
    "decodedLimit", "limits apply to the delivered bytes, decoded or not", needs: .wire
  ) { context in
    try await context.server { server in
      let request = asking(server.place.request("/bomb", delivery: .buffered(upTo: 65_536)))
      guard !context.decodes else {
        return try await context.failure(request, .bodyTooLarge(limit: 65_536), processed: true)
      }
      let content = try await context.content(request)
      try context.expect(content, is: GzipSample.zeros(1 << 20).bytes, "the content")
    }
  }

  static let decoding = [codingsRequested, codedContent, brokenCoding, decodedLimit]
}

extension ConformanceCase {
  /// A buffered response that exceeds its limit fails, whether or not its length is known.
  static let bufferedLimit = ConformanceCase(
    "bufferedLimit", "a buffered response that exceeds its limit fails"
  ) { context in
    try await context.origin { place in
      for path in ["/pattern/1001", "/chunked/100000"] {
        let error = try await context.failure(place.request(path, delivery: .buffered(upTo: 1_000)))
        try context.expect(error.kind, is: .bodyTooLarge(limit: 1_000), "the kind")
      }
      let content = try await context.content(
        place.request("/pattern/1000", delivery: .buffered(upTo: 1_000)))
      try context.expect(content.count, is: 1_000, "the length")
    }
  }

  /// A streamed response that exceeds its limit fails while it is being read.
  static let streamLimit = ConformanceCase(
    "streamLimit", "a streamed response that exceeds its limit fails", needs: .wire
  ) { context in
    try await context.server { server in
      for path in ["/pattern/500000", "/chunked/500000"] {
        var request = server.place.request(path, delivery: .streamed)
        request.options.streamLimit = 100_000
        let error = try await context.failure(request)
        try context.expect(error.kind, is: .bodyTooLarge(limit: 100_000), "the kind")
      }
      try await server.wait { $0.openExchanges == 0 }
    }
  }

  static let limits = [bufferedLimit, streamLimit]
}
#endif
