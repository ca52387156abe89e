import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DecodingTests {
  let dispatcher = CurlDispatcher()

  private func server(_ body: [UInt8], coding: String = "gzip") throws -> ScriptedServer {
    try ScriptedServer { _ in
      ScriptedReply(fields: [("Content-Encoding", coding), ("ETag", "\"x\"")], body: body)
    }
  }

  @Test("E9: A coded response is decoded, and its head says so")
  func decoded() async throws {
    let plain = [UInt8](repeating: 65, count: 10_000)
    let coded = try await GzipCommand.compress(plain)
    let server = try server(coded)
    let response = try await dispatcher.dispatch(
      Request.get(server).with { $0.options.acceptedCodings = [.gzip, .brotli] })
    #expect(server.requests.first?.value(of: "Accept-Encoding") == "gzip, br")
    #expect(try await response.body.collect(upTo: 10_000) == plain)
    #expect(response.head.headerFields[.contentEncoding] == nil)
    #expect(response.head.headerFields[.contentLength] == nil)
    #expect(response.head.headerFields[.eTag] == "\"x\"")
    let report = try #require(response.exchange.transport)
    #expect(report.contentCoding == .gzip)
    #expect(report.bytes.received == Int64(coded.count))
    #expect(report.bytes.decoded == 10_000)
  }

  @Test("A response whose coding was not requested is not decoded")
  func notRequested() async throws {
    let coded = try await GzipCommand.compress([1, 2, 3])
    let server = try server(coded)
    let response = try await dispatcher.dispatch(.get(server))
    #expect(server.requests.first?.value(of: "Accept-Encoding") == nil)
    #expect(try await response.body.collect(upTo: 1000) == coded)
    #expect(response.head.headerFields[.contentEncoding] == "gzip")
    #expect(response.head.headerFields[.contentLength] == "\(coded.count)")
    #expect(response.exchange.transport?.contentCoding == nil)
  }

  @Test("A coded response to a request for identity is delivered as it is, and its head says so")
  func identity() async throws {
    let coded = try await GzipCommand.compress([1, 2, 3])
    let server = try server(coded)
    let request = Request.get(server).with { $0.head.headerFields[.acceptEncoding] = "identity" }
    let response = try await dispatcher.dispatch(request)
    #expect(server.requests.first?.value(of: "Accept-Encoding") == "identity")
    #expect(try await response.body.collect(upTo: 1000) == coded)
    #expect(response.head.headerFields[.contentEncoding] == "gzip")
  }

  @Test("A response to HEAD keeps the fields of the coded body")
  func headRequest() async throws {
    let server = try server([1, 2, 3])
    let request = Request(method: .head, scheme: "http", authority: server.authority, path: "/").with {
      $0.options.acceptedCodings = [.gzip]
    }
    let response = try await dispatcher.dispatch(request)
    #expect(response.head.headerFields[.contentEncoding] == "gzip")
    #expect(response.head.headerFields[.contentLength] == "3")
  }

  @Test("Corrupt and unknown codings are errors")
  func brokenCoding() async throws {
    for coding in ["gzip", "snappy"] {
      let server = try server(Array("no gzip at all".utf8), coding: coding)
      let request = Request.get(server).with { $0.options.acceptedCodings = [.gzip] }
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      #expect(error?.kind == .protocolViolation)
    }
  }

  @Test("A truncated coded body is an error")
  func truncated() async throws {
    let coded = try await GzipCommand.compress(PatternSource.bytes(at: 0, count: 100_000))
    let server = try server(Array(coded.dropLast(20)))
    let request = Request.get(server).with { $0.options.acceptedCodings = [.gzip] }
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .protocolViolation)
    #expect(error?.reason.contains("gzip") == true)
    #expect(error?.requestMayHaveBeenProcessed == true)

    // A reader of a stream learns it where the end should be.
    let response = try await dispatcher.dispatch(request.with { $0.options.delivery = .streamed })
    let late = await failure { () throws(NetworkError) in try await response.body.collect(upTo: .max) }
    #expect(late?.kind == .protocolViolation)
  }

  @Test("E9: Every supported coding is decoded", arguments: ["gzip", "deflate", "br", "zstd"])
  func everyCoding(coding: String) async throws {
    let coded = try await CodedVectors.texts()
    let server = try server(try #require(coded[coding]), coding: coding)
    let request = Request.get(server).with { $0.options.acceptedCodings = [ContentCoding(coding)] }
    let response = try await dispatcher.dispatch(request)
    #expect(server.requests.first?.value(of: "Accept-Encoding") == coding)
    #expect(try await response.body.collect(upTo: 1000) == CodedVectors.text)
    #expect(response.exchange.transport?.contentCoding == ContentCoding(coding))
  }

  @Test("A coded response without a body is empty, not truncated")
  func empty() async throws {
    let server = try server([])
    let request = Request.get(server).with { $0.options.acceptedCodings = [.gzip] }
    #expect(try await dispatcher.dispatch(request).body.collect(upTo: 1) == [])
  }

  @Test("A slow reader of a coded body needs bounded memory, and gets every byte")
  func slowReader() async throws {
    // 8 MiB in a few hundred bytes: one packet, which decodes to many times what the reader's pipe holds.
    let server = try server((0..<8).flatMap { _ in CodedVectors.zstdFrame }, coding: "zstd")
    let request = Request.get(server).with {
      $0.options.acceptedCodings = [.zstd]
      $0.options.delivery = .streamed
    }
    let response = try await dispatcher.dispatch(request)
    guard case .stream(let stream) = response.body else { throw StreamingTests.NotStreamed() }
    var total = 0
    for try await chunk in stream {
      #expect(chunk.count <= (256 << 10) + (64 << 10))
      total += chunk.count
    }
    #expect(total == 8 << 20)
  }

  @Test("E9: A bomb of 100 MiB reaches the limit of decoded bytes", arguments: ["gzip", "br", "zstd"])
  func bomb(coding: String) async throws {
    let bomb =
      switch coding {
      case "gzip": try await GzipCommand.zeros(100 << 20)
      case "br": CodedVectors.brotliBomb
      default: (0..<100).flatMap { _ in CodedVectors.zstdFrame }
      }
    #expect(bomb.count < 200_000)
    let server = try server(bomb, coding: coding)
    let request = Request.get(server).with {
      $0.options.acceptedCodings = [ContentCoding(coding)]
      $0.options.delivery = .buffered(upTo: 1 << 20)
    }
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .bodyTooLarge(limit: 1 << 20))

    let streamed = request.with {
      $0.options.delivery = .streamed
      $0.options.streamLimit = 2 << 20
    }
    let response = try await dispatcher.dispatch(streamed)
    let late = await failure { () throws(NetworkError) in try await response.body.collect(upTo: .max) }
    #expect(late?.kind == .bodyTooLarge(limit: 2 << 20))
  }
}
