#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  private static let secure: ConformanceNeeds = [.wire, .tls, .http2]

  /// HTTP/2 is negotiated if the server offers it.
  static let http2Chosen = ConformanceCase(
    "http2Chosen", "HTTP/2 is negotiated if the server offers it", needs: secure
  ) { context in
    try await context.secureServer([.http1, .http2]) { server in
      let body = RequestBody.bytes(LoopbackContent.pattern(200_000).slice(0..<200_000))
      let response = try await context.send(server.place.request("/echo", method: .post, body: body))
      try context.expect(response.head.value("x-length"), is: "200000", "the length that arrived")
      try context.expect(try await context.read(response.body) == body.bytes, "the content differs")
      try context.expect(try await server.takeRequest().version, is: .http2, "the version")
    }
  }

  /// Concurrent requests share one connection.
  static let http2Shared = ConformanceCase(
    "http2Shared", "50 concurrent requests share one HTTP/2 connection", needs: secure
  ) { context in
    try await context.secureServer { server in
      try await sendsMany(50, context, to: server.place)
      try context.expect(server.counts.receivedRequests, is: 50, "the number of requests that arrived")
      try context.expect(server.counts.acceptedConnections, is: 1, "the number of connections")
    }
  }

  /// Trailers and informational responses are handled over HTTP/2.
  static let http2Trailers = ConformanceCase(
    "http2Trailers", "trailers arrive over HTTP/2, and informational responses are skipped", needs: secure
  ) { context in
    try await context.secureServer { server in
      for delivery: RequestOptions.Delivery in [.buffered(upTo: 1_000), .streamed] {
        let response = try await context.send(server.place.request("/trailers", delivery: delivery))
        try context.expect(try await context.read(response.body), is: Array("content".utf8), "the content")
        try context.expect(response.trailers?.map(\.value), is: ["42", "yes"], "the trailers")
      }
      let response = try await context.send(server.place.request("/early"))
      try context.expect(response.status.code, is: 200, "the status")
    }
  }

  /// Large content is sent and received over HTTP/2.
  static let http2Large = ConformanceCase(
    "http2Large", "8 MiB are sent and received over HTTP/2", needs: secure
  ) { context in
    let length: Int64 = 8 << 20
    try await context.secureServer { server in
      let request = server.place.request(
        "/echo", method: .post,
        body: .restartable(length: nil) { () throws(NetworkError) in PatternSource(length: length) },
        delivery: .streamed)
      let content = try await context.read(try await context.send(request).body)
      try context.expect(
        content == LoopbackContent.pattern(length).slice(0..<length), "the content differs")
    }
  }

  /// Resetting a stream does not affect its connection.
  static let http2Reset = ConformanceCase(
    "http2Reset", "a reset by the server ends one stream and not its connection", needs: secure
  ) { context in
    try await context.secureServer { server in
      server.enqueue(
        LoopbackResponse(content: .pattern(10_000)).failing(.responseBody, .resetStream(2)))
      let request = server.place.request("/", method: .post, body: .text("once"))
      try await context.failure(request, .transport, .protocolViolation, processed: true)
      try await sendsMany(3, context, to: server.place)
      try context.expect(server.counts.receivedRequests, is: 4, "the number of requests that arrived")
    }
  }

  /// A refused stream is reported as not processed.
  static let http2Refused = ConformanceCase(
    "http2Refused", "a refused stream is reported as not processed, or is retried", needs: secure
  ) { context in
    try await context.secureServer { server in
      server.enqueue(LoopbackResponse().failing(.requestStart, .refuse))
      try await answersOrReportsUnprocessed(context, server)
    }
  }

  /// A stream that GOAWAY excludes is reported as not processed.
  static let http2GoAway = ConformanceCase(
    "http2GoAway", "a stream that GOAWAY excludes is reported as not processed, or is retried", needs: secure
  ) { context in
    try await context.secureServer { server in
      server.enqueue(LoopbackResponse().failing(.requestStart, .goAway(code: 0, processed: false)))
      try await answersOrReportsUnprocessed(context, server)
    }
  }

  /// Running streams complete after GOAWAY, and later requests use a new connection.
  static let http2Drained = ConformanceCase(
    "http2Drained", "running streams complete after GOAWAY, and later requests use a new connection",
    needs: secure
  ) { context in
    try await context.secureServer { server in
      server.enqueue(
        LoopbackResponse(content: .pattern(10_000)).failing(.responseBody, .goAway(code: 0, processed: true)))
      let content = try await context.content(server.place.request("/"))
      try context.expect(content.count, is: 10_000, "the length")
      _ = try await context.content(server.place.request("/pattern/10"))
      try context.expect(server.counts.acceptedConnections, is: 2, "the number of connections")
    }
  }

  /// Releasing streams does not close their connection.
  static let http2Dropped = ConformanceCase(
    "http2Dropped", "released streams have ended once their connection has served another request",
    needs: secure
  ) { context in
    try await context.secureServer { server in
      for _ in 0..<20 {
        let request = server.place.request("/pattern/\(64 << 20)", delivery: .streamed)
        _ = try await context.send(request)
      }
      _ = try await context.content(server.place.request("/pattern/10"))
      try await server.wait { $0.openExchanges == 0 }
      try context.expect(server.counts.acceptedConnections, is: 1, "the number of connections")
    }
  }

  /// A released stream is reset immediately.
  static let http2DroppedAtOnce = ConformanceCase(
    "http2DroppedAtOnce", "a released stream is reset immediately, without another request", needs: secure
  ) { context in
    try await context.secureServer { server in
      _ = try await context.send(server.place.request("/pattern/\(64 << 20)", delivery: .streamed))
      try await server.wait { $0.openExchanges == 0 }
    }
  }

  private static func answersOrReportsUnprocessed(
    _ context: ConformanceContext, _ server: LoopbackServer
  ) async throws {
    let request = server.place.request("/echo", method: .post, body: .text("once"))
    do throws(NetworkError) {
      _ = try await context.dispatcher.dispatch(request)
    } catch {
      try context.expect(error, [.transport], processed: false)
    }
    try context.expect(server.counts.receivedRequests <= 1, "the request was processed twice")
  }

  static let http2 = [
    http2Chosen, http2Shared, http2Trailers, http2Large, http2Reset, http2Refused, http2GoAway, http2Drained,
    http2Dropped, http2DroppedAtOnce,
  ]
}
#endif
