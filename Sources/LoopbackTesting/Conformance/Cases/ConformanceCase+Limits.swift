#if LoopbackTesting
import Interception

extension ConformanceCase {
  /// A buffered response that exceeds its limit fails, whether or not its length is known.
  public static let bufferedLimit = ConformanceCase(
    "bufferedLimit", "a buffered response that exceeds its limit fails"
  ) { bench in
    try await bench.origin { place in
      for path in ["/pattern/1001", "/chunked/100000"] {
        let error = try await bench.failure(place.request(path, delivery: .buffered(upTo: 1_000)))
        try bench.expect(error.kind, is: .bodyTooLarge(limit: 1_000), "the kind")
      }
      let content = try await bench.content(place.request("/pattern/1000", delivery: .buffered(upTo: 1_000)))
      try bench.expect(content.count, is: 1_000, "the length")
    }
  }

  /// A streamed response that exceeds its limit fails while it is being read.
  public static let streamLimit = ConformanceCase(
    "streamLimit", "a streamed response that exceeds its limit fails", needs: .wire
  ) { bench in
    try await bench.server { server in
      for path in ["/pattern/500000", "/chunked/500000"] {
        var request = server.place.request(path, delivery: .streamed)
        request.options.streamLimit = 100_000
        let error = try await bench.failure(request)
        try bench.expect(error.kind, is: .bodyTooLarge(limit: 100_000), "the kind")
      }
      try await server.wait { $0.openExchanges == 0 }
    }
  }

  static let limits = [bufferedLimit, streamLimit]
}
#endif
