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

  /// A task that was cancelled before sends nothing.
  public static let cancelledBefore = ConformanceCase(
    "cancelledBefore", "a task that was cancelled before sends nothing", needs: .wire
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

  /// Cancelled while it waits for the head.
  public static let cancelledWaiting = ConformanceCase(
    "cancelledWaiting", "a request that is cancelled while it waits for its answer ends, on the wire too",
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

  /// Cancelled in the content of a buffered answer.
  public static let cancelledInContent = ConformanceCase(
    "cancelledInContent", "a request that is cancelled in its answer's content ends, on the wire too",
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

  /// Cancelled while the request goes up.
  public static let cancelledUpload = ConformanceCase(
    "cancelledUpload", "a request that is cancelled while its content goes up ends, on the wire too",
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

  /// A stream that is dropped frees its connection.
  public static let droppedStream = ConformanceCase(
    "droppedStream", "a stream that is dropped ends on the wire, and others are served", needs: .wire
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

  /// A reader that is dropped in the middle frees its connection.
  public static let droppedReader = ConformanceCase(
    "droppedReader", "a reader that stops in the middle ends the transfer on the wire", needs: .wire
  ) { bench in
    try await bench.server { server in
      for _ in 0..<10 {
        let request = server.place.request("/pattern/\(64 << 20)", delivery: .streamed)
        guard case .stream(let stream) = try await bench.send(request).body else {
          throw ConformanceFailure("a streamed delivery was asked for, and the body is no stream")
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
