#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  private static func start(_ context: ConformanceContext, _ request: Request) -> Task<
    NetworkError, any Error
  > {
    Task { try await context.failure(request) }
  }

  private static func isCancelled(
    _ context: ConformanceContext, _ task: Task<NetworkError, any Error>, processed: Bool
  ) async throws {
    task.cancel()
    try context.expect(try await task.value, [.cancelled(.task)], processed: processed)
  }

  /// A task that is already cancelled sends nothing.
  static let cancelledBefore = ConformanceCase(
    "cancelledBefore", "a task that is already cancelled sends nothing", needs: .wire
  ) { context in
    try await context.server { server in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await context.failure(server.place.request("/echo", method: .post, body: .text("x")))
      }
      try context.expect(try await task.value, [.cancelled(.task)], processed: false)
      try context.expect(server.counts.begunRequests, is: 0, "the number of requests that arrived")
    }
  }

  /// The request is cancelled while it waits for the response head.
  static let cancelledWaiting = ConformanceCase(
    "cancelledWaiting", "cancelling a request that waits for its response ends it, on the wire too",
    needs: .wire
  ) { context in
    try await context.server { server in
      server.enqueue(LoopbackResponse().failing(.responseStart, .stall))
      let task = start(context, server.place.request("/"))
      try await server.wait { $0.receivedRequests == 1 }
      try await isCancelled(context, task, processed: true)
      try await server.wait { $0.openExchanges == 0 }
    }
  }

  /// The request is cancelled within the content of its response.
  static let cancelledInContent = ConformanceCase(
    "cancelledInContent", "cancelling a request within its response's content ends it, on the wire too",
    needs: .wire
  ) { context in
    for delivery: RequestOptions.Delivery in [.buffered(upTo: 1 << 20), .streamed] {
      try await context.server { server in
        server.enqueue(LoopbackResponse(content: .pattern(100)).failing(.responseBody, .stall))
        let task = start(context, server.place.request("/", delivery: delivery))
        try await server.wait { $0.sentBytes == 50 }
        try await isCancelled(context, task, processed: true)
        try await server.wait { $0.openExchanges == 0 }
      }
    }
  }

  /// The request is cancelled while its content is being sent.
  static let cancelledUpload = ConformanceCase(
    "cancelledUpload", "cancelling a request while its content is being sent ends it, on the wire too",
    needs: .wire
  ) { context in
    try await context.server { server in
      server.enqueue(LoopbackResponse().failing(.requestBody, .stall))
      let length: Int64 = 64 << 20
      let request = server.place.request(
        "/", method: .put,
        body: .restartable(length: length) { () throws(NetworkError) in PatternSource(length: length) })
      let task = start(context, request)
      try await server.wait { $0.begunRequests == 1 }
      try await isCancelled(context, task, processed: true)
      try await server.wait { $0.openExchanges == 0 }
    }
  }

  /// A released stream frees its connection.
  static let droppedStream = ConformanceCase(
    "droppedStream", "releasing a stream ends it on the wire, and later requests succeed", needs: .wire
  ) { context in
    try await context.server { server in
      for _ in 0..<20 {
        let request = server.place.request("/pattern/\(64 << 20)", delivery: .streamed)
        let response = try await context.send(request)
        try context.expect(response.status.code, is: 200, "the status")
      }
      try await server.wait { $0.openExchanges == 0 }
      try context.expect(
        try await context.content(server.place.request("/pattern/5")).count, is: 5, "the length")
    }
  }

  /// A reader released within the content frees its connection.
  static let droppedReader = ConformanceCase(
    "droppedReader", "a reader that stops within the content ends the transfer on the wire", needs: .wire
  ) { context in
    try await context.server { server in
      for _ in 0..<10 {
        let request = server.place.request("/pattern/\(64 << 20)", delivery: .streamed)
        guard case .stream(let stream) = try await context.send(request).body else {
          throw ConformanceError("streamed delivery was requested, but the body is not a stream")
        }
        for try await chunk in stream {
          try context.expect(!chunk.isEmpty, "a chunk is empty")
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
