import BodyCompression
import ContentCodings
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

/// Responses in codings, good and bad, through the interceptor over a dispatcher that delivers them as sent.
@Suite(.timeLimit(.minutes(5))) struct CodedResponseTests {
  enum Outcome: Sendable {
    case content([UInt8])
    /// As it was sent, with its field.
    case asSent
    /// A violation, whose text has these words.
    case violation(String)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The value of `Content-Encoding`.
    let codings: String
    let body: @Sendable () throws -> [UInt8]
    let outcome: Outcome

    init(
      _ name: String, _ codings: String, _ outcome: Outcome, _ body: @escaping @Sendable () throws -> [UInt8]
    ) {
      (testDescription, self.codings, self.outcome, self.body) = (name, codings, outcome, body)
    }
  }

  private static let text = CodedVectors.text

  private static func coded(_ content: [UInt8] = text, _ coding: ContentCoding = .gzip) throws -> [UInt8] {
    try #require(try coding.encode(content))
  }

  static let cases: [Case] = [
    Case("gzip", "gzip", .content(text)) { try coded() },
    Case("deflate with its frame", "deflate", .content(text)) { try coded(text, .deflate) },
    Case("deflate without its frame", "deflate", .content(text)) {
      Array(try coded().dropFirst(10).dropLast(8))
    },
    Case("brotli", "br", .content(text)) { CodedVectors.brotliText },
    Case("zstd", "zstd", .content(text)) { CodedVectors.zstdText },
    Case("another spelling", "X-GZIP", .content(text)) { try coded() },
    Case("an empty member beside", "gzip, ", .content(text)) { try coded() },
    Case("two codings", "br, gzip", .content(text)) { try coded(CodedVectors.brotliText) },
    Case("twice the same coding", "gzip, gzip", .content(text)) { try coded(try coded()) },
    Case("two codings in the wrong order", "gzip, br", .violation("gzip, br coding")) {
      try coded(CodedVectors.brotliText)
    },
    Case("three codings", "gzip, gzip, gzip", .violation("\"gzip, gzip, gzip\"")) { try coded() },
    Case("several members", "gzip", .content(text + text)) { try coded() + coded() },
    Case("several frames", "zstd", .content(text + text)) { CodedVectors.zstdText + CodedVectors.zstdText },
    Case("zeros behind the end", "gzip", .content(text)) { try coded() + [0, 0, 0, 0] },
    Case("a member of nothing", "gzip", .content([])) { try coded([]) },
    Case("no bytes at all", "gzip", .content([])) { [] },
    Case("no bytes in an unknown coding", "snappy", .asSent) { [] },
    Case("a coding that was not offered", "snappy", .violation("\"snappy\", which was not asked for")) {
      text
    },
    Case("a coding that is obsolete", "compress", .violation("\"compress\"")) { text },
    Case("a coding that is not there", "gzip", .violation("gzip coding is broken")) { text },
    Case("a zstd coding that is not there", "zstd", .violation("zstd coding is broken")) { text },
    Case("another coding than stated", "gzip", .violation("gzip coding is broken")) { CodedVectors.zstdText },
    Case("a cut", "gzip", .violation("ends within its gzip coding")) { try coded().dropLast(3) },
    Case("a cut after the head", "gzip", .violation("ends within its gzip coding")) {
      Array(try coded().prefix(10))
    },
    Case("a cut in the second member", "gzip", .violation("ends within its gzip coding")) {
      try coded() + coded().dropLast(3)
    },
    Case("a cut of brotli", "br", .violation("ends within its br coding")) {
      CodedVectors.brotliText.dropLast(1)
    },
    Case("a cut of zstd", "zstd", .violation("ends within its zstd coding")) {
      CodedVectors.zstdText.dropLast(1)
    },
    Case("a cut of two codings", "br, gzip", .violation("ends within its br, gzip coding")) {
      try coded(CodedVectors.brotliText.dropLast(1))
    },
    Case("bytes behind gzip", "gzip", .violation("gzip coding is broken")) { try coded() + [7] },
    Case("bytes behind zeros", "gzip", .violation("gzip coding is broken")) { try coded() + [0, 7] },
    Case("bytes behind deflate", "deflate", .violation("deflate coding is broken")) {
      try coded(text, .deflate) + [7]
    },
    Case("bytes behind brotli", "br", .violation("br coding is broken")) { CodedVectors.brotliText + [7] },
    Case("bytes behind zstd", "zstd", .violation("zstd coding is broken")) { CodedVectors.zstdText + [7] },
    Case("a wrong checksum", "gzip", .violation("gzip coding is broken")) {
      var bytes = try coded()
      bytes[bytes.count - 6] ^= 1
      return bytes
    },
    Case("a window of 16 MiB", "zstd", .violation("zstd coding is broken")) { CodedVectors.zstdWideWindow },
    Case("empty blocks without end", "gzip, gzip", .violation("gzip, gzip coding is broken")) {
      var blocks: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
      for _ in 0..<20 { blocks += blocks }
      return try coded(Array(try coded([]).prefix(10)) + blocks)
    },
  ]

  private static let digest: [String] = ["Content-Digest", "Repr-Digest"]

  @Test(
    "E9: Content is decoded, delivered as it was sent, or refused, in memory and as a stream",
    arguments: cases,
    [false, true])
  func outcome(entry: Case, isStreamed: Bool) async throws {
    let bytes = try entry.body()
    var fields: HTTPFields = [
      .contentEncoding: entry.codings, .contentLength: "\(bytes.count)", .eTag: "\"x\"",
    ]
    for name in Self.digest { fields[try #require(.init(name))] = "sha-256=:AA==:" }
    let sent = Response(status: .ok, headerFields: fields, bytes: bytes)
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.options.delivery == .streamed else { return sent }
      var response = sent
      // Pieces that end anywhere.
      response.body = .stream(
        BodyStream(
          length: Int64(bytes.count),
          ScriptedByteSource(stride(from: 0, to: bytes.count, by: 7).map { Array(bytes[$0...].prefix(7)) })))
      return response
    }
    let pipeline = try Pipeline(over: dispatcher) {
      CompressionInterceptor(limits: ResponseLimits(ratio: nil))
    }
    var request = Request(authority: "a.test", path: "/")
    if isStreamed { request.options.delivery = .streamed }
    func received() async throws -> (HTTPFields, [UInt8]) {
      let response = try await pipeline.send(request)
      return (response.head.headerFields, try await response.body.collect(upTo: 1 << 20))
    }
    switch entry.outcome {
    case .content(let content):
      let (head, found) = try await received()
      #expect(found == content)
      // Digests are of the coded content, and stay.
      (fields[.contentEncoding], fields[.contentLength]) = (nil, nil)
      #expect(head == fields)
    case .asSent:
      let (head, found) = try await received()
      #expect(found == bytes && head == fields)
    case .violation(let words):
      let error = await #expect(throws: NetworkError.self) { try await received() }
      #expect(error?.kind == .protocolViolation && error?.requestMayHaveBeenProcessed == true)
      #expect(error?.reason.contains(words) == true && error?.reason.contains("a.test") == true)
    }
  }

  @Test(
    "A response that isn't decoded keeps its content and its fields",
    arguments: [
      (.ok, .get, [.acceptEncoding: "gzip"]), (.ok, .head, [:]),
      (.partialContent, .get, [.range: "bytes=0-99"]), (.partialContent, .get, [:]),
      (.notModified, .get, [:]), (.noContent, .get, [:]),
    ] as [(HTTPResponse.Status, HTTPRequest.Method, HTTPFields)])
  func asSent(status: HTTPResponse.Status, method: HTTPRequest.Method, own: HTTPFields) async throws {
    let request = Request(method: method, authority: "a.test", path: "/", headerFields: own)
    let hasContent = request.head.method == .get && [200, 206].contains(status.code)
    let bytes = hasContent ? try Self.coded() : []
    let fields: HTTPFields = [.contentEncoding: "gzip", .contentLength: "40"]
    let dispatcher = ScriptedDispatcher(
      answering: Response(status: status, headerFields: fields, bytes: bytes))
    let response = try await Pipeline(over: dispatcher) { CompressionInterceptor() }.send(request)
    #expect(try await response.body.collect(upTo: 1 << 10) == bytes)
    #expect(response.head.headerFields == fields)
  }

  @Test("Content in another supported coding than those offered is decoded")
  func notOffered() async throws {
    let dispatcher = ScriptedDispatcher(
      answering: Response(status: .ok, headerFields: [.contentEncoding: "br"], bytes: CodedVectors.brotliText)
    )
    let pipeline = try Pipeline(over: dispatcher) { CompressionInterceptor(accepting: [.gzip]) }
    let response = try await pipeline.send(Request(authority: "a.test", path: "/"))
    #expect(try await response.body.collect(upTo: 1_000) == Self.text)
    #expect(dispatcher.requests.first?.head.headerFields[.acceptEncoding] == "gzip")
  }

  @Test("Bytes in memory are decoded as a stream if one was requested, with their trailers")
  func bytesAsStream() async throws {
    let report = TransportReport(bytes: .init(received: 50, decoded: 50))
    let dispatcher = ScriptedDispatcher(
      answering: Response(
        HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip"]), body: .bytes(try Self.coded()),
        trailers: [.eTag: "x"], exchange: Exchange(transport: report)))
    var request = Request(authority: "a.test", path: "/")
    request.options.delivery = .streamed
    let response = try await Pipeline(over: dispatcher) { CompressionInterceptor() }.send(request)
    #expect(try await response.body.collect(upTo: 1_000) == Self.text)
    #expect(response.trailers == [.eTag: "x"])
    #expect(response.exchange.transport?.contentCoding == .gzip)
    #expect(response.exchange.transport?.bytes == .init(received: 50, decoded: 1_000))
  }

  @Test(
    "The limit of decoded bytes is exact, however little the coding saves",
    arguments: [1, 5, 1_000, 70_000, 300_000], ContentCoding.encodable)
  func exactLimit(count: Int, coding: ContentCoding) async throws {
    // Noise is longer in a coding.
    let noise = SampleBytes.noise(count)
    let coded = try Self.coded(noise, coding)
    #expect(coded.count > count)
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard case .buffered(let limit) = request.options.delivery, coded.count <= limit else {
        throw .bodyTooLarge(limit: 0)
      }
      return Response(status: .ok, headerFields: [.contentEncoding: coding.name], bytes: coded)
    }
    let pipeline = try Pipeline(over: dispatcher) { CompressionInterceptor() }
    var request = Request(authority: "a.test", path: "/")
    request.options.delivery = .buffered(upTo: count)
    #expect(try await pipeline.send(request).body.collect(upTo: count) == noise)
    request.options.delivery = .buffered(upTo: count - 1)
    let error = await #expect(throws: NetworkError.self) { try await pipeline.send(request) }
    #expect(error?.kind == .bodyTooLarge(limit: Int64(count - 1)))
  }

  @Test("A dispatcher's error about its limit names the caller's")
  func restatedLimit() async throws {
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard case .buffered(let limit) = request.options.delivery else { return Response(status: .ok) }
      throw .bodyTooLarge(limit: Int64(limit))
    }
    var request = Request(authority: "a.test", path: "/")
    request.options.delivery = .buffered(upTo: 1_000)
    let pipeline = try Pipeline(over: dispatcher) { CompressionInterceptor() }
    let error = await #expect(throws: NetworkError.self) { try await pipeline.send(request) }
    #expect(error?.kind == .bodyTooLarge(limit: 1_000) && error?.reason.contains("1000 bytes") == true)
  }
}
