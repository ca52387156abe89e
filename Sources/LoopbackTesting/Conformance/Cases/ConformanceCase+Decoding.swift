#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  private static func asking(_ request: Request) -> Request {
    var request = request
    request.options.acceptedCodings = [.gzip]
    return request
  }

  /// An accepted coding is decoded, and its header fields are removed.
  public static let gzipDecoded = ConformanceCase(
    "gzipDecoded", "accepted gzip is decoded, and the header fields of the coded form are removed",
    needs: [.wire, .decoding]
  ) { context in
    try await context.server { server in
      for delivery: RequestOptions.Delivery in [.buffered(upTo: 1_000), .streamed] {
        let response = try await context.send(asking(server.place.request("/gzip", delivery: delivery)))
        try context.expect(try await context.read(response.body), is: Array("plain text".utf8), "the content")
        try context.expect(response.head.headerFields[.contentEncoding], is: nil, "Content-Encoding")
        try context.expect(response.head.headerFields[.contentLength], is: nil, "Content-Length")
        let received = try await server.takeRequest()
        try context.expect(received.head.headerFields[.acceptEncoding], is: "gzip", "Accept-Encoding")
      }
    }
  }

  /// A coding that was not accepted is not decoded.
  public static let notDecoded = ConformanceCase(
    "notDecoded", "no coding is accepted by default, and a coded response is not decoded", needs: .wire
  ) { context in
    try await context.server { server in
      let response = try await context.send(server.place.request("/gzip"))
      try context.expect(response.head.headerFields[.contentEncoding], is: "gzip", "Content-Encoding")
      try context.expect(
        try await context.read(response.body).prefix(2), is: [0x1f, 0x8b], "the first bytes")
      let received = try await server.takeRequest()
      let asked = received.head.headerFields[.acceptEncoding] ?? "identity"
      try context.expect(asked, is: "identity", "Accept-Encoding")
    }
  }

  /// An invalid coding is a protocol violation.
  public static let brokenCoding = ConformanceCase(
    "brokenCoding", "invalid coded content is a protocol violation", needs: [.wire, .decoding]
  ) { context in
    try await context.server { server in
      try await context.failure(
        asking(server.place.request("/brokenGzip")), .protocolViolation, processed: true)
    }
  }

  /// Limits apply to decoded bytes.
  public static let decodedLimit = ConformanceCase(
    "decodedLimit", "limits apply to decoded bytes, as a defense against decompression bombs",
    needs: [.wire, .decoding]
  ) { context in
    try await context.server { server in
      try await context.failure(
        asking(server.place.request("/bomb", delivery: .buffered(upTo: 65_536))),
        .bodyTooLarge(limit: 65_536), processed: true)
    }
  }

  static let decoding = [gzipDecoded, notDecoded, brokenCoding, decodedLimit]
}
#endif
