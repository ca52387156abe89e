import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

@testable import CurlTransport

@Suite("Uploads that wait for the window of their connection", .timeLimit(.minutes(5)))
struct BlockedUploadTests {
  /// Why libcurl runs another transfer of the connection, which then reads the frame.
  enum Reason: CaseIterable {
    /// The other request is new.
    case starts
    /// The source of the other request's body has bytes again.
    case continues
  }

  /// Which windows keep the server from receiving all content.
  enum Window: CaseIterable { case ofConnection, ofStream, ofBoth }

  @Test(
    "An upload continues although it is another request that reads that a window has grown",
    .enabled(if: !UploadIsolation.isNeeded(by: .loaded()), "it needs libcurl 8.1"),
    arguments: Reason.allCases, Window.allCases)
  func unnoticedWindow(_ reason: Reason, _ window: Window) async throws {
    let bench = try await TLSPeerBench()
    let (peer, mailbox, length) = (bench.peer, bench.dispatcher.owner.mailbox, 300_000)
    let (chunks, source) = AsyncStream.makeStream(of: [UInt8].self)
    var other: Task<[UInt8], any Error>?
    if reason == .continues {
      source.yield([1])
      other = send(.post, .sequence(length: 2, chunks), over: bench)
      try await peer.waitForRequest(1)
    }
    let upload = send(.put, .bytes([UInt8](repeating: 7, count: length)), over: bench)
    let requests = other == nil ? 1 : 2
    let stream = try #require(await peer.waitForRequest(requests)).stream
    // At first each window has 65,535 bytes.
    let wide: [UInt8] = [0, 0x10, 0, 0]
    let widths = [HTTP2Frame(type: 8, payload: wide), HTTP2Frame(type: 8, stream: stream, payload: wide)]
    try peer.send(.settings, .settingsAcknowledged)
    if window == .ofStream { try peer.send(widths[0]) }
    if window == .ofConnection { try peer.send(widths[1]) }
    try await peer.received.wait { HTTP2Frame.parse($0).contains { $0.frame == .settingsAcknowledged } }
    let shared = window == .ofStream ? 0 : requests - 1
    try await waitForContent(65_535 - shared, on: stream, of: peer)
    try await waitUntil("all frames were read") { OpenSockets.unreadBytes(from: peer.port) == 0 }

    // The loop has the command by which libcurl runs the other transfer, and is then held up.
    let (gates, held) = ([Gate(), Gate()], Watched(0))
    defer { for gate in gates { gate.open() } }
    func holdUp(_ gate: Gate) {
      _ = Task(executorPreference: mailbox) {
        held.update { $0 += 1 }
        gate.wait(upTo: 20)
      }
    }
    holdUp(gates[0])
    try await held.wait { $0 == 1 }
    if reason == .starts { other = send(.get, .empty, over: bench) }
    source.yield([2])
    source.finish()
    try await waitUntil("the loop has a command") { mailbox.isFilled }
    holdUp(gates[1])
    gates[0].open()
    try await held.wait { $0 == 2 }
    switch window {
    case .ofConnection: try peer.send(widths[0])
    case .ofStream: try peer.send(widths[1])
    case .ofBoth: try peer.send(widths[0], widths[1])
    }
    try await waitUntil("the frame has arrived") { OpenSockets.unreadBytes(from: peer.port) > 0 }
    gates[1].open()

    // Nothing else is received until the server has all content.
    try await waitForContent(length, on: stream, of: peer)
    let otherStream = try #require(await peer.waitForRequest(reason == .starts ? 2 : 1)).stream
    for (stream, text) in [(stream, "up"), (otherStream, "other")] {
      try peer.send(.head(stream: stream), .data(text, stream: stream, isLast: true))
    }
    #expect(try await upload.value == Array("up".utf8))
    #expect(try await other?.value == Array("other".utf8))
    #expect(await bench.dispatcher.census().isEmpty)
  }

  private func send(
    _ method: HTTPRequest.Method, _ body: RequestBody, over bench: TLSPeerBench
  ) -> Task<[UInt8], any Error> {
    let request = Request(method: method, authority: "127.0.0.1:\(bench.peer.port)", path: "/", body: body)
      .with { $0.options.timeouts = .init(connect: .seconds(60), idle: nil, whole: .seconds(60)) }
    return Task { [dispatcher = bench.dispatcher] in
      try await dispatcher.dispatch(request).body.collect(upTo: 1_000)
    }
  }

  /// Waits until a peer has received content of a length on a stream.
  private func waitForContent(_ length: Int, on stream: UInt32, of peer: TLSPeer) async throws {
    try await peer.received.wait { bytes in
      HTTP2Frame.parse(bytes).filter { $0.frame.type == 0 && $0.frame.stream == stream }
        .reduce(0) { $0 + $1.frame.payload.count } >= length
    }
  }

  @Test("An upload is run again at a common time 250 to 500 ms after it departed, took content or was run")
  func times() {
    for (now, next) in [(0, 500), (1, 500), (249, 500), (250, 750), (499, 750), (3_600_000, 3_600_500)] {
      var blockage = BlockedUpload()
      _ = blockage.advance(at: .milliseconds(now))
      #expect(blockage.alarm == nil)
      blockage.depart(at: .milliseconds(now))
      #expect(blockage.alarm?.time == .milliseconds(next))
      _ = blockage.advance(at: .milliseconds(now + 250))
      #expect(blockage.alarm?.time == .milliseconds(next + 250))
      blockage.runAgain(at: .milliseconds(now + 500))
      #expect(blockage.alarm?.time == .milliseconds(next + 500))
    }
  }

  @Test("What libcurl takes when it is run is no progress, and an upload of which it holds nothing isn't run")
  func progress() {
    var blockage = BlockedUpload()
    blockage.depart(at: .zero)
    blockage.runAgain(at: .milliseconds(500))
    var isProgress = [Duration.milliseconds(500), .milliseconds(501)].map { blockage.advance(at: $0) }
    #expect(isProgress == [false, true])
    blockage.rest()
    #expect(blockage.alarm == nil)
    isProgress = [blockage.advance(at: .seconds(9))]
    #expect(isProgress == [true] && blockage.alarm != nil)
    blockage.end()
    #expect(blockage.alarm == nil)
  }
}
