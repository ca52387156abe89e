#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  private static let secure: ConformanceNeeds = [.wire, .tls, .http2]

  /// HTTP/2 is negotiated if the server offers it.
  public static let http2Chosen = ConformanceCase(
    "http2Chosen", "HTTP/2 is negotiated if the server offers it", needs: secure
  ) { bench in
    try await bench.secureServer([.http1, .http2]) { server in
      let body = RequestBody.bytes(LoopbackContent.pattern(200_000).slice(0..<200_000))
      let response = try await bench.send(server.place.request("/echo", method: .post, body: body))
      try bench.expect(response.head.value("x-length"), is: "200000", "the length that arrived")
      try bench.expect(try await bench.read(response.body) == body.bytes, "the content differs")
      try bench.expect(try await server.takeRequest().version, is: .http2, "the version")
    }
  }

  /// Concurrent requests share one connection.
  public static let http2Shared = ConformanceCase(
    "http2Shared", "50 concurrent requests share one HTTP/2 connection", needs: secure
  ) { bench in
    try await bench.secureServer { server in
      try await sendsMany(50, bench, to: server.place)
      try bench.expect(server.census.receivedRequests, is: 50, "the number of requests that arrived")
      try bench.expect(server.census.acceptedConnections, is: 1, "the number of connections")
    }
  }

  /// Trailers and informational responses are handled over HTTP/2.
  public static let http2Trailers = ConformanceCase(
    "http2Trailers", "trailers arrive over HTTP/2, and informational responses are skipped", needs: secure
  ) { bench in
    try await bench.secureServer { server in
      for delivery: RequestOptions.Delivery in [.buffered(upTo: 1_000), .streamed] {
        let response = try await bench.send(server.place.request("/trailers", delivery: delivery))
        try bench.expect(try await bench.read(response.body), is: Array("content".utf8), "the content")
        try bench.expect(response.trailers?.map(\.value), is: ["42", "yes"], "the trailers")
      }
      let response = try await bench.send(server.place.request("/early"))
      try bench.expect(response.status.code, is: 200, "the status")
    }
  }

  /// Large content is sent and received over HTTP/2.
  public static let http2Large = ConformanceCase(
    "http2Large", "8 MiB are sent and received over HTTP/2", needs: secure
  ) { bench in
    let length: Int64 = 8 << 20
    try await bench.secureServer { server in
      let request = server.place.request(
        "/echo", method: .post,
        body: .restartable(length: nil) { () throws(NetworkError) in PatternSource(length: length) },
        delivery: .streamed)
      let content = try await bench.read(try await bench.send(request).body)
      try bench.expect(
        content == LoopbackContent.pattern(length).slice(0..<length), "the content differs")
    }
  }

  /// Resetting a stream does not affect its connection.
  public static let http2Reset = ConformanceCase(
    "http2Reset", "a reset by the server ends one stream and not its connection", needs: secure
  ) { bench in
    try await bench.secureServer { server in
      server.enqueue(
        LoopbackAnswer(content: .pattern(10_000)).failing(.responseBody, .resetStream(2)))
      let request = server.place.request("/", method: .post, body: .text("once"))
      try await bench.failure(request, .transport, .protocolViolation, processed: true)
      try await sendsMany(3, bench, to: server.place)
      try bench.expect(server.census.receivedRequests, is: 4, "the number of requests that arrived")
    }
  }

  /// A refused stream is reported as not processed.
  public static let http2Refused = ConformanceCase(
    "http2Refused", "a refused stream is reported as not processed, or is retried", needs: secure
  ) { bench in
    try await bench.secureServer { server in
      server.enqueue(LoopbackAnswer().failing(.requestStart, .refuse))
      try await answersOrReportsUnprocessed(bench, server)
    }
  }

  /// A stream that GOAWAY excludes is reported as not processed.
  public static let http2GoAway = ConformanceCase(
    "http2GoAway", "a stream that GOAWAY excludes is reported as not processed, or is retried", needs: secure
  ) { bench in
    try await bench.secureServer { server in
      server.enqueue(LoopbackAnswer().failing(.requestStart, .goAway(code: 0, processed: false)))
      try await answersOrReportsUnprocessed(bench, server)
    }
  }

  /// Running streams complete after GOAWAY, and later requests use a new connection.
  public static let http2Drained = ConformanceCase(
    "http2Drained", "running streams complete after GOAWAY, and later requests use a new connection",
    needs: secure
  ) { bench in
    try await bench.secureServer { server in
      server.enqueue(
        LoopbackAnswer(content: .pattern(10_000)).failing(.responseBody, .goAway(code: 0, processed: true)))
      let content = try await bench.content(server.place.request("/"))
      try bench.expect(content.count, is: 10_000, "the length")
      _ = try await bench.content(server.place.request("/pattern/10"))
      try bench.expect(server.census.acceptedConnections, is: 2, "the number of connections")
    }
  }

  /// Releasing streams does not close their connection.
  public static let http2Dropped = ConformanceCase(
    "http2Dropped", "released streams have ended once their connection has served another request",
    needs: secure
  ) { bench in
    try await bench.secureServer { server in
      for _ in 0..<20 {
        let request = server.place.request("/pattern/\(64 << 20)", delivery: .streamed)
        _ = try await bench.send(request)
      }
      _ = try await bench.content(server.place.request("/pattern/10"))
      try await server.wait { $0.openExchanges == 0 }
      try bench.expect(server.census.acceptedConnections, is: 1, "the number of connections")
    }
  }

  /// A released stream is reset immediately.
  public static let http2DroppedAtOnce = ConformanceCase(
    "http2DroppedAtOnce", "a released stream is reset immediately, without another request", needs: secure
  ) { bench in
    try await bench.secureServer { server in
      _ = try await bench.send(server.place.request("/pattern/\(64 << 20)", delivery: .streamed))
      try await server.wait { $0.openExchanges == 0 }
    }
  }

  private static func answersOrReportsUnprocessed(
    _ bench: ConformanceBench, _ server: LoopbackServer
  ) async throws {
    let request = server.place.request("/echo", method: .post, body: .text("once"))
    do throws(NetworkError) {
      _ = try await bench.dispatcher.dispatch(request)
    } catch {
      try bench.expect(error, [.transport], processed: false)
    }
    try bench.expect(server.census.receivedRequests <= 1, "the request was processed twice")
  }

  static let http2 = [
    http2Chosen, http2Shared, http2Trailers, http2Large, http2Reset, http2Refused, http2GoAway, http2Drained,
    http2Dropped, http2DroppedAtOnce,
  ]
}
#endif
