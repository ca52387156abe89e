import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

/// Servers that refuse requests over HTTP/2 before they process them (RFC 9113, sections 6.8 and 8.7).
@Suite(.timeLimit(.minutes(5)))
struct RefusedStreamTests {
  /// How a server refuses a stream.
  enum Refusal: CaseIterable, Sendable {
    case reset
    case goAway
    case goAwayWithError
    case goAwayThenReset

    /// The frames that refuse a stream; the one before it is not affected.
    func frames(_ stream: UInt32) -> [HTTP2Frame] {
      let last = stream < 2 ? 0 : stream - 2
      return switch self {
      case .reset: [.reset(stream: stream, code: 7)]
      case .goAway: [.goAway(last: last)]
      case .goAwayWithError: [.goAway(last: last, code: 11)]
      case .goAwayThenReset: [.goAway(last: stream), .reset(stream: stream, code: 7)]
      }
    }
  }

  /// Bodies that can be sent again.
  enum Body: CaseIterable, Sendable {
    case none
    case bytes
    case restartable
    case unknownLength

    static let size = 40_000

    var body: RequestBody {
      switch self {
      case .none: .empty
      case .bytes: .bytes(PatternSource.bytes(at: 0, count: Self.size))
      case .restartable: .restartable(length: Int64(Self.size)) { PatternSource(length: Self.size) }
      case .unknownLength: .restartable(length: nil) { PatternSource(length: Self.size) }
      }
    }
  }

  private let settings: [HTTP2Frame] = [.settings, .settingsAcknowledged]

  private func request(_ bench: TLSPeerBench, _ body: RequestBody, _ method: HTTPRequest.Method = .post)
    -> Request
  {
    Request(method: method, authority: "127.0.0.1:\(bench.peer.port)", path: "/?secret", body: body).with {
      $0.options.timeouts = .init(connect: .seconds(60), whole: .seconds(120))
    }
  }

  private func start(_ request: Request, _ bench: TLSPeerBench) -> Task<Result<[UInt8], NetworkError>, Never>
  {
    Task {
      do throws(NetworkError) {
        return .success(try await bench.dispatcher.dispatch(request).body.collect(upTo: 1000))
      } catch {
        return .failure(error)
      }
    }
  }

  /// The content of the requests of one connection, in the order of its frames.
  private func content(_ bench: TLSPeerBench, connection: Int) -> [UInt8] {
    Self.content(of: bench.peer.received.value, connection: connection)
  }

  private static func content(of received: [UInt8], connection: Int) -> [UInt8] {
    HTTP2Frame.parse(received).filter { $0.connection == connection && $0.frame.type == 0 }
      .flatMap(\.frame.payload)
  }

  /// Waits until the content of a request has arrived on a connection, and its end: libcurl fails an upload
  /// whose stream is closed while it has more to send.
  private func waitForContent(_ body: Body, _ bench: TLSPeerBench, connection: Int) async throws {
    guard body != .none else { return }
    _ = try await bench.peer.received.wait { received in
      HTTP2Frame.parse(received).contains {
        $0.connection == connection && $0.frame.type == 0 && $0.frame.flags & 1 == 1
      } && Self.content(of: received, connection: connection).count >= Body.size
    }
  }

  /// Opens a connection with a first request if there is to be one; returns the number of requests so far.
  private func open(_ bench: TLSPeerBench, isReused: Bool) async throws -> Int {
    guard isReused else { return 0 }
    let task = bench.start()
    let first = try #require(await bench.peer.waitForRequest(1))
    try bench.peer.send(
      (settings + [.head(stream: first.stream), .data("ok", stream: first.stream, isLast: true)]).flatMap(
        \.bytes))
    #expect(try await task.value.get() == Array("ok".utf8))
    return 1
  }

  /// What becomes of a POST that is refused once.
  enum Outcome {
    case isSentAgain
    case failsUnprocessed
    case failsPossiblyProcessed
  }

  private static let showsAll = LoadedLibrary.loaded().version >= LibraryVersion(8, 1)

  /// Whether libcurl sends a request again that GOAWAY has refused with an error.
  private static let sendsAfterFailedGoAway = LoadedLibrary.loaded().version < LibraryVersion(8, 23)

  /// What the loaded libcurl shows of a refusal.
  private func outcome(of refusal: Refusal, isReused: Bool) -> Outcome {
    if Self.showsAll {
      return refusal == .goAwayWithError && !Self.sendsAfterFailedGoAway ? .failsUnprocessed : .isSentAgain
    }
    return switch refusal {
    case .reset: isReused ? .failsPossiblyProcessed : .isSentAgain
    case .goAway, .goAwayWithError: .failsUnprocessed
    case .goAwayThenReset: .failsPossiblyProcessed
    }
  }

