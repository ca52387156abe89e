import BodyCompression
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct CompressionInterceptorTests {
  private func send(
    _ request: Request, to dispatcher: some Dispatcher,
    by interceptor: CompressionInterceptor = CompressionInterceptor(
      requests: .unlessRefused(.gzip), accepting: [])
  ) async throws -> Response {
    try await Pipeline(over: dispatcher) { interceptor }.send(request)
  }

  private func post(
    _ body: RequestBody, path: String = "/houses", fields: HTTPFields = [.contentType: "application/json"]
  ) -> Request {
    Request(method: .post, authority: "a.test", path: path, headerFields: fields, body: body)
  }

  private let large = SampleBytes.text(20_000)

  @Test("E9: A large body is sent with gzip, and its header fields are updated")
  func codesLargeBodies() async throws {
    let dispatcher = ScriptedDispatcher()
    let fields: HTTPFields = [
      .contentType: "application/json", .contentLength: "20000", .vary: "x", .accept: "text/plain",
    ]
    _ = try await send(post(.bytes(large), fields: fields), to: dispatcher)
    let sent = try #require(dispatcher.requests.first)
    let coded = try #require(sent.body.bytes)
    #expect(try await ForeignDecoder.decode(coded) == large)
    #expect(sent.body.length == Int64(coded.count))
    let expected: HTTPFields = [
      .contentType: "application/json", .vary: "x", .accept: "text/plain", .contentEncoding: "gzip",
    ]
    #expect(sent.head.headerFields == expected)
  }

  @Test("A body that shrinks by less than a tenth is sent unchanged")
  func leavesNoiseAlone() async throws {
    let dispatcher = ScriptedDispatcher()
    let noise = SampleBytes.noise(20_000)
    let fields: HTTPFields = [.contentLength: "20000"]
    _ = try await send(post(.bytes(noise), fields: fields), to: dispatcher)
    #expect(dispatcher.requests.first?.body.bytes == noise)
    #expect(dispatcher.requests.first?.head.headerFields == fields)
  }

  @Test(
    "E9: A request's own rule overrides the interceptor's",
    arguments: [(RequestCompression.never, false), (.unlessRefused(.gzip), true)])
  func ruleOfTheCall(rule: RequestCompression, isCoded: Bool) async throws {
    let dispatcher = ScriptedDispatcher()
    var request = post(.bytes(large))
    request.context.requestCompression = rule
    let interceptor = CompressionInterceptor(requests: isCoded ? .never : .unlessRefused(.gzip))
    _ = try await send(request, to: dispatcher, by: interceptor)
    #expect((dispatcher.requests.first?.head.headerFields[.contentEncoding] == "gzip") == isCoded)
  }

  @Test("E9: A restartable body is compressed in chunks, without a length, each time it is opened")
  func codesStreams() async throws {
    let dispatcher = ScriptedDispatcher()
    let large = large
    let body = RequestBody.restartable(length: Int64(large.count)) { () throws(NetworkError) in
      ScriptedByteSource([Array(large.prefix(7000)), Array(large.dropFirst(7000))])
    }
    _ = try await send(post(body), to: dispatcher)
    let sent = try #require(dispatcher.requests.first)
    #expect(sent.body.length == nil)
    #expect(sent.body.replay == .any)
    #expect(sent.head.headerFields[.contentEncoding] == "gzip")
    for _ in 1...2 {
      #expect(try await ForeignDecoder.decode(await sent.body.collect(upTo: 1 << 20)) == large)
    }
  }

  @Test("A body that can be read only once is sent unchanged")
  func leavesOneShotsAlone() async throws {
    let dispatcher = ScriptedDispatcher()
    let body = RequestBody.once(length: Int64(large.count), ScriptedByteSource([large]))
    _ = try await send(post(body), to: dispatcher)
    let sent = try #require(dispatcher.requests.first)
    #expect(try await sent.body.collect(upTo: 1 << 20) == large)
    #expect(sent.head.headerFields[.contentEncoding] == nil)
  }

  /// A server that refuses compressed bodies with a status and optionally an Accept-Encoding field.
  private func refusing(_ status: HTTPResponse.Status, accepting field: String?) -> ScriptedDispatcher {
    ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.headerFields[.contentEncoding] != nil else { return Response(status: .ok) }
      return Response(status: status, headerFields: field.map { [.acceptEncoding: $0] } ?? [:])
    }
  }

  private func codings(_ dispatcher: ScriptedDispatcher) -> [String] {
    dispatcher.requests.map { $0.head.headerFields[.contentEncoding] ?? "-" }
  }

  @Test(
    "E9: After a 415 the body is sent uncompressed, and the resource is remembered",
    arguments: ["identity", "", "gzip;q=0", "gzip", nil])
  func refusalIsHealed(field: String?) async throws {
    let dispatcher = refusing(.unsupportedMediaType, accepting: field)
    let interceptor = CompressionInterceptor(requests: .unlessRefused(.gzip))
    let response = try await send(post(.bytes(large)), to: dispatcher, by: interceptor)
    #expect(response.status == .ok && response.exchange.requestCoding == nil)
    #expect(codings(dispatcher) == ["gzip", "-"])
    #expect(dispatcher.requests.last?.body.bytes == large)
    #expect(try await send(post(.bytes(large)), to: dispatcher, by: interceptor).status == .ok)
    #expect(codings(dispatcher) == ["gzip", "-", "-"])
    _ = try await send(post(.bytes(large), path: "/other"), to: dispatcher, by: interceptor)
    #expect(codings(dispatcher) == ["gzip", "-", "-", "gzip", "-"])
  }

  @Test("E9: A 415 that names another coding is obeyed by the next request")
  func otherCoding() async throws {
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      request.head.headerFields[.contentEncoding] == "gzip"
        ? Response(status: .unsupportedMediaType, headerFields: [.acceptEncoding: "br"])
        : Response(status: .ok)
    }
    let interceptor = CompressionInterceptor(requests: .unlessRefused(.gzip))
    for _ in 1...2 { _ = try await send(post(.bytes(large)), to: dispatcher, by: interceptor) }
    #expect(codings(dispatcher) == ["gzip", "-", "br"])
  }

  @Test(
    "A 415 that excludes uncompressed content is returned, and names the coding that was used",
    arguments: ["identity;q=0, br", "*;q=0"])
  func otherRefusalsAreHandedOn(field: String) async throws {
    let dispatcher = refusing(.unsupportedMediaType, accepting: field)
    let response = try await send(post(.bytes(large)), to: dispatcher)
    #expect(response.status == .unsupportedMediaType && response.exchange.requestCoding == .gzip)
    #expect(dispatcher.requests.count == 1)
  }

  @Test("E9: A 400 to a compressed body is returned, and names the coding that was used")
  func badRequest() async throws {
    let dispatcher = refusing(.badRequest, accepting: nil)
    let recorder = TraceRecorder()
    let request = post(.bytes(large))
    let response = try await Pipeline(over: dispatcher, observers: [recorder]) {
      CompressionInterceptor(requests: .unlessRefused(.zstd))
    }.send(request)
    #expect(response.status == .badRequest && response.exchange.requestCoding == .zstd)
    #expect(recorder.trace(of: request.id)?.requestCoding == .zstd)
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A 415 for an uncompressed body is returned")
  func refusalOfIdentity() async throws {
    let dispatcher = ScriptedDispatcher(
      answering: Response(status: .unsupportedMediaType, headerFields: [.acceptEncoding: "gzip"]))
    #expect(try await send(post(.text("small")), to: dispatcher).status == .unsupportedMediaType)
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A 415 to both forms of a body concerns its media type, so the coding is used again")
  func mediaTypeRefused() async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .unsupportedMediaType))
    let interceptor = CompressionInterceptor(requests: .unlessRefused(.gzip))
    for _ in 1...2 {
      let response = try await send(post(.bytes(large)), to: dispatcher, by: interceptor)
      #expect(response.status == .unsupportedMediaType)
    }
    #expect(codings(dispatcher) == ["gzip", "-", "gzip", "-"])
  }

  @Test("A second 415 is returned without a third attempt")
  func oneSecondTry() async throws {
    let dispatcher = ScriptedDispatcher(
      answering: Response(status: .unsupportedMediaType, headerFields: [.acceptEncoding: "identity"]))
    #expect(try await send(post(.bytes(large)), to: dispatcher).status == .unsupportedMediaType)
    #expect(dispatcher.requests.count == 2)
  }

  @Test("A stream is sent uncompressed to a server that requires a length")
  func lengthRequired() async throws {
    let dispatcher = refusing(.lengthRequired, accepting: nil)
    let large = large
    let body = RequestBody.restartable(length: Int64(large.count)) { () throws(NetworkError) in
      ScriptedByteSource([large])
    }
    #expect(try await send(post(body), to: dispatcher).status == .ok)
    #expect(dispatcher.requests.map(\.body.length) == [nil, Int64(large.count)])
    #expect(try await send(post(.bytes(large), path: "/b"), to: dispatcher).status == .lengthRequired)
  }

  @Test("A refusal expires after a day")
  func refusalIsForgotten() async throws {
    let clock = TestClock()
    let dispatcher = refusing(.unsupportedMediaType, accepting: "identity")
    let interceptor = CompressionInterceptor(requests: .unlessRefused(.gzip), time: TimeSource(clock))
    _ = try await send(post(.bytes(large)), to: dispatcher, by: interceptor)
    clock.advance(by: .seconds(86_399))
    _ = try await send(post(.bytes(large)), to: dispatcher, by: interceptor)
    #expect(dispatcher.requests.count == 3)
    clock.advance(by: .seconds(1))
    _ = try await send(post(.bytes(large)), to: dispatcher, by: interceptor)
    #expect(dispatcher.requests.count == 5)
  }

  @Test("E9: By default nothing is compressed until a response from the resource announces a coding")
  func waitsForAcceptance() async throws {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: .ok, headerFields: number == 2 ? [.acceptEncoding: "br;q=0.5, gzip"] : [:])
    }
    let interceptor = CompressionInterceptor()
    for _ in 1...3 { _ = try await send(post(.bytes(large)), to: dispatcher, by: interceptor) }
    _ = try await send(post(.bytes(large), path: "/other"), to: dispatcher, by: interceptor)
    #expect(codings(dispatcher) == ["-", "-", "gzip", "-"])
  }

  @Test(
    "E9: The announced coding is used, and other programs decode it", arguments: ForeignDecoder.codings,
    [true, false])
  func announcedCoding(coding: ContentCoding, isInMemory: Bool) async throws {
    let dispatcher = ScriptedDispatcher(
      answering: Response(status: .ok, headerFields: [.acceptEncoding: coding.name]))
    let interceptor = CompressionInterceptor()
    let large = large
    let body: RequestBody =
      isInMemory
      ? .bytes(large)
      : .restartable(length: Int64(large.count)) { () throws(NetworkError) in ScriptedByteSource([large]) }
    for _ in 1...2 {
      let response = try await send(post(body), to: dispatcher, by: interceptor)
      #expect(response.exchange.requestCoding == (dispatcher.requests.count == 1 ? nil : coding))
    }
    #expect(codings(dispatcher) == ["-", coding.name])
    let sent = try #require(dispatcher.requests.last).body
    #expect(try await ForeignDecoder.decode(await sent.collect(upTo: 1 << 20), coding) == large)
  }

  @Test("A rule that names a coding that can't be written is refused, with those that can")
  func unknownCoding() async throws {
    let dispatcher = ScriptedDispatcher()
    let error = await #expect(throws: NetworkError.self) {
      try await send(
        post(.bytes(large)), to: dispatcher,
        by: CompressionInterceptor(requests: .unlessRefused(ContentCoding("compress"))))
    }
    #expect(error?.kind == .invalidRequest && error?.reason.contains("\"compress\"") == true)
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("A response that announces another coding changes the coding for its resource")
  func learnsFromResponses() async throws {
    let dispatcher = ScriptedDispatcher(
      answering: Response(status: .ok, headerFields: [.acceptEncoding: "br"]))
    let interceptor = CompressionInterceptor(requests: .unlessRefused(.gzip))
    for _ in 1...2 { _ = try await send(post(.bytes(large)), to: dispatcher, by: interceptor) }
    #expect(codings(dispatcher) == ["gzip", "br"])
  }

  @Test("Concurrent requests all succeed after a refusal, and it is remembered")
  func concurrency() async throws {
    let dispatcher = refusing(.unsupportedMediaType, accepting: "identity")
    let pipeline = try Pipeline(over: dispatcher) { CompressionInterceptor(requests: .unlessRefused(.gzip)) }
    let body = RequestBody.bytes(large)
    let statuses = await withTaskGroup(of: Int.self, returning: [Int].self) { group in
      for number in 0..<200 {
        let request = post(body, path: "/\(number % 10)")
        group.addTask { (try? await pipeline.send(request).status.code) ?? 0 }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 200))
    let before = dispatcher.requests.count
    for number in 0..<10 { _ = try await pipeline.send(post(body, path: "/\(number)")) }
    #expect(dispatcher.requests.count == before + 10)
  }

  @Test("A failure of the second attempt is thrown to the caller")
  func failureIsPassedOn() async throws {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      guard number == 1 else { throw NetworkError(.transport, "The connection broke.") }
      return Response(status: .unsupportedMediaType, headerFields: [.acceptEncoding: "identity"])
    }
    let error = await #expect(throws: NetworkError.self) {
      try await send(post(.bytes(large)), to: dispatcher)
    }
    #expect(error?.kind == .transport)
  }
}
