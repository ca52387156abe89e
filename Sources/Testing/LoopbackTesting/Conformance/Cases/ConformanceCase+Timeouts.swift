#if LoopbackTesting
import Interception

extension ConformanceCase {
  private static let brief = Duration.milliseconds(300)

  private static func times(
    out phase: NetworkError.Phase, _ context: ConformanceContext, _ response: LoopbackResponse,
    _ limit: WritableKeyPath<RequestOptions.Timeouts, Duration?>
  ) async throws {
    try await context.server { server in
      for delivery: RequestOptions.Delivery in [.buffered(upTo: 1 << 20), .streamed] {
        server.enqueue(response)
        var request = server.place.request("/", delivery: delivery)
        request.options.timeouts[keyPath: limit] = brief
        try await context.failure(request, .timeout(phase), processed: true)
      }
      try await server.wait { $0.openExchanges == 0 }
    }
  }

  /// The connection is not established in time.
  static let connectTimeout = ConformanceCase(
    "connectTimeout", "a handshake that does not finish is a connect timeout, and nothing was processed",
    needs: [.wire, .tls]
  ) { context in
    let silent = LoopbackConfiguration(security: .tls(context.certificates), greeting: .silent)
    try await context.server(silent) { server in
      var request = server.place.request("/")
      request.options.timeouts.connect = brief
      try await context.failure(request, .timeout(.connect), processed: false)
    }
  }

  /// The response does not begin in time.
  static let firstByteTimeout = ConformanceCase(
    "firstByteTimeout", "a response that does not begin is a first-byte timeout", needs: .wire
  ) { context in
    try await times(
      out: .firstByte, context, LoopbackResponse().failing(.responseStart, .stall), \.firstByte)
  }

  /// The content stops.
  static let idleTimeout = ConformanceCase(
    "idleTimeout", "content that stops is an idle timeout", needs: .wire
  ) { context in
    try await times(
      out: .idle, context, LoopbackResponse(content: .pattern(1_000)).failing(.responseBody, .stall), \.idle)
  }

  /// The attempt takes too long although bytes are received.
  static let wholeTimeout = ConformanceCase(
    "wholeTimeout", "an attempt that takes too long although bytes are received is a whole timeout",
    needs: .wire
  ) { context in
    let slow = LoopbackResponse(content: .pattern(1_000))
      .failing(.responseStart, .slow(LoopbackPace(every: .milliseconds(20))))
    try await times(out: .whole, context, slow, \.whole)
  }

  /// Slow content does not cause an idle timeout.
  static let slowIsNotIdle = ConformanceCase(
    "slowIsNotIdle", "slow and steady content does not cause an idle timeout", needs: .wire
  ) { context in
    try await context.server { server in
      server.enqueue(
        LoopbackResponse(content: .pattern(20))
          .failing(.responseStart, .slow(LoopbackPace(every: .milliseconds(50)))))
      var request = server.place.request("/")
      request.options.timeouts.idle = .milliseconds(700)
      try context.expect(try await context.content(request).count, is: 20, "the length")
    }
  }

  static let timeouts = [connectTimeout, firstByteTimeout, idleTimeout, wholeTimeout, slowIsNotIdle]
}
#endif
