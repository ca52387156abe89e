import CurlTransport
import Downloads
import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FileDownloadWireTests {
  static let size = 4 << 20
  static let content = PatternSource.bytes(at: 0, count: size)

  /// What a connection does after a number of bytes of a response's body.
  enum End: Sendable {
    /// It breaks, once the client has read them all: a reset may overtake what was sent before it.
    case reset(when: Gate)
    /// Nothing, until the client has gone.
    case silence
  }

  let dispatcher = CurlDispatcher()
  let folder: URL
  var target: String { folder.appending(path: "chart.bin").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "wire-downloads-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func cleanUp() { try? FileManager.default.removeItem(at: folder) }

  /// Ends a run at its first failure, and keeps no version.
  private static let plain = DownloadPolicy(failureLimit: 1, revalidates: false)

  private func download(_ server: ScriptedServer, _ policy: DownloadPolicy = plain) -> FileDownload {
    FileDownload(
      Request.get(server, "/chart").with { $0.options.timeouts.whole = nil }, to: target, policy: policy)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func isWhole() throws -> Bool {
    let bytes = Array(try Data(contentsOf: URL(filePath: target)))
    return bytes.count == Self.size && PatternSource.matches(bytes, at: 0)
  }

  /// Serves the content with ranges; the responses in `cuts` end too early.
  static func server(
    tag: String = "\"v1\"", ignoresRange: Bool = false, shift: Int = 0,
    cuts: @escaping @Sendable (_ number: Int) -> (after: Int, End)?
  ) throws -> ScriptedServer {
    let count = Atomic(0)
    return try ScriptedServer(raw: { request, wire in
      let number = count.wrappingAdd(1, ordering: .relaxed).newValue
      if request.value(of: "If-None-Match") == tag {
        try wire.send("HTTP/1.1 304 Not Modified\r\nETag: \(tag)\r\n\r\n")
        return wire.stayOpen()
      }
      var start = 0
      if !ignoresRange, request.value(of: "If-Range") == tag, let range = request.value(of: "Range") {
        start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
      }
      var head = "HTTP/1.1 \(start > 0 ? "206 Partial Content" : "200 OK")\r\nETag: \(tag)\r\n"
      if start > 0 { head += "Content-Range: bytes \(start + shift)-\(size - 1)/\(size)\r\n" }
      try wire.send(head + "Content-Length: \(size - start)\r\n\r\n")
      guard let (after, end) = cuts(number) else {
        try wire.send(Array(content[start...]))
        return wire.stayOpen()
      }
      try wire.send(Array(content[start..<(start + after)]))
      switch end {
      case .reset(let gate):
        gate.wait()
        wire.reset()
      case .silence: wire.waitForClose()
      }
    })
  }

  @Test("E10: A download continues after a reset, and the file is complete, byte for byte")
  func reset() async throws {
    defer { cleanUp() }
    let gates = [Gate(), Gate()]
    let server = try Self.server { $0 < 3 ? (1 << 20, .reset(when: gates[$0 - 1])) : nil }
    for (number, gate) in gates.enumerated() {
      let kept = Int64(number + 1) << 20
      let meter = TransferMeter()
      let updates = meter.updates()
      let download = download(server)
      async let error = failure { () throws(NetworkError) in
        try await download.run(over: dispatcher, reportingTo: meter)
      }
      for await progress in updates where progress.bytes == kept { gate.open() }
      #expect(await error?.kind == .transport)
      let part = Array(try Data(contentsOf: URL(filePath: target + ".part")))
      #expect(part.count == Int(kept) && PatternSource.matches(part, at: 0))
      #expect(try names() == ["chart.bin.part", "chart.bin.part.info"])
    }
    let meter = TransferMeter()
    let outcome = try await download(server).run(over: dispatcher, reportingTo: meter)
    #expect(outcome.resumedFrom == 2 << 20 && outcome.length == Int64(Self.size))
    #expect(
      meter.latest == TransferMeter.Progress(.download, bytes: Int64(Self.size), total: Int64(Self.size)))
    #expect(try isWhole())
    #expect(try names() == ["chart.bin"])
    #expect(server.requests.map { $0.value(of: "Range") } == [nil, "bytes=\(1 << 20)-", "bytes=\(2 << 20)-"])
    #expect(server.requests.allSatisfy { $0.value(of: "Accept-Encoding") == "identity" })
  }

  @Test("E10: One run continues after two resets, and a second one transfers nothing")
  func continues() async throws {
    defer { cleanUp() }
    let open = Gate()
    open.open()
    let server = try Self.server { $0 < 3 ? (1 << 20, .reset(when: open)) : nil }
    let download = download(server, DownloadPolicy(firstWait: .milliseconds(1)))
    let outcome = try await download.run(over: dispatcher)
    #expect(outcome.failures == 2 && outcome.resumedFrom == 0 && outcome.length == Int64(Self.size))
    #expect(try isWhole())
    let ranges = server.requests.map { $0.value(of: "Range") }
    #expect(ranges.count == 3 && ranges[0] == nil && ranges[2] != nil)
    let again = try await download.run(over: dispatcher)
    #expect(again.isUnchanged && again.head.status == .notModified)
    #expect(server.requests.last?.value(of: "If-None-Match") == "\"v1\"")
    #expect(try isWhole())
    #expect(try names() == [".chart.bin.version", "chart.bin"])
  }

  @Test("E10: A download that was cancelled halfway continues in the next run")
  func cancelled() async throws {
    defer { cleanUp() }
    let server = try Self.server { $0 == 1 ? (1 << 20, .silence) : nil }
    let meter = TransferMeter()
    let updates = meter.updates()
    let task = Task { [dispatcher, download = download(server)] in
      try await download.run(over: dispatcher, reportingTo: meter)
    }
    for await progress in updates where progress.bytes == 1 << 20 { break }
    task.cancel()
    let result = await task.result
    #expect(throws: NetworkError.self) { try result.get() }
    #expect(try names() == ["chart.bin.part", "chart.bin.part.info"])
    try await server.wait { $0.closed == 1 }
    let outcome = try await download(server).run(over: dispatcher)
    #expect(outcome.resumedFrom == 1 << 20 && outcome.head.status == .partialContent)
    #expect(try isWhole())
  }

  @Test(
    "A download begins anew if the version has changed, the range is ignored, or the response's range is a lie",
    arguments: ["changed", "ignored", "lie"])
  func anew(why: String) async throws {
    defer { cleanUp() }
    let gate = Gate()
    let first = try Self.server { _ in (1 << 20, .reset(when: gate)) }
    let meter = TransferMeter()
    let updates = meter.updates()
    // The servers have different ports: the content is identified by its name.
    let broken = FileDownload(.get(first, "/chart"), to: target, identity: "chart", policy: Self.plain)
    async let error = failure { () throws(NetworkError) in
      try await broken.run(over: dispatcher, reportingTo: meter)
    }
    for await progress in updates where progress.bytes == 1 << 20 { gate.open() }
    #expect(await error?.kind == .transport)
    let second =
      switch why {
      case "changed": try Self.server(tag: "\"v2\"") { _ in nil }
      case "ignored": try Self.server(ignoresRange: true) { _ in nil }
      default: try Self.server(shift: 1) { _ in nil }
      }
    let outcome = try await FileDownload(
      .get(second, "/chart"), to: target, identity: "chart", policy: Self.plain
    ).run(over: dispatcher)
    #expect(outcome.resumedFrom == 0 && outcome.head.status == .ok)
    #expect(second.requests.first?.value(of: "Range") == "bytes=\(1 << 20)-")
    #expect(second.requests.first?.value(of: "If-Range") == "\"v1\"")
    #expect(second.requests.count == (why == "lie" ? 2 : 1))
    #expect(try isWhole())
    #expect(try names() == ["chart.bin"])
  }

  @Test("A digest in the trailer fields of a chunked response is checked", arguments: [true, false])
  func trailers(isRight: Bool) async throws {
    defer { cleanUp() }
    let digest =
      isRight
      ? "oRchCUGgsA3LLYV35oDYS2+g6vdg0q/GVMlTuYWdVPo=" : "zQKwKmsZ4MENzJID2q4PmB1T4CVwxFevcE7t2Larvcs="
    let server = try ScriptedServer { _ in
      ScriptedReply(
        fields: [("Trailer", "Repr-Digest")], body: Self.content, framing: .chunks(of: 64 << 10),
        trailers: [("Repr-Digest", "sha-256=:\(digest):")])
    }
    let download = download(server, DownloadPolicy(revalidates: false, digestCheck: .required))
    if isRight {
      #expect(try await download.run(over: dispatcher).digests.map(\.algorithm) == [.sha256])
      #expect(try isWhole())
    } else {
      let error = await failure { () throws(NetworkError) in try await download.run(over: dispatcher) }
      #expect(error?.underlying(as: DownloadFault.self) == .digestMismatch(.sha256))
      #expect(try names() == [])
    }
    #expect(server.requests.map { $0.value(of: "Want-Repr-Digest") } == ["sha-256=10"])
  }

  @Test("E10: A download whose process was killed continues in another process")
  func killed() async throws {
    defer { cleanUp() }
    let server = try Self.server { $0 == 1 ? (1 << 20, .silence) : nil }
    let (port, target) = (server.port, target)
    await #expect(processExitsWith: .signal(SIGKILL)) { [port = port as Int, target = target as String] in
      let request = Request(scheme: "http", authority: "127.0.0.1:\(port)", path: "/chart")
      let meter = TransferMeter()
      let updates = meter.updates()
      let task = Task {
        try await FileDownload(request, to: target).run(over: CurlDispatcher(), reportingTo: meter)
      }
      for await progress in updates where progress.bytes == 1 << 20 { kill(getpid(), SIGKILL) }
      _ = try await task.value
    }
    #expect(try names() == ["chart.bin.part", "chart.bin.part.info"])
    let outcome = try await download(server).run(over: dispatcher)
    #expect(outcome.resumedFrom == 1 << 20)
    #expect(try isWhole())
    #expect(try names() == ["chart.bin"])
  }
}
