import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing
import Uploads

@Suite("An upload of several runs", .timeLimit(.minutes(5)))
struct ResumedUploadTests {
  private let fixture: UploadFixture

  init() throws { fixture = try UploadFixture() }

  /// Runs an upload whose connection breaks after 40 bytes.
  private func interrupt(_ service: UploadService, by resumption: UploadProtocol) async {
    service.next("PATCH", .breakOff(after: 40))
    let result = await fixture.upload(by: resumption).result(over: service)
    #expect(result.error?.kind == .transport && service.content?.count == 40)
  }

  @Test("The next run asks for the position, and sends the rest", arguments: UploadFixture.both)
  func resumed(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    await interrupt(service, by: resumption)
    let meter = TransferMeter()
    let updates = meter.updates()
    let first = Task { await updates.first { _ in true } }
    let outcome = try await fixture.upload(by: resumption).run(over: service, reportingTo: meter)
    #expect(service.log.suffix(2) == ["HEAD", "PATCH 40"] && outcome.resumedFrom == 40)
    #expect(service.content == Array(0..<100) && service.createdCount == 1)
    #expect(try fixture.names == ["chart.bin"])
    // At least what the server had is reported, and never less.
    #expect(await first.value?.bytes ?? 0 >= 40)
  }

  @Test("An upload that the server has completed meanwhile is complete", arguments: UploadFixture.both)
  func complete(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    service.next("PATCH", .mute)
    #expect(await fixture.upload(by: resumption).result(over: service).error?.kind == .transport)
    let outcome = try await fixture.upload(by: resumption).run(over: service)
    #expect(outcome.resumedFrom == 100 && service.log.last == "HEAD")
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test(
    "A file that has changed is never continued: the run fails, or the policy begins anew",
    arguments: ["longer", "touched", "replaced"])
  func changed(how: String) async throws {
    for resumption in UploadFixture.both {
      try fixture.write(Array(0..<100))
      let service = UploadService(resumption)
      await interrupt(service, by: resumption)
      var content = Array<UInt8>(0..<100)
      switch how {
      case "longer":
        content.append(1)
        try fixture.write(content)
      case "touched": try fixture.touch()
      default:
        content.reverse()
        try Data(content).write(to: URL(filePath: fixture.path), options: .atomic)
      }
      let before = service.log
      let result = await fixture.upload(by: resumption).result(over: service)
      #expect(result.fault == .fileChanged && result.error?.requestMayHaveBeenProcessed == false)
      #expect(service.log == before)
      let outcome = try await fixture.upload(
        by: resumption, UploadPolicy(failureLimit: 1, restartsChangedFile: true)
      ).run(over: service)
      #expect(outcome.resumedFrom == 0 && service.content == content)
    }
  }

  @Test("A file that changes while it is sent ends the run", arguments: UploadFixture.both)
  func changing(resumption: UploadProtocol) async throws {
    let fixture = fixture
    for length in [100, 101, 50] {
      try fixture.write(Array(0..<100))
      let service = UploadService(resumption)
      let writing = ScriptedDispatcher { request, _ throws(NetworkError) in
        if request.head.method == .patch {
          try? fixture.write([UInt8](repeating: 7, count: length))
          try? fixture.touch()
        }
        return try await service.dispatch(request)
      }
      let policy = UploadPolicy(firstWait: .zero, restartsChangedFile: true)
      #expect(await fixture.upload(by: resumption, policy).result(over: writing).fault == .fileChanged)
      // The next run notices it, too.
      #expect(await fixture.upload(by: resumption).result(over: service).fault == .fileChanged)
      try await fixture.upload(by: resumption).discardUnfinished(over: service)
    }
  }

  @Test("A record that is damaged, or that of another upload, begins the upload anew")
  func records() async throws {
    for resumption in UploadFixture.both {
      let service = UploadService(resumption)
      await interrupt(service, by: resumption)
      try fixture.write(Array("switchyard-upload 1\nident".utf8), "chart.bin.upload")
      #expect(try await fixture.upload(by: resumption).run(over: service).resumedFrom == 0)
      await interrupt(service, by: resumption)
      try FileManager.default.removeItem(atPath: fixture.recordPath)
      #expect(try await fixture.upload(by: resumption).run(over: service).resumedFrom == 0)
      await interrupt(service, by: resumption)
      let other: UploadProtocol = service.isTus ? .tus(metadata: ["a": "b"]) : .tus()
      #expect(try await fixture.upload(by: other).run(over: UploadService(other)).resumedFrom == 0)
    }
  }

  @Test("An upload with the same identity resumes under another URL, from its own record")
  func identity() async throws {
    let service = UploadService(.tus())
    let fixture = fixture
    func upload(_ path: String) -> FileUpload {
      FileUpload(
        Request(method: .post, authority: "a.example", path: path), from: fixture.path, by: .tus(),
        recordPath: fixture.path + ".state", identity: "chart 7", policy: .oneAttempt)
    }
    service.next("PATCH", .breakOff(after: 40))
    #expect(await upload("/files?signature=1").result(over: service).error != nil)
    #expect(try fixture.names == ["chart.bin", "chart.bin.state"])
    #expect(try await upload("/files?signature=2").run(over: service).resumedFrom == 40)
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test("An expired upload is begun anew without a question")
  func expired() async throws {
    for resumption in UploadFixture.both {
      let service = UploadService(resumption)
      service.creationField("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
      service.creationField("Upload-Expires", "Sun, 06 Nov 1994 08:50:37 GMT")
      service.creationField("Upload-Limit", "max-age=60")
      let now = WallClock(WallTime(secondsSince1970: 1_000_000_000))
      let time = TimeSource(fixture.clock, wall: { now.value })
      service.next("PATCH", .breakOff(after: 40))
      #expect(await fixture.upload(by: resumption, time: time).result(over: service).error != nil)
      now.advance(by: 59)
      service.next("PATCH", .breakOff(after: 10))
      #expect(await fixture.upload(by: resumption, time: time).result(over: service).error != nil)
      #expect(service.createdCount == 1 && service.content?.count == 50)
      now.advance(by: 1)
      let before = service.log.count
      let outcome = try await fixture.upload(by: resumption, time: time).run(over: service)
      #expect(outcome.resumedFrom == 0 && service.createdCount == 2)
      #expect(!service.log.dropFirst(before).contains("HEAD"))
    }
  }

  @Test("Another run of the upload at the same time is refused", arguments: UploadFixture.both)
  func occupied(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    let upload = fixture.upload(by: resumption)
    let nested = ScriptedDispatcher { request, _ throws(NetworkError) in
      if request.head.method == .post { _ = try await upload.run(over: service) }
      return try await service.dispatch(request)
    }
    #expect(await upload.result(over: nested).fault == .occupied)
    #expect(service.createdCount == 0)
    _ = try await upload.run(over: service)
    #expect(service.content == Array(0..<100))
  }

  @Test(
    "A cancellation during a wait or a part keeps the upload for the next run", arguments: UploadFixture.both)
  func cancelled(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    service.next("PATCH", .breakOff(after: 30))
    let upload = fixture.upload(by: resumption, UploadPolicy())
    let waiting = Task { await upload.result(over: service) }
    try await fixture.clock.waitForSleepers()
    waiting.cancel()
    #expect(await waiting.value.error?.kind == .cancelled(.task))
    let (reached, reach) = AsyncStream.makeStream(of: Void.self)
    let hanging = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.method == .patch else { return try await service.dispatch(request) }
      reach.yield()
      await #expect(throws: CancellationError.self) {
        try await waitUntil("the request is cancelled") { false }
      }
      throw NetworkError(.cancelled(.task), "Cancelled.", requestMayHaveBeenProcessed: true)
    }
    let sending = Task { await upload.result(over: hanging) }
    _ = await reached.first { _ in true }
    sending.cancel()
    #expect(await sending.value.error?.kind == .cancelled(.task))
    #expect(try await fixture.upload(by: resumption).run(over: service).resumedFrom == 30)
    let early = Task { [fixture] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await fixture.upload(by: resumption).result(over: service)
    }
    #expect(await early.value.error?.kind == .cancelled(.task))
  }

  @Test("Discarding removes the upload from the server, and its record", arguments: UploadFixture.both)
  func discarded(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    try await fixture.upload(by: resumption).discardUnfinished(over: service)
    #expect(service.log.isEmpty)
    await interrupt(service, by: resumption)
    try await fixture.upload(by: resumption).discardUnfinished(over: service)
    #expect(service.log.last == "DELETE" && service.uploadCount == 0)
    #expect(service.received.last?.value("Authorization") == "Bearer t0ken")
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test("A URL that is refused before it is requested blocks neither the next run nor discarding")
  func refusedURL() async throws {
    func refusing(_ service: UploadService) -> ScriptedDispatcher {
      ScriptedDispatcher { request, _ throws(NetworkError) in
        guard request.head.path?.hasPrefix(UploadService.secret) == true else {
          return try await service.dispatch(request)
        }
        throw NetworkError(.invalidRequest, "Shorten the URL.", requestMayHaveBeenProcessed: false)
      }
    }
    let service = UploadService(.tus())
    await interrupt(service, by: .tus())
    let result = await fixture.upload(by: .tus()).result(over: refusing(service))
    #expect(result.fault == .invalidLocation)
    #expect(result.error.map { "\($0)".contains("s3cret") } == false)
    #expect(try fixture.names == ["chart.bin"])
    #expect(try await fixture.upload(by: .tus()).run(over: service).resumedFrom == 0)

    let other = UploadService(.tus())
    await interrupt(other, by: .tus())
    try await fixture.upload(by: .tus()).discardUnfinished(over: refusing(other))
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test("A removal that fails keeps the record, and one that the server does not know doesn't")
  func notDiscarded() async throws {
    let service = UploadService(.tus())
    await interrupt(service, by: .tus())
    service.next("DELETE", .status(500), .mute, .status(405))
    for _ in 0..<2 {
      let error = await #expect(throws: NetworkError.self) {
        try await fixture.upload(by: .tus()).discardUnfinished(over: service)
      }
      #expect(error.map { "\($0)".contains("s3cret") } == false)
      #expect(try fixture.names == ["chart.bin", "chart.bin.upload"])
    }
    try await fixture.upload(by: .tus()).discardUnfinished(over: service)
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test("A record that cannot be written removes the new upload from the server, before content is sent")
  func unwritable() async throws {
    let service = UploadService(.tus())
    let fixture = fixture
    let blocking = ScriptedDispatcher { request, _ throws(NetworkError) in
      // A folder that can't be replaced by the record.
      if request.head.method == .post {
        try? FileManager.default.createDirectory(
          atPath: fixture.recordPath + ".new/a", withIntermediateDirectories: true)
      }
      return try await service.dispatch(request)
    }
    #expect(await fixture.upload(by: .tus()).result(over: blocking).fault == .record)
    #expect(service.log == ["OPTIONS", "POST", "DELETE"] && service.uploadCount == 0)
  }
}

/// A wall clock that only a test advances.
private final class WallClock: Sendable {
  private let state: Mutex<WallTime>

  init(_ time: WallTime) { state = Mutex(time) }

  var value: WallTime { state.withLock { $0 } }

  func advance(by seconds: Int) { state.withLock { $0 = $0.advanced(by: .seconds(seconds)) } }
}
