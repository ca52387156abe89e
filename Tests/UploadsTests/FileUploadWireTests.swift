import CurlTransport
import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Synchronization
import Testing
import Uploads

@Suite("An upload over real connections", .timeLimit(.minutes(5)))
struct FileUploadWireTests {
  private static let content = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  private let fixture: UploadFixture
  private let dispatcher = CurlDispatcher()

  init() throws { fixture = try UploadFixture(Self.content) }

  /// An upload whose waits have no length.
  private func upload(
    by resumption: UploadProtocol, to server: ScriptedServer, failureLimit: Int = 3,
    maximumRequestSize: Int64? = nil
  ) -> FileUpload {
    fixture.upload(
      by: resumption,
      UploadPolicy(failureLimit: failureLimit, firstWait: .zero, maximumRequestSize: maximumRequestSize),
      to: server.authority, time: .system)
  }

  @Test("A file arrives as it is, in one part and in several", arguments: UploadFixture.both)
  func whole(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    let server = try service.server()
    let meter = TransferMeter()
    let outcome = try await upload(by: resumption, to: server).run(over: dispatcher, reportingTo: meter)
    #expect(service.content == Self.content && outcome.url.hasPrefix("http://\(server.authority)/files/"))
    #expect(meter.latest == TransferMeter.Progress(.upload, bytes: 1 << 20, total: 1 << 20))
    #expect(outcome.exchange.transport != nil)
    _ = try await upload(by: resumption, to: server, maximumRequestSize: 300_000).run(over: dispatcher)
    #expect(service.log.suffix(4) == ["PATCH 0", "PATCH 300000", "PATCH 600000", "PATCH 900000"])
    #expect(service.content == Self.content)
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test("An empty file arrives", arguments: UploadFixture.both)
  func empty(resumption: UploadProtocol) async throws {
    try fixture.write([])
    let service = UploadService(resumption)
    let server = try service.server()
    _ = try await upload(by: resumption, to: server).run(over: dispatcher)
    #expect(service.isComplete)
  }

  @Test(
    "A connection that breaks within a part continues with what the server has stored",
    arguments: UploadFixture.both)
  func breaks(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    service.next("PATCH", .breakOff(after: 100_000), .breakOff(after: 0), .breakOff(after: 500_000))
    let server = try service.server()
    let outcome = try await upload(by: resumption, to: server, failureLimit: 5).run(over: dispatcher)
    #expect(outcome.failures == 3 && service.content == Self.content)
    #expect(
      service.log.suffix(7) == [
        "PATCH 0", "HEAD", "PATCH 100000", "HEAD", "PATCH 100000", "HEAD", "PATCH 600000",
      ])
  }

  @Test(
    "A response that is lost, a 409, a 413, a 503 and a lost upload are survived",
    arguments: UploadFixture.both)
  func faults(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    let server = try service.server()
    service.next("POST", .status(503, ("Retry-After", "0")))
    service.next(
      "PATCH", .status(409), .status(413), .breakOff(after: 200_000), .forget, .none, .mute)
    let outcome = try await upload(by: resumption, to: server, failureLimit: 5).run(over: dispatcher)
    #expect(service.content == Self.content && service.createdCount == 2 && outcome.resumedFrom == 0)
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test("An impossible position is a violation over the wire, too")
  func lies() async throws {
    for resumption in UploadFixture.both {
      let service = UploadService(resumption)
      service.next("PATCH", .breakOff(after: 1_000))
      service.next("HEAD", .offset("2000000"))
      let server = try service.server()
      let result = await upload(by: resumption, to: server).result(over: dispatcher)
      #expect(result.error?.kind == .protocolViolation)
      #expect("\(try #require(result.error))".contains("s3cret") == false)
      try? FileManager.default.removeItem(atPath: fixture.recordPath)
    }
  }

  @Test(
    "A server that goes away ends the run with the reason, and the next run resumes",
    arguments: UploadFixture.both)
  func gone(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    service.next("PATCH", .breakOff(after: 100_000))
    let port: Int
    do {
      let server = try service.server()
      port = server.port
      let task = Task { [upload = upload(by: resumption, to: server)] in await upload.result(over: dispatcher)
      }
      try await server.wait { $0.closed > 0 }
      server.stop()
      let error = try #require(await task.value.error)
      #expect([.connect, .transport].contains(error.kind) && error.retryRefusal == .noAttemptsLeft)
      #expect(!"\(error)".contains("s3cret"))
    }
    let server = try service.server(port: port)
    let outcome = try await upload(by: resumption, to: server).run(over: dispatcher)
    #expect(outcome.resumedFrom == 100_000 && service.content == Self.content)
  }

  @Test("A cancellation within a part is resumed by the next run", arguments: UploadFixture.both)
  func cancelled(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    let gate = Gate()
    service.next("PATCH", .breakOff(after: 100_000))
    let server = try service.server(breakingWhen: gate)
    let task = Task { [upload = upload(by: resumption, to: server)] in await upload.result(over: dispatcher) }
    try await server.wait { [requests = resumption == .httpDraft ? 2 : 3] in $0.requests >= requests }
    task.cancel()
    #expect(await task.value.error?.kind == .cancelled(.task))
    gate.open()
    let outcome = try await upload(by: resumption, to: server).run(over: dispatcher)
    #expect(outcome.length == 1 << 20 && service.content == Self.content && service.createdCount == 1)
  }

  @Test("An upload whose process was killed continues in another process", arguments: UploadFixture.both)
  func killed(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    let gate = Gate()
    service.next("PATCH", .breakOff(after: 100_000))
    let server = try service.server(breakingWhen: gate)
    let (path, isTus, authority) = (fixture.path, service.isTus, server.authority)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, isTus = isTus as Bool, authority = authority as String] in
      let request = Request(
        method: .post, scheme: "http", authority: authority, path: "/files?key=k3y",
        headerFields: [.authorization: "Bearer t0ken"])
      let meter = TransferMeter()
      let updates = meter.updates()
      let task = Task {
        try await FileUpload(request, from: path, by: isTus ? .tus() : .httpDraft)
          .run(over: CurlDispatcher(), reportingTo: meter)
      }
      for await progress in updates where progress.bytes > 200_000 { kill(getpid(), SIGKILL) }
      _ = try await task.value
    }
    gate.open()
    #expect(try fixture.names.contains("chart.bin.upload"))
    let outcome = try await upload(by: resumption, to: server).run(over: dispatcher)
    #expect(outcome.resumedFrom == service.received.last.flatMap { Int64($0.value("Upload-Offset") ?? "") })
    #expect(service.content == Self.content && service.createdCount == 1)
    #expect(try fixture.names == ["chart.bin"])
  }
}
