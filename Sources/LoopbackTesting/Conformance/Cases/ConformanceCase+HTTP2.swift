import HTTPTypes
import Interception

extension ConformanceCase {
  private static let secure: ConformanceNeeds = [.wire, .tls, .http2]

  /// HTTP/2 is chosen where the server offers it.
  public static let http2Chosen = ConformanceCase(
    "http2Chosen", "HTTP/2 is chosen where the server offers it", needs: secure
  ) { bench in
    try await bench.secureServer([.http1, .http2]) { server in
      let body = RequestBody.bytes(LoopbackContent.pattern(200_000).slice(0..<200_000))
      let response = try await bench.send(server.place.request("/echo", method: .post, body: body))
      try bench.expect(response.head.value("x-length"), is: "200000", "the length that arrived")
      try bench.expect(try await bench.read(response.body) == body.bytes, "the content arrived changed")
      try bench.expect(try await server.takeRequest().version, is: .http2, "the version")
    }
  }

  /// Many requests at the same time share one connection.
  public static let http2Shared = ConformanceCase(
    "http2Shared", "fifty requests at the same time share one HTTP/2 connection", needs: secure
  ) { bench in
    try await bench.secureServer { server in
      try await sendsMany(50, bench, to: server.place)
      try bench.expect(server.census.receivedRequests, is: 50, "the number of requests that arrived")
      try bench.expect(server.census.acceptedConnections, is: 1, "the number of connections")
    }
  }

  /// Trailers and informational answers over HTTP/2.
  public static let http2Trailers = ConformanceCase(
    "http2Trailers", "trailers arrive over HTTP/2, and informational answers are passed over", needs: secure
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

  /// Large content both ways over HTTP/2.
  public static let http2Large = ConformanceCase(
    "http2Large", "8 MiB go up and come down over HTTP/2", needs: secure
  ) { bench in
    let length: Int64 = 8 << 20
    try await bench.secureServer { server in
      let request = server.place.request(
        "/echo", method: .post,
        body: .restartable(length: nil) { () throws(NetworkError) in PatternSource(length: length) },
        delivery: .streamed)
      let content = try await bench.read(try await bench.send(request).body)
      try bench.expect(
        content == LoopbackContent.pattern(length).slice(0..<length), "the content arrived changed")
    }
  }

  /// A stream that is reset ends alone.
  public static let http2Reset = ConformanceCase(
    "http2Reset", "a stream that the server resets ends alone", needs: secure
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

  /// A refused stream was not processed.
  public static let http2Refused = ConformanceCase(
    "http2Refused", "a refused stream counts as not processed, or is sent again by itself", needs: secure
  ) { bench in
    try await bench.secureServer { server in
      server.enqueue(LoopbackAnswer().failing(.requestStart, .refuse))
      try await answersOrReportsUnprocessed(bench, server)
    }
  }

  /// GOAWAY before a stream says that it was not processed.
  public static let http2GoAway = ConformanceCase(
    "http2GoAway", "a stream beyond GOAWAY counts as not processed, or is sent again by itself", needs: secure
  ) { bench in
    try await bench.secureServer { server in
      server.enqueue(LoopbackAnswer().failing(.requestStart, .goAway(code: 0, processed: false)))
      try await answersOrReportsUnprocessed(bench, server)
    }
  }

  /// GOAWAY lets a stream that runs come to its end, and later ones connect anew.
  public static let http2Drained = ConformanceCase(
    "http2Drained", "after GOAWAY what runs comes to its end, and what follows connects anew", needs: secure
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

  /// A stream that is dropped is reset, and its connection stays.
  public static let http2Dropped = ConformanceCase(
    "http2Dropped", "a stream that is dropped is reset, and its connection serves others", needs: secure
  ) { bench in
    try await bench.secureServer { server in
      for _ in 0..<20 {
        let request = server.place.request("/pattern/\(64 << 20)", delivery: .streamed)
        _ = try await bench.send(request)
      }
      try await server.wait { $0.openExchanges == 0 }
      _ = try await bench.content(server.place.request("/pattern/10"))
      try bench.expect(server.census.acceptedConnections, is: 1, "the number of connections")
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
    http2Dropped,
  ]
}
