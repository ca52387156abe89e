import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

/// Peers that break off streams and connections of HTTP/2, or its rules.
@Suite(.timeLimit(.minutes(5)))
struct HTTP2FaultTests {
  @Test func `a stream reset within the body breaks its answer, and no other one's connection`() async throws
  {
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

  @Test func `GOAWAY within the body lets the answer end, and its connection takes no other request`()
    async throws
  {
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

  @Test func `an end of the connection after GOAWAY, within the body, is a broken answer`() async throws {
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

  @Test("An end of the connection before the answer is a broken connection, and no broken framing")
  func endBeforeAnswer() async throws {
    let bench = try await TLSPeerBench()
    let task = bench.start(.post)
    await bench.peer.waitForRequest(1)
    try bench.peer.send(.settings)
    bench.peer.stop()
    let error = try #require(await bench.error(task))
    #expect(error.kind == .transport, "\(error)")
    #expect(error.requestMayHaveBeenProcessed)
    #expect(await bench.dispatcher.census().isEmpty)
  }

  @Test(arguments: [HTTPRequest.Method.get, .post])
  func `a peer that refuses every stream ends in an error, after a handful of attempts`(
    method: HTTPRequest.Method
  ) async throws {
    let bench = try await TLSPeerBench()
    let peer = bench.peer
    let task = bench.start(method)
    let refusing = Task {
      var count = 0
      while !Task.isCancelled, let request = await peer.waitForRequest(count + 1) {
        count += 1
        try peer.send(.settings, .reset(stream: request.stream, code: 7))
      }
    }
    let error = try #require(await bench.error(task))
    refusing.cancel()
    #expect(error.kind == .transport, "\(error)")
    // libcurl 7.88 sends it five times over new connections, and its last word says nothing of the refusals;
    // a POST is not sent again, and why its connection went isn't told either. Both marks err on the careful
    // side.
    withKnownIssue { #expect(!error.requestMayHaveBeenProcessed) }
  }

  @Test func `frames that break the rules break the connection, at once`() async throws {
    let lies: [[UInt8]] = [
      // DATA on the stream of the connection, a frame beyond the largest size, garbage.
      HTTP2Frame(type: 0, stream: 0, payload: [1]).bytes,
      [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 100),
      Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8),
    ]
    let namesFault = LoadedLibrary.loaded().version >= LibraryVersion(8, 1)
    for lie in lies {
      let bench = try await TLSPeerBench()
      let task = bench.start()
      await bench.peer.waitForRequest(1)
      try bench.peer.send(HTTP2Frame.settings.bytes + lie)
      let error = try #require(await bench.error(task))
      // libcurl before 8.1 says no more than that there was no answer.
      #expect(error.kind == (namesFault ? .protocolViolation : .transport), "\(error)")
      #expect(error.requestMayHaveBeenProcessed)
      #expect(await bench.dispatcher.census().isEmpty)
    }
  }

  @Test func `a refusal that comes whole is an answer, though the stream is closed under the content`()
    async throws
  {
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

  @Test func `a body of another length than announced is a broken answer`() async throws {
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
