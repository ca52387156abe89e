#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  private static func start(_ bench: ConformanceBench, _ request: Request) -> Task<NetworkError, any Error> {
    Task { try await bench.failure(request) }
  }

  private static func isCancelled(
    _ bench: ConformanceBench, _ task: Task<NetworkError, any Error>, processed: Bool
  ) async throws {
    task.cancel()
    try bench.expect(try await task.value, [.cancelled(.task)], processed: processed)
  }

  /// A task that is already cancelled sends nothing.
  public static let cancelledBefore = ConformanceCase(
    "cancelledBefore", "a task that is already cancelled sends nothing", needs: .wire
  ) { bench in
    try await bench.server { server in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await bench.failure(server.place.request("/echo", method: .post, body: .text("x")))
      }
      try bench.expect(try await task.value, [.cancelled(.task)], processed: false)
      try bench.expect(server.census.begunRequests, is: 0, "the number of requests that arrived")
    }
  }

  /// The request is cancelled while it waits for the response head.
  public static let cancelledWaiting = ConformanceCase(
    "cancelledWaiting", "cancelling a request that waits for its response ends it, on the wire too",
    needs: .wire
  ) { bench in
    try await bench.server { server in
      server.enqueue(LoopbackAnswer().failing(.responseStart, .stall))
      let task = start(bench, server.place.request("/"))
      try await server.wait { $0.receivedRequests == 1 }
      try await isCancelled(bench, task, processed: true)
      try await server.wait { $0.openExchanges == 0 }
    }
  }

  /// The request is cancelled within the content of its response.
  public static let cancelledInContent = ConformanceCase(
    "cancelledInContent", "cancelling a request within its response's content ends it, on the wire too",
    needs: .wire
  ) { bench in
    for delivery: RequestOptions.Delivery in [.buffered(upTo: 1 << 20), .streamed] {
      try await bench.server { server in
        server.enqueue(LoopbackAnswer(content: .pattern(100)).failing(.responseBody, .stall))
        let task = start(bench, server.place.request("/", delivery: delivery))
        try await server.wait { $0.sentBytes == 50 }
        try await isCancelled(bench, task, processed: true)
        try await server.wait { $0.openExchanges == 0 }
      }
    }
  }

  /// The request is cancelled while its content is being sent.
  public static let cancelledUpload = ConformanceCase(
    "cancelledUpload", "cancelling a request while its content is being sent ends it, on the wire too",
    needs: .wire
  ) { bench in
    try await bench.server { server in
      server.enqueue(LoopbackAnswer().failing(.requestBody, .stall))
      let length: Int64 = 64 << 20
      let request = server.place.request(
        "/", method: .put,
        body: .restartable(length: length) { () throws(NetworkError) in PatternSource(length: length) })
      let task = start(bench, request)
      try await server.wait { $0.begunRequests == 1 }
      try await isCancelled(bench, task, processed: true)
      try await server.wait { $0.openExchanges == 0 }
    }
  }

  /// A released stream frees its connection.
  public static let droppedStream = ConformanceCase(
    "droppedStream", "releasing a stream ends it on the wire, and later requests succeed", needs: .wire
  ) { bench in
    try await bench.server { server in
      for _ in 0..<20 {
        let request = server.place.request("/pattern/\(64 << 20)", delivery: .streamed)
        let response = try await bench.send(request)
        try bench.expect(response.status.code, is: 200, "the status")
      }
      try await server.wait { $0.openExchanges == 0 }
      try bench.expect(try await bench.content(server.place.request("/pattern/5")).count, is: 5, "the length")
    }
  }

  /// A reader released within the content frees its connection.
  public static let droppedReader = ConformanceCase(
    "droppedReader", "a reader that stops within the content ends the transfer on the wire", needs: .wire
  ) { bench in
    try await bench.server { server in
      for _ in 0..<10 {
        let request = server.place.request("/pattern/\(64 << 20)", delivery: .streamed)
        guard case .stream(let stream) = try await bench.send(request).body else {
          throw ConformanceFailure("streamed delivery was requested, but the body is not a stream")
        }
        for try await chunk in stream {
          try bench.expect(!chunk.isEmpty, "a chunk is empty")
          break
        }
      }
      try await server.wait { $0.openExchanges == 0 }
    }
  }

  static let cancelling = [
    cancelledBefore, cancelledWaiting, cancelledInContent, cancelledUpload, droppedStream, droppedReader,
  ]
}
#endif
