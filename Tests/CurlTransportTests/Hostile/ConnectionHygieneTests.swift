import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

/// Bytes after a response must never be read as the next response.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionHygieneTests {
  private static let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"

  @Test("Bytes beyond the announced length are not the next response")
  func extraBytes() async throws {
    let server = try ScriptedServer(raw: { request, wire in
      let tail = request.connection == 1 ? Self.forged : ""
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok\(tail)")
      wire.stayOpen()
    })
    let dispatcher = CurlDispatcher()
    for _ in 0..<2 {
      let response = try await dispatcher.dispatch(.get(server))
      #expect(try await response.body.collect(upTo: 100) == Array("ok".utf8))
    }
    #expect(server.counts.accepted == 2)
  }

  @Test("An unexpected response on an idle connection is not the next one")
  func unexpectedResponse() async throws {
    let (isForged, gate) = (Watched(false), Gate())
    let server = try ScriptedServer(raw: { request, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      if request.connection == 1 {
        gate.wait()
        try wire.send(Self.forged)
        isForged.update { $0 = true }
      }
      wire.stayOpen()
    })
    let dispatcher = CurlDispatcher()
    _ = try await dispatcher.dispatch(.get(server))
    gate.open()
    try await isForged.wait { $0 }
    let next = try await dispatcher.dispatch(.get(server))
    #expect(try await next.body.collect(upTo: 100) == Array("ok".utf8))
    #expect(server.counts.accepted == 2)
  }

  @Test("An unexpected response prevents the reuse of a TLS connection as well")
  func unaskedUnderTLS() async throws {
    let bench = try await TLSPeerBench([])
    let requests = { @Sendable (bytes: [UInt8]) in
      String(decoding: bytes, as: UTF8.self).split(separator: "\r\n\r\n").count
    }
    let first = bench.start()
    try await bench.peer.received.wait { requests($0) == 1 }
    try bench.peer.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
    #expect(try await first.value.get() == Array("ok".utf8))
    #expect(OpenSockets.count(to: bench.peer.port) == 1)
    try bench.peer.send(Array(Self.forged.utf8))
    // Before libcurl 8.1 the poller closes the connection; later ones check for bytes before they reuse it.
    try await waitUntil("the connection is closed or has unread bytes") {
      OpenSockets.count(to: bench.peer.port) == 0 || OpenSockets.unreadBytes(from: bench.peer.port) > 0
    }
    let second = bench.start()
    try await bench.peer.received.wait { requests($0) == 2 }
    try bench.peer.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes".utf8))
    #expect(try await second.value.get() == Array("yes".utf8))
  }

  @Test(
    "A body where none is allowed is not the next response",
    arguments: [("GET", 204), ("GET", 304), ("HEAD", 200)])
  func forbiddenBody(method: String, status: Int) async throws {
    let server = try ScriptedServer(raw: { request, wire in
      let body = request.connection == 1 ? Self.forged : ""
      try wire.send("HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      wire.stayOpen()
    })
    let dispatcher = CurlDispatcher()
    let method = try #require(HTTPRequest.Method(method))
    for _ in 0..<2 {
      let response = try await dispatcher.dispatch(
        Request(method: method, scheme: "http", authority: server.authority, path: "/"))
      #expect(response.status.code == status)
      #expect(try await response.body.collect(upTo: 100) == [])
    }
  }

  @Test("A connection is closed if the server says so")
  func close() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
      wire.waitForClose()
    })
    let dispatcher = CurlDispatcher()
    for count in 1...2 {
      _ = try await dispatcher.dispatch(.get(server))
      try await server.wait { $0.closed == count }
    }
    #expect(server.counts.accepted == 2)
  }
}
