import BodyFormats
import CurlTransport
import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct UploadBodiesTests {
  let dispatcher = CurlDispatcher()

  private func post(_ server: ScriptedServer, _ body: RequestBody = .empty) -> Request {
    Request(method: .post, scheme: "http", authority: server.authority, path: "/", body: body).with {
      $0.options.timeouts.whole = nil
    }
  }

  @Test(
    "E10: a form of fields, bytes and a file arrives as an independent parser reads it, and reports its progress",
    .enabled("python3 is not installed", { try await PythonEmail.isPresent() }), arguments: [true, false])
  func multipart(lengthIsKnown: Bool) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bin").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var file: [UInt8] = []
    for _ in 0..<(1 << 17) {
      withUnsafeBytes(of: UInt64.random(in: 0 ... .max)) { file.append(contentsOf: $0) }
    }
    try Data(file).write(to: URL(filePath: path))
    let tricky = Array("\r\n--\r\n\r\n--x--\r\n".utf8)
    var form = MultipartForm()
    form.append("Grüße\r\nfrom the harbour", named: "note")
    try form.append(
      bytes: tricky, named: "tricky", fileName: "a \"quoted\"\r\nname;x=y.txt", contentType: "text/plain")
    try form.append(file: path, named: "file", fileName: "photo.jpeg", contentType: "image/jpeg")
    if !lengthIsKnown {
      try form.append(
        .once(length: nil, PatternSource(length: 300_000)), named: "live", contentType: "application/x-live")
    }
    let received = Watched<ReceivedRequest?>(nil)
    let server = try ScriptedServer { request in
      received.update { $0 = request }
      return .text("thanks")
    }
    var request = post(server)
    form.apply(to: &request)
    let meter = TransferMeter()
    #expect(try await dispatcher.dispatch(request, reportingTo: meter).status == .ok)

    let seen = try #require(received.value)
    let end = TransferMeter.Progress(.upload, bytes: Int64(seen.body.count), total: form.length)
    #expect(meter.latest == end)
    #expect(seen.value(of: "Content-Length") == form.length.map(String.init))
    #expect((seen.value(of: "Transfer-Encoding") == "chunked") == !lengthIsKnown)
    let type = try #require(seen.value(of: "Content-Type"))
    let parts = try await PythonEmail.parts(contentType: type, body: seen.body)
    func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
    var expected = [
      PythonEmail.Part(
        name: "note", type: "text/plain", content: base64(Array("Grüße\r\nfrom the harbour".utf8))),
      PythonEmail.Part(
        name: "tricky", fileName: "a %22quoted%22%0D%0Aname;x=y.txt", type: "text/plain",
        content: base64(tricky)),
      PythonEmail.Part(name: "file", fileName: "photo.jpeg", type: "image/jpeg", content: base64(file)),
    ]
    if !lengthIsKnown {
      let live = PatternSource.bytes(at: 0, count: 300_000)
      expected.append(PythonEmail.Part(name: "live", type: "application/x-live", content: base64(live)))
    }
    #expect(parts == expected)
  }

  @Test("E10: An upload from an async sequence arrives whole, and its progress is reported")
  func sequence() async throws {
    let size = 8 << 20
    let received = Watched(0)
    let server = try ScriptedServer(raw: { request, wire in
      try wire.readBody(of: request) { bytes in
        let isIntact = received.update { count in
          defer { count += bytes.count }
          return PatternSource.matches(bytes, at: count)
        }
        if !isIntact { received.update { $0 = -1 << 40 } }
      }
      try wire.send("HTTP/1.1 204 No Content\r\n\r\n")
    })
    let pattern = PatternSource(length: size)
    let chunks = AsyncThrowingStream { try await pattern.read() }
    let meter = TransferMeter()
    let request = post(server, .sequence(length: Int64(size), chunks))
    async let response = dispatcher.dispatch(request, reportingTo: meter)
    var last: Int64 = -1
    for await progress in meter.updates() {
      #expect(progress.bytes > last && progress.total == Int64(size) && progress.direction == .upload)
      last = progress.bytes
    }
    #expect(try await response.status == .noContent)
    #expect(received.value == size)
    #expect(last == Int64(size))
  }

  @Test("A sequence is asked for no more than a stalled server leaves room for, and stopped with its request")
  func backpressure() async throws {
    let isStalled = Watched(false)
    let server = try ScriptedServer(raw: { _, wire in
      // This gate stays closed: for half a second the server reads nothing.
      Gate().wait(upTo: 0.5)
      isStalled.update { $0 = true }
      wire.waitForClose()
    })
    let produced = Watched(0)
    let stopped = Watched(false)
    func start() -> Task<Response, any Error> {
      let farewell = Farewell(stopped)
      let chunks = AsyncStream {
        produced.update { $0 += farewell.chunk.count }
        return farewell.chunk
      }
      let request = post(server, .sequence(length: nil, chunks))
      return Task { [dispatcher] in try await dispatcher.dispatch(request) }
    }
    let task = start()
    // The sockets' buffers fill; a sequence that never waits would run away by gigabytes.
    try await isStalled.wait { $0 }
    #expect(produced.value > 0 && produced.value < 32 << 20)
    task.cancel()
    let error = await task.result.error as? NetworkError
    #expect(error?.kind == .cancelled(.task))
    // The sequence is released, because it is not read again.
    try await stopped.wait { $0 }
  }

  @Test("A sequence that fails ends its request with its own error")
  func failing() async throws {
    struct Torn: Error {}
    let server = try ScriptedServer(raw: { request, wire in try wire.readBody(of: request) { _ in } })
    let count = Watched(0)
    let chunks = AsyncThrowingStream<[UInt8], any Error> {
      if count.update({ count in
        count += 1
        return count > 3
      }) {
        throw Torn()
      }
      return [1, 2, 3]
    }
    let error = await failure { () throws(NetworkError) in
      try await dispatcher.dispatch(post(server, .sequence(length: nil, chunks)))
    }
    #expect(error?.kind == .rejected)
    #expect(error?.underlying(as: Torn.self) != nil)
    try await server.wait { $0.closed == $0.accepted }
  }
}

/// Notes when the last one who could ask for a chunk is gone.
private final class Farewell: Sendable {
  let chunk = [UInt8](repeating: 1, count: 64 << 10)
  private let isGone: Watched<Bool>
  init(_ isGone: Watched<Bool>) { self.isGone = isGone }
  deinit { isGone.update { $0 = true } }
}

extension Result {
  /// What went wrong.
  fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
