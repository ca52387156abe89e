import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

/// Peers that reset streams, close connections or violate HTTP/2.
@Suite(.timeLimit(.minutes(5)))
struct HTTP2FaultTests {
  @Test("A stream reset within the body fails its response and leaves the connection open")
  func streamReset() async throws {
    let bench = try await TLSPeerBench()
    let peer = bench.peer
    let broken = bench.start()
    let first = try #require(await peer.waitForRequest(1))
    try peer.send(
      .settings, .settingsAcknowledged, .head(stream: first.stream, length: 9),
      .data("half", stream: first.stream),
      .reset(stream: first.stream, code: 2))
    let error = try #require(await bench.error(broken))
    #expect(error.kind == .transport, "\(error)")
    #expect(error.requestMayHaveBeenProcessed)
    #expect(!error.reason.contains("secret"))

    let next = bench.start()
    let second = try #require(await peer.waitForRequest(2))
    #expect(second.connection == 1)
    try peer.send(.head(stream: second.stream), .data("ok", stream: second.stream, isLast: true))
    #expect(try await next.value.get() == Array("ok".utf8))
    #expect(await bench.dispatcher.census().isEmpty)
  }

  @Test("After GOAWAY a response can finish, but its connection takes no more requests")
  func goAway() async throws {
    let bench = try await TLSPeerBench()
    let peer = bench.peer
    let task = bench.start()
    let first = try #require(await peer.waitForRequest(1))
    try peer.send(
      .settings, .settingsAcknowledged, .head(stream: first.stream, length: 4),
      .data("ha", stream: first.stream),
      .goAway(last: first.stream), .data("lf", stream: first.stream, isLast: true))
    #expect(try await task.value.get() == Array("half".utf8))

    let next = bench.start()
    let second = try #require(await peer.waitForRequest(2))
    #expect(second.connection == 2)
    try peer.send(.settings, .head(stream: second.stream), .data("ok", stream: second.stream, isLast: true))
    #expect(try await next.value.get() == Array("ok".utf8))
  }

  @Test("The end of the connection within a body after GOAWAY is a broken response")
  func endAfterGoAway() async throws {
    let bench = try await TLSPeerBench()
    let peer = bench.peer
    let task = bench.start()
    let first = try #require(await peer.waitForRequest(1))
    try peer.send(
      .settings, .head(stream: first.stream, length: 9), .data("half", stream: first.stream),
      .goAway(last: first.stream, code: 2))
    peer.stop()
    let error = try #require(await bench.error(task))
    #expect(error.kind == .transport, "\(error)")
    #expect(error.requestMayHaveBeenProcessed)
    #expect(await bench.dispatcher.census().isEmpty)
  }

  @Test("The end of the connection before the response is a transport error, not a protocol violation")
  func endBeforeAnswer() async throws {
    let bench = try await TLSPeerBench()
    let task = bench.start(.post)
    try await bench.peer.waitForRequest(1)
    try bench.peer.send(.settings)
    bench.peer.stop()
    let error = try #require(await bench.error(task))
    #expect(error.kind == .transport, "\(error)")
    #expect(error.requestMayHaveBeenProcessed)
    #expect(await bench.dispatcher.census().isEmpty)
  }

  @Test("A status of 101 over HTTP/2, which has no upgrades, is a protocol violation")
  func upgrade() async throws {
    let bench = try await TLSPeerBench()
    let task = bench.start()
    let request = try #require(await bench.peer.waitForRequest(1))
    try bench.peer.send(.settings, .settingsAcknowledged, .head(stream: request.stream, status: 101))
    let error = try #require(await bench.error(task))
    #expect(error.kind == .protocolViolation, "\(error)")
  }

  @Test("Invalid frames end the connection at once")
  func invalidFrames() async throws {
    let lies: [[UInt8]] = [
      // DATA on stream 0, a frame beyond the maximum size, garbage.
      HTTP2Frame(type: 0, stream: 0, payload: [1]).bytes,
      [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 100),
      Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8),
    ]
    let namesFault = LoadedLibrary.loaded().version >= LibraryVersion(8, 1)
    for lie in lies {
      let bench = try await TLSPeerBench()
      let task = bench.start()
      try await bench.peer.waitForRequest(1)
      try bench.peer.send(HTTP2Frame.settings.bytes + lie)
      let error = try #require(await bench.error(task))
      // libcurl before 8.1 only reports that there was no response.
      #expect(error.kind == (namesFault ? .protocolViolation : .transport), "\(error)")
      #expect(error.requestMayHaveBeenProcessed)
      #expect(await bench.dispatcher.census().isEmpty)
    }
  }

  @Test("A complete refusal is a response, although the stream is closed within the content")
  func completeRefusal() async throws {
    let bench = try await TLSPeerBench()
    let source = HaltingSource()
    let upload = Request(
      method: .put, authority: "127.0.0.1:\(bench.peer.port)", path: "/",
      body: .once(length: HaltingSource.length, source)
    ).with {
      $0.options.timeouts = .init(connect: .seconds(60), whole: .seconds(120))
      $0.options.delivery = .streamed
    }
    let task = Task { try await bench.dispatcher.dispatch(upload) }
    let request = try #require(await bench.peer.waitForRequest(1))
    await source.waitUntilHalted()
    try bench.peer.send(
      .settings, .settingsAcknowledged, .head(stream: request.stream, status: 413, length: 2),
      .data("no", stream: request.stream, isLast: true))
    let response = try await task.value
    #expect(response.status.code == 413)
    try bench.peer.send(.reset(stream: request.stream, code: 0))
    source.goOn()
    #expect(try await response.body.collect(upTo: 10) == Array("no".utf8))
    #expect(await bench.dispatcher.census().isEmpty)
  }

  @Test("A body of another length than announced is a broken response")
  func wrongLength() async throws {
    for (text, length) in [("half", 9), ("too much", 2)] {
      let bench = try await TLSPeerBench()
      let task = bench.start()
      let request = try #require(await bench.peer.waitForRequest(1))
      try bench.peer.send(
        .settings, .head(stream: request.stream, length: length),
        .data(text, stream: request.stream, isLast: true))
      let error = try #require(await bench.error(task))
      #expect([.transport, .protocolViolation].contains(error.kind), "\(error)")
      #expect(error.requestMayHaveBeenProcessed)
    }
  }
}
