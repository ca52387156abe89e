import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct StreamingTests {
  static let size = 64 << 20
  let dispatcher = CurlDispatcher()

  private func streamed(_ server: ScriptedServer) -> Request {
    Request.get(server).with {
      $0.options.delivery = .streamed
      $0.options.timeouts.whole = nil
    }
  }

  @Test("E10: An upload of 64 MiB arrives byte for byte", arguments: [true, false])
  func largeUpload(lengthIsKnown: Bool) async throws {
    let received = Watched(0)
    let isIntact = Watched(true)
    let server = try ScriptedServer(raw: { request, wire in
      try wire.readBody(of: request) { bytes in
        let offset = received.update { count in
          defer { count += bytes.count }
          return count
        }
        if !PatternSource.matches(bytes, at: offset) { isIntact.update { $0 = false } }
      }
      try wire.send("HTTP/1.1 204 No Content\r\n\r\n")
    })
    let source = PatternSource(length: Self.size)
    let request = Request(
      method: .put, scheme: "http", authority: server.authority, path: "/",
      body: .once(length: lengthIsKnown ? Int64(Self.size) : nil, source)
    ).with { $0.options.timeouts.whole = nil }
    let response = try await dispatcher.dispatch(request)
    #expect(response.status == .noContent)
    #expect(received.value == Self.size)
    #expect(isIntact.value)
    #expect(response.exchange.transport?.bytes.sent ?? 0 >= Int64(Self.size))
    let seen = try #require(server.requests.first)
    #expect(seen.value(of: "Content-Length") == (lengthIsKnown ? "\(Self.size)" : nil))
    #expect(seen.value(of: "Transfer-Encoding") == (lengthIsKnown ? nil : "chunked"))
  }

  @Test("E10: A slow reader pauses a download, and gets all of it")
  func slowReader() async throws {
    let stalledAt = Watched<Int?>(nil)
    let gate = Gate()
    let clock = TestClock()
    let dispatcher = CurlDispatcher(configuration: .init(), time: TimeSource(clock))
    let bytes = PatternSource.bytes(at: 0, count: Self.size)
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n")
      let sent = try wire.sendUntilStalled(bytes)
      stalledAt.update { $0 = sent }
      gate.wait()
      try wire.send(Array(bytes[sent...]))
    })
    let request = streamed(server).with { $0.options.timeouts.idle = .seconds(60) }
    let response = try await dispatcher.dispatch(request)
    let stalled = try #require(await stalledAt.wait { $0 != nil })
    // The reader's pause is longer than the limit: it is ours, and no silence of the server. The census makes
    // the thread look at the clock.
    clock.advance(by: .seconds(120))
    #expect(await dispatcher.census().streams == 1)
    // 256 KiB of ours and the two sockets' buffers, which the system lets grow to some megabytes.
    #expect(stalled < 16 << 20)
    #expect(response.body.length == Int64(Self.size))
    gate.open()
    guard case .stream(let stream) = response.body else { throw NotStreamed() }
    var count = 0
    var largest = 0
    for try await chunk in stream {
      #expect(PatternSource.matches(chunk, at: count))
      count += chunk.count
      largest = max(largest, chunk.count)
    }
    #expect(count == Self.size)
    // The high water mark and the last piece that libcurl brought.
    #expect(largest <= (256 << 10) + (16 << 10))
    #expect(stream.ending.transport?.bytes.decoded == Int64(Self.size))
  }

  @Test("Releasing an unread stream closes its connection")
  func releasedStream() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\n\r\n")
      while true { try wire.send([UInt8](repeating: 1, count: 64 << 10)) }
    })
    do { _ = try await dispatcher.dispatch(streamed(server)) }
    try await server.wait { $0.closed == 1 }
  }

  @Test("Releasing a partly read stream closes its connection and frees its place")
  func partlyReadStream() async throws {
    let narrow = CurlDispatcher(configuration: .init(limits: .init(total: 1)))
    let server = try ScriptedServer(raw: { request, wire in
      try wire.send("HTTP/1.1 200 OK\r\n\r\n")
      guard request.target == "/" else { return }
      while true { try wire.send([UInt8](repeating: 1, count: 64 << 10)) }
    })
    do {
      let response = try await narrow.dispatch(streamed(server))
      guard case .stream(let stream) = response.body else { throw NotStreamed() }
      for try await chunk in stream {
        #expect(!chunk.isEmpty)
        break
      }
    }
    let next = try await narrow.dispatch(.get(server, "/next"))
    #expect(next.status == .ok)
    try await server.wait { $0.closed >= 1 }
  }

  @Test("The limit of a streamed response counts bytes as they arrive")
  func streamLimit() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\n\r\n")
      while true { try wire.send([UInt8](repeating: 1, count: 10_000)) }
    })
    let request = streamed(server).with { $0.options.streamLimit = 1_000_000 }
    let response = try await dispatcher.dispatch(request)
    let error = await failure { () throws(NetworkError) in try await response.body.collect(upTo: .max) }
    #expect(error?.kind == .bodyTooLarge(limit: 1_000_000))
    try await server.wait { $0.closed == 1 }
  }

  @Test("A limit that is reached when a paused transfer resumes ends it at once")
  func limitOnResume() async throws {
    // The transfer pauses at the high water mark, and the last byte is one more than the limit.
    let limit: Int64 = 1 << 20
    let body = [UInt8](repeating: 0, count: Int(limit) + 1)
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(String(body.count, radix: 16))\r\n")
      try wire.send(body)
      // Silent from here on, in the middle of the body.
      wire.waitForClose()
    })
    let request = streamed(server).with { $0.options.streamLimit = limit }
    let response = try await dispatcher.dispatch(request)
    let error = await failure { () throws(NetworkError) in try await response.body.collect(upTo: .max) }
    #expect(error?.kind == .bodyTooLarge(limit: limit))
    try await server.wait { $0.closed == 1 }
  }

  @Test("An error of the body's source ends the upload and reaches the caller")
  func sourceError() async throws {
    let server = try ScriptedServer(raw: { request, wire in try wire.readBody(of: request) { _ in } })
    let cause = NetworkError(.rejected, "The disk is gone.")
    let body = RequestBody.restartable(length: nil) { () throws(NetworkError) in
      FailingSource(after: 3, cause)
    }
    let request = Request(method: .post, scheme: "http", authority: server.authority, path: "/", body: body)
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .rejected)
    #expect(error?.reason == "The disk is gone.")
    try await server.wait { $0.closed == $0.accepted }
  }

  @Test("A body of another length than announced fails", arguments: [5, 500])
  func wrongLength(promised: Int64) async throws {
    let server = try ScriptedServer(raw: { request, wire in try wire.readBody(of: request) { _ in } })
    let body = RequestBody.once(length: promised, PatternSource(length: 50, chunk: 10))
    let request = Request(method: .post, scheme: "http", authority: server.authority, path: "/", body: body)
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("\(promised)") == true)
  }

  @Test("A body that was read before is refused before anything is sent")
  func usedBody() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let request = Request(
      method: .post, scheme: "http", authority: server.authority, path: "/",
      body: .once(length: 10, PatternSource(length: 10)))
    _ = try await dispatcher.dispatch(request)
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .bodyNotReplayable)
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(server.counts.requests == 1)
  }

  @Test("A response before the end of an upload ends the upload")
  func earlyResponse() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig")
      wire.waitForClose()
    })
    let source = PatternSource(length: Self.size)
    let request = Request(
      method: .put, scheme: "http", authority: server.authority, path: "/",
      body: .once(length: Int64(Self.size), source))
    let response = try await dispatcher.dispatch(request)
    #expect(response.status.code == 413)
    #expect(try await response.body.collect(upTo: 10) == Array("big".utf8))
  }

  /// A server that answers once on a connection and resets it within the second request's body.
  private func forgetful(_ sizes: Watched<[Int]>) throws -> ScriptedServer {
    try ScriptedServer(raw: { request, wire in
      var size = 0
      let breaks = request.target == "/second" && request.connection == 1
      try wire.readBody(of: request) { bytes in
        size += bytes.count
        if breaks, size > 1000 {
          wire.reset()
          throw WireConnection.Closed()
        }
      }
      let total = size
      sizes.update { $0.append(total) }
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      wire.stayOpen()
    })
  }

  // libcurl sends again if the reset arrives while it sends, and gives up if it arrives while it reads.
  @Test("A PUT of bytes on a dead connection is sent again completely, or fails as possibly processed")
  func bytesOnDeadConnection() async throws {
    let sizes = Watched<[Int]>([])
    let server = try forgetful(sizes)
    _ = try await dispatcher.dispatch(.get(server, "/first"))
    let put = Request(
      method: .put, scheme: "http", authority: server.authority, path: "/second",
      body: .bytes(PatternSource.bytes(at: 0, count: 4 << 20)))
    do throws(NetworkError) {
      #expect(try await dispatcher.dispatch(put).status == .ok)
      #expect(sizes.value == [0, 4 << 20])
    } catch {
      #expect(error.kind == .transport)
      #expect(error.requestMayHaveBeenProcessed)
      #expect(sizes.value == [0])
    }
  }

  @Test("A streamed PUT on a dead connection is not sent again, and fails as possibly processed")
  func streamOnDeadConnection() async throws {
    let server = try forgetful(Watched([]))
    _ = try await dispatcher.dispatch(.get(server, "/first"))
    let put = Request(
      method: .put, scheme: "http", authority: server.authority, path: "/second",
      body: .once(length: 4 << 20, PatternSource(length: 4 << 20)))
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(put) }
    #expect(error?.kind == .bodyNotReplayable || error?.kind == .transport)
    #expect(error?.requestMayHaveBeenProcessed == true)
    #expect(server.requests.count { $0.target == "/second" } <= 2)
  }

  struct NotStreamed: Error {}
}

/// A body that breaks after some chunks.
private struct FailingSource: ByteSource {
  private let left: Watched<Int>
  private let cause: NetworkError

  init(after chunks: Int, _ cause: NetworkError) {
    left = Watched(chunks)
    self.cause = cause
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    let isOver = left.update { left in
      left -= 1
      return left < 0
    }
    if isOver { throw cause }
    return [1, 2, 3]
  }

  func cancel() {}
}
