import FlyingSocks
import Foundation
import HTTPServing
import HTTPTypes
import Synchronization
import Testing

@Suite("The server on a loopback port", .timeLimit(.minutes(5)))
struct LoopbackServerTests {
  /// Echoes the method, the authority, the target and the body's size.
  private func withServer(_ body: @escaping @Sendable (UInt16) async throws -> Void) async throws {
    let server = LoopbackServer(port: 0, scheme: "https", bodyLimit: 5000) { request in
      let head = request.head
      let text = "\(head.method) \(head.scheme ?? "") \(head.authority ?? "") \(head.path ?? "")"
      return ServerResponse(.ok, fields: [.vary: "A"], body: Array("\(text) \(request.body.count)".utf8))
    }
    try await server.serve(body)
  }

  /// Sends bytes and reads until the server closes the connection.
  private func exchange(_ port: UInt16, _ text: String) async throws -> String {
    let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port))
    defer { try? socket.close() }
    try await socket.write(Data(text.utf8))
    var received: [UInt8] = []
    do {
      while true { received += try await socket.read(atMost: 4096) }
    } catch SocketError.disconnected {}
    return String(decoding: received, as: UTF8.self)
  }

  @Test("A request arrives as it was sent, and its response goes back with its length")
  func exchange() async throws {
    try await withServer { port in
      let answer = try await exchange(
        port, "GET /a%2fb/../c?d=%20 HTTP/1.1\r\nHost: x.test:1\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.contains("\r\nVary: A\r\n"))
      #expect(answer.contains("\r\nContent-Length: 38\r\n"))
      #expect(answer.hasSuffix("\r\n\r\nGET https x.test:1 /a%2fb/../c?d=%20 0"))
    }
  }

  @Test("A response to HEAD names the length of the body that it omits")
  func head() async throws {
    try await withServer { port in
      let answer = try await exchange(port, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(answer.contains("Content-Length: 16\r\n") && answer.hasSuffix("\r\n\r\n"))
    }
  }

  @Test(
    "Of a body beyond the limit one byte more is kept, and the rest is not taken for the next request",
    arguments: [5000, 5001, 9000, 3 << 20])
  func longBody(size: Int) async throws {
    try await withServer { port in
      let body = String(repeating: "x", count: size)
      let chunk = String(size, radix: 16)
      for framing in [
        "Content-Length: \(size)\r\n\r\n\(body)",
        "Transfer-Encoding: chunked\r\n\r\n\(chunk)\r\n\(body)\r\n0\r\n\r\n",
      ] {
        let answer = try await exchange(
          port,
          "POST /1 HTTP/1.1\r\nHost: x\r\n\(framing)GET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(answer.contains("POST https x /1 \(min(size, 5001))"))
        #expect(answer.hasSuffix("GET https x /2 0"))
      }
    }
  }

  /// Notes that it was released.
  private final class Token: Sendable {
    private let onRelease: AsyncStream<Void>.Continuation

    init(_ onRelease: AsyncStream<Void>.Continuation) { self.onRelease = onRelease }

    deinit { onRelease.finish() }
  }

  @Test("A streamed body is sent part by part, and released at its end and when the client has gone away")
  func streams() async throws {
    let (released, onRelease) = AsyncStream.makeStream(of: Void.self)
    let server = LoopbackServer(port: 0, scheme: "http", bodyLimit: 0) { request in
      guard request.path == "/endless" else {
        let parts = Mutex(["one", "two"])
        return ServerResponse(
          .ok,
          stream: StreamedBody { parts.withLock { $0.isEmpty ? nil : Array($0.removeFirst().utf8) } })
      }
      let token = Token(onRelease)
      return ServerResponse(.ok, stream: StreamedBody { withExtendedLifetime(token) { Array("part".utf8) } })
    }
    try await server.serve { port in
      let whole = try await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(whole.lowercased().contains("\r\ntransfer-encoding: chunked\r\n"))
      #expect(whole.hasSuffix("\r\n\r\n03\r\none\r\n03\r\ntwo\r\n0\r\n\r\n"))
      let head = try await exchange(port, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(head.hasSuffix("\r\n\r\n") && !head.contains("one"))
      let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port))
      try await socket.write(Data("GET /endless HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
      _ = try await socket.read(bytes: 1_000)
      try socket.close()
      for await _ in released {}
    }
  }

  @Test("A taken port is reported with what to do")
  func taken() async throws {
    try await withServer { port in
      let second = LoopbackServer(port: port, scheme: "http", bodyLimit: 0) { _ in ServerResponse(.ok) }
      let error = await #expect(throws: ServingError.self) { try await second.serve { _ in } }
      #expect(error == .portTaken(port))
      #expect(error?.description.contains("--port") == true)
    }
  }

  @Test("A request in flight is answered before the server stops")
  func drains() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let server = LoopbackServer(port: 0, scheme: "http", bodyLimit: 0) { _ in
      arrival.yield()
      try? await Task.sleep(for: .seconds(1))  // clock: longer than an idle server takes to stop
      return ServerResponse(.ok, body: Array("late".utf8))
    }
    let (answers, answer) = AsyncStream.makeStream(of: String.self)
    try await server.serve { port in
      Task {
        defer { answer.finish() }
        answer.yield(try await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
      }
      for await _ in arrivals { break }
    }
    var iterator = answers.makeAsyncIterator()
    #expect(await iterator.next()?.hasSuffix("\r\n\r\nlate") == true)
  }

  @Test("The server stops when its body returns or throws, or when its task is cancelled")
  func stops() async throws {
    struct Planted: Error {}
    await #expect(throws: Planted.self) { try await withServer { _ in throw Planted() } }
    let (ports, listening) = AsyncStream.makeStream(of: UInt16.self)
    let running = Task {
      try await withServer { port in
        listening.yield(port)
        try await Task.sleep(for: .seconds(3600))  // clock: it is cancelled
      }
    }
    for await port in ports {
      running.cancel()
      await #expect(throws: CancellationError.self) { try await running.value }
      await #expect(throws: SocketError.self) { try await exchange(port, "GET / HTTP/1.1\r\n\r\n") }
      break
    }
  }
}
