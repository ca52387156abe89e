import BodyCompression
import ContentCodings
import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

/// The interceptor over the collective dispatcher and a real server.
@Suite(.timeLimit(.minutes(5))) struct CompressionWireTests {
  private func pipeline(_ interceptor: CompressionInterceptor = .init(requests: .unlessRefused(.gzip))) throws
    -> Pipeline
  {
    try Pipeline(over: CurlDispatcher()) { interceptor }
  }

  private func request(
    _ server: ScriptedServer, path: String = "/houses", body: RequestBody = .empty
  ) -> Request {
    var request = Request(
      method: body.isEmpty ? .get : .post, scheme: "http", authority: server.authority, path: path,
      headerFields: body.isEmpty ? [:] : [.contentType: "application/json"], body: body)
    // The suite's time limit applies: under a sanitizer, beside other suites, 20 s can be too short.
    request.options.timeouts.whole = nil
    return request
  }

  /// A gzip member of zeros.
  private func bomb(mebibytes: Int) async throws -> [UInt8] {
    let mebibyte = [UInt8](repeating: 0, count: 1 << 20)
    let source = try EncodedByteSource(
      ScriptedByteSource(Array(repeating: mebibyte, count: mebibytes)), coding: .gzip)
    var coded: [UInt8] = []
    while let chunk = try await source.read() { coded += chunk }
    return coded
  }

  private func serving(_ coded: [UInt8]) throws -> ScriptedServer {
    try ScriptedServer { request in
      guard request.value(of: "Accept-Encoding")?.contains("gzip") == true else {
        return .text("gzip wasn't offered", status: 406)
      }
      return ScriptedReply(fields: [("Content-Encoding", "gzip"), ("ETag", "\"x\"")], body: coded)
    }
  }

  @Test("E9: A compressed body arrives, and the gzip program decodes it")
  func requestBody() async throws {
    let server = try ScriptedServer { request in
      let length = request.value(of: "Content-Length") ?? "none"
      return ScriptedReply(
        fields: [("X-Coding", request.value(of: "Content-Encoding") ?? "none"), ("X-Length", length)],
        body: request.body)
    }
    let text = SampleBytes.text(200_000)
    let response = try await pipeline().send(request(server, body: .bytes(text)))
    // The server returns the body as received.
    #expect(try await ForeignDecoder.decode(response.body.collect(upTo: 1 << 20)) == text)
    #expect(response.head.headerFields[try #require(HTTPField.Name("X-Coding"))] == "gzip")
    let length = response.head.headerFields[try #require(HTTPField.Name("X-Length"))].flatMap { Int($0) }
    #expect(try #require(length) < text.count / 3)
    #expect(response.exchange.transport?.bytes.sent == length.map { Int64($0) })
  }

  @Test("E9: A body compressed while it is sent arrives in chunks, and the gzip program decodes it")
  func streamedRequestBody() async throws {
    let server = try ScriptedServer { request in
      guard request.value(of: "Content-Length") == nil else { return .text("a length", status: 400) }
      return ScriptedReply(body: request.body)
    }
    let text = SampleBytes.text(500_000)
    let body = RequestBody.restartable(length: Int64(text.count)) { () throws(NetworkError) in
      ScriptedByteSource(stride(from: 0, to: text.count, by: 7777).map { Array(text[$0...].prefix(7777)) })
    }
    let response = try await pipeline().send(request(server, body: body))
    #expect(response.status == .ok)
    // The server returns the body as received.
    #expect(try await ForeignDecoder.decode(response.body.collect(upTo: 1 << 20)) == text)
  }

  @Test("E9: A gzip response is decoded, and its fields for the coding are removed")
  func answer() async throws {
    let text = SampleBytes.text(100_000)
    let coded = try #require(try ContentCoding.gzip.encode(text))
    let server = try serving(coded)
    let response = try await pipeline().send(request(server))
    #expect(response.status == .ok)
    #expect(try await response.body.collect(upTo: 1 << 20) == text)
    #expect(response.head.headerFields[.contentEncoding] == nil)
    #expect(response.head.headerFields[.contentLength] == nil)
    #expect(response.exchange.transport?.contentCoding == .gzip)
    #expect(response.exchange.transport?.bytes.received == Int64(coded.count))
    #expect(response.exchange.transport?.bytes.decoded == Int64(text.count))
  }

  @Test(
    "E9: A coded stream with trailers is decoded, and its transport's report is complete",
    arguments: [1, 999])
  func codedStream(chunk: Int) async throws {
    let text = SampleBytes.text(20_000)
    let coded = try #require(try ContentCoding.zstd.encode(text))
    let server = try ScriptedServer { _ in
      ScriptedReply(
        fields: [("Content-Encoding", "zstd")], body: coded, framing: .chunks(of: chunk),
        trailers: [("ETag", "\"end\"")])
    }
    var request = request(server)
    request.options.delivery = .streamed
    let response = try await pipeline().send(request)
    #expect(try await response.body.collect(upTo: 1 << 20) == text)
    #expect(response.trailers == [.eTag: "\"end\""])
    let report = try #require(response.exchange.transport)
    #expect(report.contentCoding == .zstd && report.bytes.decoded == 20_000)
    #expect(report.bytes.received == Int64(coded.count) && report.phases.firstByte != nil)
  }

  @Test("A stream whose connection ends within the coding fails with the transport's error")
  func interrupted() async throws {
    let coded = try #require(try ContentCoding.gzip.encode(SampleBytes.text(200_000)))
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n")
      try wire.send(Array(coded.dropLast(99)))
    })
    var request = request(server)
    request.options.delivery = .streamed
    let response = try await pipeline().send(request)
    let error = await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 1 << 20) }
    #expect(error?.kind == .transport)
  }

  @Test("E9: 100 MiB of zeros in 100 KiB of gzip are stopped at the limit, in memory and as a stream")
  func bombs() async throws {
    let coded = try await bomb(mebibytes: 100)
    #expect(coded.count < 120_000)
    let server = try serving(coded)
    let pipeline = try pipeline(CompressionInterceptor(limits: ResponseLimits(streamed: 8 << 20, ratio: nil)))
    let error = await #expect(throws: NetworkError.self) { try await pipeline.send(request(server)) }
    #expect(error?.kind == .bodyTooLarge(limit: 64 << 20))

    var streamed = request(server)
    streamed.options.delivery = .streamed
    let response = try await pipeline.send(streamed)
    var received = 0
    let failure = await #expect(throws: NetworkError.self) {
      guard case .stream(let stream) = response.body else { return }
      for try await chunk in stream { received += chunk.count }
    }
    #expect(failure?.kind == .bodyTooLarge(limit: 8 << 20))
    #expect(received <= 8 << 20)
  }

  @Test("E9: 10 MiB of zeros are within the size limit and refused for their ratio")
  func ratio() async throws {
    let server = try serving(try await bomb(mebibytes: 10))
    let error = await #expect(throws: NetworkError.self) { try await pipeline().send(request(server)) }
    #expect(error?.origin == .interceptor("CompressionInterceptor"))
    #expect(error?.reason.contains("a ratio above 200:1") == true)
    let trusting = try pipeline(CompressionInterceptor(limits: ResponseLimits(ratio: nil)))
    #expect(try await trusting.send(request(server)).body.length == 10 << 20)
  }

  @Test("E9: A server that refuses the coding is sent the body uncompressed, once")
  func refusal() async throws {
    let server = try ScriptedServer { request in
      guard request.value(of: "Content-Encoding") == nil else {
        return ScriptedReply(status: 415, fields: [("Accept-Encoding", "identity")])
      }
      return ScriptedReply(body: request.body)
    }
    let text = SampleBytes.text(50_000)
    let pipeline = try pipeline()
    for _ in 1...2 {
      let response = try await pipeline.send(request(server, body: .bytes(text)))
      #expect(try await response.body.collect(upTo: 1 << 20) == text)
    }
    #expect(server.requests.map { $0.value(of: "Content-Encoding") } == ["gzip", nil, nil])
  }
}
