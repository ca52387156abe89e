import BodyCompression
import ContentCodings
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite struct ResponseCodingsTests {
  /// Returns the value of `Accept-Encoding` that the dispatcher receives.
  private func asked(
    _ codings: [ContentCoding] = [.gzip, .brotli, .zstd, .deflate],
    of capabilities: DispatcherCapabilities = [],
    _ change: (inout Request) -> Void = { _ in }
  ) async throws -> String? {
    let dispatcher = ScriptedDispatcher(capabilities: capabilities)
    var request = Request(authority: "a.test", path: "/")
    change(&request)
    _ = try await Pipeline(over: dispatcher) { CompressionInterceptor(accepting: codings) }.send(request)
    return dispatcher.requests[0].head.headerFields[.acceptEncoding]
  }

  @Test(
    "E9: The codings are offered that the interceptor decodes, or a dispatcher that decodes by itself",
    arguments: [
      ([.gzip, .brotli, .zstd, .deflate], [], "gzip, br, zstd, deflate"), ([.zstd, .gzip], [], "zstd, gzip"),
      ([ContentCoding("snappy"), .gzip], [], "gzip"), ([ContentCoding("snappy")], [], nil), ([], [], nil),
      ([.gzip, .brotli, .zstd, .deflate], .responseDecoding, "gzip, deflate"),
      ([.brotli, .zstd], .responseDecoding, nil),
    ] as [([ContentCoding], DispatcherCapabilities, String?)])
  func offers(codings: [ContentCoding], capabilities: DispatcherCapabilities, field: String?) async throws {
    #expect(try await asked(codings, of: capabilities) == field)
  }

  @Test("The caller's own Accept-Encoding and Range are kept")
  func callersOwn() async throws {
    #expect(try await asked { $0.head.headerFields[.acceptEncoding] = "br" } == "br")
    #expect(try await asked { $0.head.headerFields[.range] = "bytes=0-99" } == nil)
  }

  @Test("What a dispatcher has decoded by itself is not decoded again, and its report is kept")
  func decodedAlready() async throws {
    let report = TransportReport(bytes: .init(received: 40, decoded: 4), contentCoding: .gzip)
    let dispatcher = ScriptedDispatcher(
      answering: Response(
        HTTPResponse(status: .ok), body: .bytes([1, 2, 3, 4]), exchange: Exchange(transport: report)),
      capabilities: .responseDecoding)
    let response = try await Pipeline(over: dispatcher) { CompressionInterceptor() }
      .send(Request(authority: "a.test", path: "/"))
    #expect(try await response.body.collect(upTo: 4) == [1, 2, 3, 4])
    #expect(response.exchange.transport == report)
    #expect(dispatcher.requests.first?.options.delivery == .buffered(upTo: 64 << 20))
  }

  @Test("With no codings offered, a coded response is returned unchanged")
  func stillCoded() async throws {
    let coded = try #require(try ContentCoding.gzip.encode(SampleBytes.text(3_000_000)))
    let dispatcher = ScriptedDispatcher(
      answering: Response(
        status: .ok, headerFields: [.contentEncoding: "gzip", .eTag: "\"x\""], bytes: coded))
    let response = try await Pipeline(over: dispatcher) { CompressionInterceptor(accepting: []) }
      .send(Request(authority: "a.test", path: "/"))
    #expect(try await response.body.collect(upTo: coded.count) == coded)
    #expect(response.head.headerFields == [.contentEncoding: "gzip", .eTag: "\"x\""])
  }
}