  @Test(
    "A POST that was refused once is sent again with its whole body, over new and reused connections",
    arguments: Refusal.allCases, Body.allCases)
  func sentAgain(refusal: Refusal, body: Body) async throws {
    // Before 8.1 an upload of unknown length has a connection of its own, and this peer serves one at a time.
    for isReused in body == .unknownLength && !Self.showsAll ? [false] : [false, true] {
      let bench = try await TLSPeerBench()
      let count = try await open(bench, isReused: isReused)
      let task = start(request(bench, body.body), bench)
      let refused = try #require(await bench.peer.waitForRequest(count + 1))
      try await waitForContent(body, bench, connection: 1)
      let greeting = isReused ? [] : settings
      try bench.peer.send((greeting + refusal.frames(refused.stream)).flatMap(\.bytes))
      let outcome = outcome(of: refusal, isReused: isReused)
      if outcome == .isSentAgain {
        let again = try #require(await bench.peer.waitForRequest(count + 2))
        #expect(again.connection == 2)
        try await waitForContent(body, bench, connection: 2)
        try bench.peer.send(
          (settings + [.head(stream: again.stream), .data("ok", stream: again.stream, isLast: true)])
            .flatMap(\.bytes))
        #expect(try await task.value.get() == Array("ok".utf8))
        if body != .none { #expect(PatternSource.matches(content(bench, connection: 2), at: 0)) }
      } else {
        let error = try #require(await bench.error(task))
        #expect(error.kind == .transport, "\(error)")
        #expect(error.requestMayHaveBeenProcessed == (outcome == .failsPossiblyProcessed), "\(error)")
        #expect(HTTP2Frame.parse(bench.peer.received.value).count { $0.frame.type == 1 } == count + 1)
      }
      #expect(await bench.dispatcher.census().isEmpty)
      await bench.dispatcher.shutdown()
    }
  }

  @Test(
    "A request that is refused five times fails, and was not processed",
    arguments: [HTTPRequest.Method.get, .post],
    showsAll ? Refusal.allCases.filter { $0 != .goAwayWithError || sendsAfterFailedGoAway } : [.reset])
  func refusedAgain(method: HTTPRequest.Method, refusal: Refusal) async throws {
    let bench = try await TLSPeerBench()
    let task = start(request(bench, .empty, method), bench)
    for count in 1...5 {
      let refused = try #require(await bench.peer.waitForRequest(count))
      #expect(refused.connection == count)
      try bench.peer.send((settings + refusal.frames(refused.stream)).flatMap(\.bytes))
    }
    let error = try #require(await bench.error(task))
    #expect(error.kind == .transport)
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(error.reason.contains("refused the request 5 times before it processed it"), "\(error)")
    #expect(!error.reason.contains("secret"))
    #expect(await bench.dispatcher.census().isEmpty)
  }

  @Test(
    "A POST may have been processed if its server violates HTTP/2, and is sent once",
    // From 8.1 on, libcurl notices it on a reused connection only when the idle limit ends the transfer.
    arguments: showsAll ? [false] : [false, true])
  func violation(isReused: Bool) async throws {
    let bench = try await TLSPeerBench()
    let count = try await open(bench, isReused: isReused)
    let task = start(request(bench, .text("pay")), bench)
    try await bench.peer.waitForRequest(count + 1)
    // DATA on stream 0.
    let invalid = HTTP2Frame(type: 0, stream: 0, payload: [1])
    try bench.peer.send(((isReused ? [] : settings) + [invalid]).flatMap(\.bytes))
    let error = try #require(await bench.error(task))
    #expect([.transport, .protocolViolation].contains(error.kind), "\(error)")
    #expect(error.requestMayHaveBeenProcessed, "\(error)")
    #expect(HTTP2Frame.parse(bench.peer.received.value).count { $0.frame.type == 1 } == count + 1)
  }

  @Test("A body of which a part was read, and cannot be read again, ends in an error that says so")
  func partlyRead() async throws {
    let bench = try await TLSPeerBench()
    let body = RequestBody.once(length: Int64(Body.size), PatternSource(length: Body.size))
    let task = start(request(bench, body), bench)
    let refused = try #require(await bench.peer.waitForRequest(1))
    try await waitForContent(.restartable, bench, connection: 1)
    try bench.peer.send((settings + Refusal.reset.frames(refused.stream)).flatMap(\.bytes))
    let error = try #require(await bench.error(task))
    #expect(error.kind == .bodyNotReplayable)
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(error.reason.contains("refused the request before it processed it"), "\(error)")
    #expect(await bench.dispatcher.census().isEmpty)
  }

  @Test("A request that must be sent once is not sent again, and its error says that it was not processed")
  func sentOnce() async throws {
    let bench = try await TLSPeerBench()
    let once = request(bench, .text("pay")).with { $0.context.isSentOnce = true }
    let task = start(once, bench)
    let refused = try #require(await bench.peer.waitForRequest(1))
    try bench.peer.send((settings + Refusal.goAway.frames(refused.stream)).flatMap(\.bytes))
    let error = try #require(await bench.error(task))
    #expect(error.kind == .transport && !error.requestMayHaveBeenProcessed)
    #expect(error.reason.contains("before it processed it"), "\(error)")
  }

  @Test(
    "GOAWAY refuses only the streams above its last one; the others get their responses",
    .enabled(if: showsAll, "it needs libcurl 8.1"))
  func partlyRefused() async throws {
    let bench = try await TLSPeerBench()
    let count = try await open(bench, isReused: true)
    let first = start(request(bench, .empty), bench)
    let one = try #require(await bench.peer.waitForRequest(count + 1))
    let second = start(request(bench, .empty), bench)
    let two = try #require(await bench.peer.waitForRequest(count + 2))
    #expect(two.stream == one.stream + 2)
    try bench.peer.send(
      .goAway(last: one.stream), .head(stream: one.stream), .data("1", stream: one.stream, isLast: true))
    #expect(try await first.value.get() == Array("1".utf8))
    let again = try #require(await bench.peer.waitForRequest(count + 3))
    #expect(again.connection == 2)
    try bench.peer.send(
      .settings, .settingsAcknowledged, .head(stream: again.stream),
      .data("2", stream: again.stream, isLast: true))
    #expect(try await second.value.get() == Array("2".utf8))
  }

  @Test(
    "A POST to a server that requires HTTP/1.1 is sent again over that, with its whole body",
    arguments: [Body.none, .bytes, .restartable])
  func olderVersion(body: Body) async throws {
    let server = try await OlderVersionServer()
    let dispatcher = CurlDispatcher(
      configuration: .init(tls: .init(authorityFile: server.authorityFile)))
    let request = Request(method: .post, authority: "127.0.0.1:\(server.port)", path: "/", body: body.body)
    let response = try await dispatcher.dispatch(request)
    #expect(response.exchange.transport?.version == .http1)
    let content = try await response.body.collect(upTo: 2 * Body.size)
    #expect(content.count == (body == .none ? 0 : Body.size))
    if body != .none { #expect(PatternSource.matches(content, at: 0)) }
    await dispatcher.shutdown()
  }

  @Test(
    "A POST whose stream was reset for another reason may have been processed, and is sent once",
    arguments: [
      (0, ""), (1, "PROTOCOL_ERROR"), (2, "INTERNAL_ERROR"), (8, "CANCEL"), (11, "ENHANCE_YOUR_CALM"),
    ],
    [false, true])
  func otherResets(reset: (code: UInt32, name: String), isReused: Bool) async throws {
    let bench = try await TLSPeerBench()
    let count = try await open(bench, isReused: isReused)
    let task = start(request(bench, .text("pay")), bench)
    let request = try #require(await bench.peer.waitForRequest(count + 1))
    try bench.peer.send(
      ((isReused ? [] : settings) + [.reset(stream: request.stream, code: reset.code)]).flatMap(\.bytes))
    let error = try #require(await bench.error(task))
    #expect(error.kind == (reset.name == "PROTOCOL_ERROR" ? .protocolViolation : .transport))
    #expect(error.requestMayHaveBeenProcessed)
    #expect(error.reason.contains(reset.name), "\(error)")
    #expect(HTTP2Frame.parse(bench.peer.received.value).count { $0.frame.type == 1 } == count + 1)
  }

  @Test(
    "A POST may have been processed if its connection ends after GOAWAY with its own stream",
    arguments: [false, true], [0, 11])
  func endAfterGoAway(isReused: Bool, code: UInt32) async throws {
    let bench = try await TLSPeerBench()
    let count = try await open(bench, isReused: isReused)
    let task = start(request(bench, .text("pay")), bench)
    let request = try #require(await bench.peer.waitForRequest(count + 1))
    try bench.peer.send(
      ((isReused ? [] : settings) + [.goAway(last: request.stream, code: code)]).flatMap(\.bytes))
    bench.peer.stop()
    let error = try #require(await bench.error(task))
    #expect(error.requestMayHaveBeenProcessed, "\(error)")
  }

  @Test("A request that was refused and then lost may have been processed")
  func refusedThenLost() async throws {
    let bench = try await TLSPeerBench()
    let task = start(request(bench, .text("pay")), bench)
    let refused = try #require(await bench.peer.waitForRequest(1))
    try bench.peer.send((settings + Refusal.reset.frames(refused.stream)).flatMap(\.bytes))
    // Once the request has arrived again the server ends; a third arrival is impossible.
    _ = try await bench.peer.waitForRequest(2)
    bench.peer.stop()
    let error = try #require(await bench.error(task))
    #expect(error.requestMayHaveBeenProcessed, "\(error)")
  }
}
