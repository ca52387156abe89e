import CurlTransport
import Interception
import LoopbackServing
import Testing

/// Bodies of a few hundred bytes that decode to 100 MiB, in any coding.
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

  private func server(_ bomb: Bomb) async throws -> ScriptedServer {
    let bytes = try await bomb.bytes()
    #expect(bytes.count <= bomb.mostBytes)
    return try ScriptedServer { _ in
      ScriptedReply(fields: [("Content-Encoding", bomb.coding)], body: bytes)
    }
  }

  @Test("E9: A buffered bomb reaches the limit of decoded bytes", arguments: bombs)
  func buffered(bomb: Bomb) async throws {
    let server = try await server(bomb)
    let dispatcher = CurlDispatcher()
    let request = Request.get(server).with {
      $0.options.acceptedCodings = [.gzip, .brotli, .zstd]
      $0.options.timeouts.whole = .seconds(120)
      $0.options.delivery = .buffered(upTo: 1 << 20)
    }
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .bodyTooLarge(limit: 1 << 20))
    #expect(error?.requestMayHaveBeenProcessed == true)
    #expect(await dispatcher.census().isEmpty)
  }

  @Test("E9: A streamed bomb reaches its limit, and its reader holds bounded memory", arguments: bombs)
  func streamed(bomb: Bomb) async throws {
    let server = try await server(bomb)
    let dispatcher = CurlDispatcher()
    let request = Request.get(server).with {
      $0.options.acceptedCodings = [.gzip, .brotli, .zstd]
      $0.options.timeouts.whole = .seconds(120)
      $0.options.delivery = .streamed
      $0.options.streamLimit = 2 << 20
    }
    let response = try await dispatcher.dispatch(request)
    guard case .stream(let stream) = response.body else { throw StreamingTests.NotStreamed() }
    var (count, largest) = (0, 0)
    let error = await failure { () throws(NetworkError) in
      let source = try stream.claim()
      while let chunk = try await source.read() {
        count += chunk.count
        largest = max(largest, chunk.count)
      }
    }
    #expect(error?.kind == .bodyTooLarge(limit: 2 << 20), "\(String(describing: error))")
    #expect(count <= 2 << 20)
    #expect(largest <= (256 << 10) + (64 << 10))
    #expect(await dispatcher.census().isEmpty)
  }

  @Test("E9: A bomb within the limits arrives completely", arguments: bombs)
  func complete(bomb: Bomb) async throws {
    let server = try await server(bomb)
    let request = Request.get(server).with {
      $0.options.acceptedCodings = [.gzip, .brotli, .zstd]
      $0.options.timeouts.whole = .seconds(120)
      $0.options.delivery = .buffered(upTo: CodedBomb.size)
    }
    let response = try await CurlDispatcher().dispatch(request)
    #expect(response.body.length == Int64(CodedBomb.size))
  }
}
