import Foundation
import Logging
import LoopbackServing
import Switchyard
import SwitchyardTesting
import Testing

/// Calls through the whole chain to servers that stall.
///
/// A test clock ends the calls, so that no test waits for a time limit.
@Suite("Calls over a network that stalls", .timeLimit(.minutes(5)))
struct StalledCallTests {
  private static let limit = Duration.seconds(60)

  private let clock = TestClock()
  private let recorder = EventRecorder()

  private func chain(over dispatcher: CurlDispatcher) throws -> Pipeline {
    try Pipeline.standard(
      over: dispatcher, cookies: CookieInterceptor(),
      signing: SigningInterceptor(key: try SigningKey(id: "test", secret: Array(repeating: 7, count: 32))),
      logging: LoggingInterceptor(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
      observers: [recorder], time: TimeSource(clock))
  }

  /// Returns a request of which only the whole call is limited.
  private static func get(_ scheme: String, _ authority: String, _ path: String = "/") -> Request {
    var request = Request(scheme: scheme, authority: authority, path: path)
    request.options.timeouts = .init(connect: nil, idle: nil, call: limit)
    return request
  }

  private static func failure(of request: Request, over chain: Pipeline) async -> NetworkError? {
    do throws(NetworkError) {
      _ = try await chain.send(request)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "I1: A call ends once, by its deadline, with its response or cancelled, at whatever byte the network stalls"
  )
  func everyByte() async throws {
    let whole = Array("HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour".utf8)
    let sent = Watched(0)
    let server = try ScriptedServer(raw: { request, wire in
      let count = Int(request.target.dropFirst()) ?? 0
      try wire.send(Array(whole.prefix(count)))
      sent.update { $0 += 1 }
      if count == whole.count { wire.stayOpen() } else { wire.waitForClose() }
    })
    let dispatcher = CurlDispatcher(configuration: .init(limits: .init(total: 100, perOrigin: 100)))
    let chain = try chain(over: dispatcher)
    let errors = try await withThrowingTaskGroup(of: (Int, NetworkError?).self) { group in
      for count in 0..<whole.count {
        let request = Self.get("http", server.authority, "/\(count)")
        group.addTask { (count, await Self.failure(of: request, over: chain)) }
      }
      try await sent.wait { $0 == whole.count }
      // The dispatcher's thread reads this response after what the other calls have received.
      let response = try await chain.send(Self.get("http", server.authority, "/\(whole.count)"))
      #expect(try await response.body.collect(upTo: 9) == Array("four".utf8))
      try await clock.waitForSleepers(whole.count)
      clock.advance(by: Self.limit)
      return try await group.reduce(into: [Int: NetworkError]()) { $0[$1.0] = $1.1 }
    }
    for count in 0..<whole.count { #expect(errors[count]?.kind == .timeout(.call), "\(count) bytes") }

    let request = Self.get("http", server.authority)
    let cancelled = Task { await Self.failure(of: request, over: chain) }
    try await sent.wait { $0 == whole.count + 2 }
    cancelled.cancel()
    #expect(await cancelled.value?.kind == .cancelled(.task))

    let ended = recorder.events.filter { if case .finished = $0.kind { true } else { false } }.map(\.request)
    #expect(ended.count == whole.count + 2)
    #expect(Set(ended).count == ended.count)
    try await waitUntil("no transfer is left") { await dispatcher.census().isEmpty }
  }

  @Test("I1: A call over HTTP/2 ends by its deadline at whatever byte of its response the network stalls")
  func everyByteOverHTTP2() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "stalled-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let certificates = try await CertificateSet(in: folder)
    let peer = try await TLSPeer(certificates, ["-alpn", "h2"])
    let beginning = HTTP2Frame.settings.bytes + HTTP2Frame.settingsAcknowledged.bytes
    let whole =
      HTTP2Frame.head(stream: 1, length: 4).bytes + HTTP2Frame.data("four", stream: 1, isLast: true).bytes
    for count in 0...whole.count {
      let dispatcher = CurlDispatcher(
        configuration: .init(tls: TLSPolicy(authorityFile: certificates.authorityFile)))
      let chain = try chain(over: dispatcher)
      let request = Self.get("https", "127.0.0.1:\(peer.port)")
      let call = Task { await Self.failure(of: request, over: chain) }
      try await peer.waitForRequest(count + 1)
      try peer.send(beginning + whole.prefix(count))
      // The client acknowledges the settings once it has read all that came with them.
      try await peer.received.wait { bytes in
        HTTP2Frame.parse(bytes).contains { connection, frame in
          connection == count + 1 && frame.type == 4 && frame.flags == 1
        }
      }
      if count < whole.count {
        try await clock.waitForSleepers()
        clock.advance(by: Self.limit)
      }
      let error = await call.value
      #expect(error?.kind == (count < whole.count ? .timeout(.call) : nil), "\(count) bytes")
      try await waitUntil("no transfer is left") { await dispatcher.census().isEmpty }
      await dispatcher.shutdown()
    }
  }
}
