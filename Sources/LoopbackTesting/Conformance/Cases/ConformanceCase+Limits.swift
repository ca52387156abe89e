#if LoopbackTesting
import Interception

extension ConformanceCase {
  /// A buffered response that exceeds its limit fails, whether or not its length is known.
  public static let bufferedLimit = ConformanceCase(
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
  public static let streamLimit = ConformanceCase(
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
