import BodyCompression
import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// Bodies of a few hundred bytes that decode to 100 MiB, in any coding, over real connections.
@Suite(.timeLimit(.minutes(5)))
struct BombTests {
  struct Bomb: Sendable, CustomTestStringConvertible {
    /// The value of `Content-Encoding`.
    let coding: String
    let bytes: @Sendable () async throws -> [UInt8]
    let mostBytes: Int

    var testDescription: String { coding }
  }

  static let bombs = [
    Bomb(coding: "br", bytes: { CodedBomb.brotli }, mostBytes: 100),
    Bomb(coding: "zstd", bytes: { CodedBomb.zstd }, mostBytes: 3300),
    Bomb(coding: "gzip", bytes: { try await CodedBomb.gzip() }, mostBytes: 102_000),
    Bomb(
      coding: "gzip, gzip", bytes: { try await GzipCommand.compress(CodedBomb.gzip()) }, mostBytes: 1000),
  ]

  private let pipeline: Pipeline

  init() throws {
    pipeline = try Pipeline(over: CurlDispatcher()) {
      CompressionInterceptor(limits: ResponseLimits(buffered: CodedBomb.size, ratio: nil))
    }
  }

  /// Returns a server that sends the bomb, and a request to it.
  private func request(_ bomb: Bomb, _ delivery: RequestOptions.Delivery) async throws -> (
    ScriptedServer, Request
  ) {
    let bytes = try await bomb.bytes()
    #expect(bytes.count <= bomb.mostBytes)
    let server = try ScriptedServer { _ in
      ScriptedReply(fields: [("Content-Encoding", bomb.coding)], body: bytes)
    }
    var request = Request(scheme: "http", authority: server.authority, path: "/")
    request.options.timeouts.whole = .seconds(120)
    request.options.delivery = delivery
    return (server, request)
  }

  @Test("E9: A buffered bomb reaches the limit of decoded bytes", arguments: bombs)
  func buffered(bomb: Bomb) async throws {
    let (server, request) = try await request(bomb, .buffered(upTo: 1 << 20))
    let error = await #expect(throws: NetworkError.self) { try await pipeline.send(request) }
    #expect(error?.kind == .bodyTooLarge(limit: 1 << 20))
    #expect(error?.requestMayHaveBeenProcessed == true)
    #expect(server.requests.count == 1)
  }

  @Test("E9: A streamed bomb reaches its limit, and its reader holds bounded memory", arguments: bombs)
  func streamed(bomb: Bomb) async throws {
    let (server, request) = try await request(bomb, .streamed)
    var limited = request
    limited.options.streamLimit = 2 << 20
    let response = try await pipeline.send(limited)
    guard case .stream(let stream) = response.body else {
      Issue.record("The stream was turned into bytes.")
      return
    }
    var (count, largest) = (0, 0)
    let error = await #expect(throws: NetworkError.self) {
      let source = try stream.claim()
      while let chunk = try await source.read() {
        count += chunk.count
        largest = max(largest, chunk.count)
      }
    }
    #expect(error?.kind == .bodyTooLarge(limit: 2 << 20), "\(String(describing: error))")
    #expect(count <= 2 << 20)
    #expect(largest <= 64 << 10)
    #expect(server.requests.count == 1)
  }

  @Test("E9: A bomb within the limits arrives completely", arguments: bombs)
  func complete(bomb: Bomb) async throws {
    let (server, request) = try await request(bomb, .buffered(upTo: CodedBomb.size))
    #expect(try await pipeline.send(request).body.length == Int64(CodedBomb.size))
    #expect(server.requests.count == 1)
  }
}
