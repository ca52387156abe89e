import CurlTransport
import Downloads
import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PartedDownloadWireTests {
  /// With four parts, the first one has 2 MiB and the others 3.5 MiB.
  static let size = 16 << 20
  static let content = PatternSource.bytes(at: 0, count: size)
  static let starts = [0, 2 << 20, 11 << 19, 9 << 20, 25 << 19]

  /// What a connection does after a number of bytes of a response's body.
  enum End: Sendable {
    case reset
    /// Nothing, until the client has gone.
    case silence
    /// It sends the rest when the gate is open.
    case pause(Gate)
  }

  let dispatcher = CurlDispatcher()
  let folder: URL
  var target: String { folder.appending(path: "chart.bin").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "wire-parts-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func cleanUp() { try? FileManager.default.removeItem(at: folder) }

  private func download(
    _ server: ScriptedServer, parts: Int = 4, failureLimit: Int = 1
  ) -> FileDownload {
    FileDownload(
      .get(server, "/chart"), to: target, identity: "chart",
      policy: DownloadPolicy(
        failureLimit: failureLimit, firstWait: .milliseconds(1), revalidates: false, parts: parts))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func isWhole() throws -> Bool {
    let bytes = Array(try Data(contentsOf: URL(filePath: target)))
    return bytes.count == Self.size && PatternSource.matches(bytes, at: 0)
  }

  private static func ranges(_ server: ScriptedServer) -> Set<String> {
    Set(server.requests.compactMap { $0.value(of: "Range") })
  }

  /// Serves the content with ranges; the responses in `ends`, by their first byte and the number of the
  /// request, end early.
  static func server(
    tag first: String = "\"v1\"", changingAt change: Int = .max, fields: String = "",
    ends: @escaping @Sendable (_ start: Int, _ number: Int) -> (after: Int, End)? = { _, _ in nil }
  ) throws -> ScriptedServer {
    let count = Atomic(0)
    return try ScriptedServer(raw: { request, wire in
      let number = count.wrappingAdd(1, ordering: .relaxed).newValue
      let tag = number < change ? first : "\"v2\""
      var (start, end, isPart) = (0, size, false)
      if request.value(of: "If-Range") ?? tag == tag, let range = request.value(of: "Range") {
        let bounds = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
        (start, isPart) = (bounds.first ?? 0, true)
        if bounds.count == 2 { end = min(bounds[1] + 1, size) }
      }
      var head = "HTTP/1.1 \(isPart ? "206 Partial Content" : "200 OK")\r\nETag: \(tag)\r\n\(fields)"
      if isPart { head += "Content-Range: bytes \(start)-\(end - 1)/\(size)\r\n" }
      try wire.send(head + "Content-Length: \(end - start)\r\n\r\n")
      guard let (after, way) = ends(start, number) else {
        try wire.send(Array(content[start..<end]))
        return wire.stayOpen()
      }
      try wire.send(Array(content[start..<(start + after)]))
      switch way {
      case .reset: wire.reset()
      case .silence: wire.waitForClose()
      case .pause(let gate):
        gate.wait()
        try wire.send(Array(content[(start + after)..<end]))
        wire.stayOpen()
      }
    })
  }

  @Test("The parts of a file arrive over several connections, and it is complete, byte for byte")
  func whole() async throws {
    defer { cleanUp() }
    let server = try Self.server(
      fields: "Repr-Digest: sha-256=:KHUH9AMXbx9bIrmk2ctJ99f4isGeQGta6HzhCVZIRr0=:\r\n")
    let meter = TransferMeter()
    let outcome = try await download(server).run(over: dispatcher, reportingTo: meter)
    #expect(outcome.length == Int64(Self.size) && outcome.digests.map(\.algorithm) == [.sha256])
    #expect(try isWhole())
    #expect(try names() == ["chart.bin"])
    #expect(Self.ranges(server).count == 5 && server.requests.count == 5)
    #expect((2...4).contains(server.counts.accepted))
    #expect(
      meter.latest == TransferMeter.Progress(.download, bytes: Int64(Self.size), total: Int64(Self.size)))
  }

  @Test("Sixteen parts are limited by the dispatcher's connections per origin")
  func limited() async throws {
    defer { cleanUp() }
    let gate = Gate()
    // A part that holds its connection for long.
    let server = try Self.server { start, _ in start == Self.starts[1] ? (1, .pause(gate)) : nil }
    let meter = TransferMeter()
    let updates = meter.updates()
    let download = download(server, parts: 16)
    async let outcome = download.run(over: dispatcher, reportingTo: meter)
    for await progress in updates where progress.bytes >= 4 << 20 { gate.open() }
    #expect(try await outcome.failures == 0)
    #expect(try isWhole())
    #expect(server.counts.accepted <= 6)
    #expect(Self.ranges(server).count == 15)
  }

  @Test("A part continues after a reset while the others arrive")
  func reset() async throws {
    defer { cleanUp() }
    let server = try Self.server { start, number in
      start == Self.starts[2] && number < 6 ? (1 << 20, .reset) : nil
    }
    let outcome = try await download(server, failureLimit: 5).run(over: dispatcher)
    // A reset may overtake what was sent before it, so the part may have begun anew.
    #expect(outcome.failures == 1 && server.requests.count == 6)
    #expect(try isWhole())
  }

  @Test("A slow part delays only itself")
  func slow() async throws {
    defer { cleanUp() }
    let gate = Gate()
    let server = try Self.server { start, _ in start == Self.starts[1] ? (1 << 20, .pause(gate)) : nil }
    let meter = TransferMeter()
    let updates = meter.updates()
    let download = download(server)
    async let outcome = download.run(over: dispatcher, reportingTo: meter)
    for await progress in updates where progress.bytes == Int64(Self.size - 5 << 19) { gate.open() }
    #expect(try await outcome.failures == 0)
    #expect(try isWhole())
  }

  @Test(
    "Another version of the file, or a server that ignores ranges, replaces all parts",
    arguments: [true, false])
  func replaced(isAnother: Bool) async throws {
    defer { cleanUp() }
    let first = try Self.server { start, _ in start == Self.starts[4] ? (1 << 20, .reset) : nil }
    let error = await failure { () throws(NetworkError) in try await download(first).run(over: dispatcher) }
    #expect(error?.kind == .transport)
    #expect(try names() == ["chart.bin.part", "chart.bin.part.info"])
    let second =
      isAnother
      ? try Self.server(tag: "\"v2\"")
      : try ScriptedServer { _ in
        ScriptedReply(fields: [("ETag", "\"v1\"")], body: Self.content)
      }
    let outcome = try await download(second).run(over: dispatcher)
    #expect(outcome.resumedFrom == 0 && outcome.head.status == .ok && second.requests.count == 1)
    #expect(second.requests.first?.value(of: "If-Range") == "\"v1\"")
    #expect(try isWhole())
    #expect(try names() == ["chart.bin"])
  }

  @Test("A version that changes while the parts arrive replaces them by the whole file of its first response")
  func changed() async throws {
    defer { cleanUp() }
    let server = try Self.server(changingAt: 5)
    let outcome = try await download(server).run(over: dispatcher)
    #expect(outcome.head.status == .ok && outcome.head.headerFields[.eTag] == "\"v2\"")
    #expect(server.requests.count == 5)
    #expect(try isWhole())
    #expect(try names() == ["chart.bin"])
  }

  @Test(
    "nginx serves the parts, over one connection with HTTP/2 and over several with HTTP/1.1",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"), arguments: [true, false])
  func nginx(overHTTP2: Bool) async throws {
    defer { cleanUp() }
    let server = try await NginxServer(files: ["chart.bin": Self.content])
    let dispatcher = CurlDispatcher(
      configuration: .init(tls: .init(authorityFile: server.certificates.authorityFile)))
    let port = overHTTP2 ? server.tlsPort() : server.port
    let request = Request(
      scheme: overHTTP2 ? "https" : "http", authority: "127.0.0.1:\(port)", path: "/chart.bin")
    let recorder = Connections(dispatcher)
    let download = FileDownload(request, to: target, policy: DownloadPolicy(parts: 4))
    let outcome = try await download.run(over: recorder)
    #expect(outcome.head.status == .partialContent && outcome.failures == 0)
    #expect(try isWhole())
    let reports = recorder.responses.compactMap(\.exchange.transport)
    #expect(reports.count == 5 && reports.allSatisfy { $0.version == (overHTTP2 ? .http2 : .http1) })
    let opened = reports.count(where: { !$0.connectionWasReused })
    #expect(overHTTP2 ? opened == 1 : (1...4).contains(opened))
    #expect(try await download.run(over: recorder).isUnchanged)
  }

  @Test("A download in parts that was cancelled continues all of them in the next run")
  func cancelled() async throws {
    defer { cleanUp() }
    let server = try Self.server { start, number in start > 0 && number < 7 ? (1 << 20, .silence) : nil }
    let meter = TransferMeter()
    let updates = meter.updates()
    let task = Task { [dispatcher, download = download(server, parts: 5)] in
      try await download.run(over: dispatcher, reportingTo: meter)
    }
    // The first part, and 1 MiB of each of the five others.
    for await progress in updates where progress.bytes == 7 << 20 { break }
    task.cancel()
    let result = await task.result
    #expect(throws: NetworkError.self) { try result.get() }
    #expect(try names() == ["chart.bin.part", "chart.bin.part.info"])
    try await server.wait { $0.closed >= 5 }
    let outcome = try await download(server, parts: 5).run(over: dispatcher)
    #expect(outcome.resumedFrom == 7 << 20 && outcome.head.status == .partialContent)
    #expect(server.requests.count == 6 + 5)
    #expect(try isWhole())
  }

  /// The bytes that the record of a download to a file states.
  private static func recordedBytes(of target: String) throws -> Int {
    try String(contentsOfFile: "\(target).part.info", encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("part ") }.map { $0.split(separator: " ").compactMap { Int($0) } }
      .reduce(0) { $0 + $1[2] - $1[0] }
  }

  @Test("The parts of a download whose process was killed continue in another process")
  func killed() async throws {
    defer { cleanUp() }
    let server = try Self.server { start, number in start > 0 && number < 6 ? (3 << 19, .silence) : nil }
    let (port, target) = (server.port, target)
    await #expect(processExitsWith: .signal(SIGKILL)) { [port = port as Int, target = target as String] in
      let request = Request(scheme: "http", authority: "127.0.0.1:\(port)", path: "/chart")
      let meter = TransferMeter()
      let updates = meter.updates()
      let task = Task {
        try await FileDownload(request, to: target, identity: "chart", policy: DownloadPolicy(parts: 4)).run(
          over: CurlDispatcher(), reportingTo: meter)
      }
      // The first part, and 1.5 MiB of each of the others.
      for await progress in updates where progress.bytes == 8 << 20 {
        // The disk may be slower than the network.
        try await waitUntil("4 MiB are recorded") { try Self.recordedBytes(of: target) >= 4 << 20 }
        kill(getpid(), SIGKILL)
      }
      _ = try await task.value
    }
    #expect(try names() == ["chart.bin.part", "chart.bin.part.info"])
    let outcome = try await download(server).run(over: dispatcher)
    #expect(outcome.resumedFrom >= 4 << 20 && outcome.resumedFrom <= 8 << 20)
    #expect(try isWhole())
    #expect(try names() == ["chart.bin"])
  }
}

/// Passes requests on, and keeps the responses for their transport reports.
private final class Connections: Dispatcher {
  private let dispatcher: CurlDispatcher
  private let received = Mutex<[Response]>([])

  init(_ dispatcher: CurlDispatcher) { self.dispatcher = dispatcher }

  var capabilities: DispatcherCapabilities { dispatcher.capabilities }
  var responses: [Response] { received.withLock { $0 } }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let response = try await dispatcher.dispatch(request)
    received.withLock { $0.append(response) }
    return response
  }
}
