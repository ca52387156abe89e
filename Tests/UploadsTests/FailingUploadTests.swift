import HTTPTypes
import Interception
import SwitchyardTesting
import Testing
import Uploads

@Suite("An upload that continues after failures", .timeLimit(.minutes(5)))
struct FailingUploadTests {
  private let fixture: UploadFixture

  init() throws { fixture = try UploadFixture() }

  /// Runs an upload, and lets each of its waits end; returns the result and the time that passed.
  private func run(
    _ upload: FileUpload, over server: some Dispatcher, waits: Int
  ) async throws -> (result: Result<FileUpload.Outcome, NetworkError>, time: Duration) {
    let clock = fixture.clock
    let start = clock.now
    let task = Task { await upload.result(over: server) }
    for number in 0..<waits {
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(min(1 << number, 30)))
    }
    return (await task.value, start.duration(to: clock.now))
  }

  private func status(_ result: Result<FileUpload.Outcome, NetworkError>) -> Int? {
    if case .status(let head)? = result.fault { head.status.code } else { nil }
  }

  @Test(
    "One run completes the upload although the connection breaks three times", arguments: UploadFixture.both)
  func breaks(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    service.next("PATCH", .breakOff(after: 30), .breakOff(after: 10), .breakOff(after: 0))
    let (result, time) = try await run(
      fixture.upload(by: resumption, UploadPolicy()), over: service, waits: 3)
    let outcome = try result.get()
    #expect(outcome.failures == 3 && outcome.resumedFrom == 0 && time == .seconds(7))
    #expect(
      service.log.suffix(7) == ["PATCH 0", "HEAD", "PATCH 30", "HEAD", "PATCH 40", "HEAD", "PATCH 40"])
    #expect(service.content == Array(0..<100))
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test(
    "A response that is lost after the last part is replaced by a question", arguments: UploadFixture.both)
  func lostEnd(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    service.next("PATCH", .mute)
    let outcome = try await run(fixture.upload(by: resumption, UploadPolicy()), over: service, waits: 1)
      .result.get()
    #expect(service.log.suffix(2) == ["PATCH 0", "HEAD"] && outcome.failures == 1)
    #expect(service.content == Array(0..<100))
  }

  @Test("A lost creation is repeated", arguments: UploadFixture.both)
  func lostCreation(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    service.next("POST", .mute)
    _ = try await run(fixture.upload(by: resumption, UploadPolicy()), over: service, waits: 1).result.get()
    #expect(service.createdCount == 2 && service.content == Array(0..<100))
  }

  @Test(
    "The last failure in a row ends the run, and its error shows no URL of the upload",
    arguments: UploadFixture.both)
  func endless(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    service.always("PATCH", .breakOff(after: 10))
    let result = try await run(fixture.upload(by: resumption, UploadPolicy()), over: service, waits: 4).result
    let error = try #require(result.error)
    #expect(error.kind == .transport && error.retryRefusal == .noAttemptsLeft)
    #expect(
      "\(error)"
        == "transport: The connection broke while /… was sent. [POST https://a.example/files; not sent again: "
        + "it was the last attempt that the policy allows]")
    #expect(try fixture.names == ["chart.bin", "chart.bin.upload"])
    // As a new process does.
    service.next("PATCH")
    let outcome = try await run(fixture.upload(by: resumption), over: service, waits: 0).result.get()
    #expect(outcome.resumedFrom == 50 && service.content == Array(0..<100))
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test("A 409 is followed by a question, and a server that stays at odds with itself is given up")
  func conflict() async throws {
    for resumption in UploadFixture.both {
      let service = UploadService(resumption)
      service.next("PATCH", .breakOff(after: 30))
      service.next("HEAD", .offset("20"))
      _ = try await run(fixture.upload(by: resumption, UploadPolicy()), over: service, waits: 2).result.get()
      #expect(
        service.log.suffix(5) == ["PATCH 0", "HEAD", "PATCH 20", "HEAD", "PATCH 30"])
      service.always("PATCH", .status(409))
      let result = try await run(fixture.upload(by: resumption, UploadPolicy()), over: service, waits: 4)
        .result
      #expect(status(result) == 409 && result.error?.retryRefusal == .noAttemptsLeft)
      try? await fixture.upload(by: resumption).discardUnfinished(over: service)
    }
  }

  @Test("A server that lies about its position ends the run at once", arguments: ["101", "-5", "x", ""])
  func lies(offset: String) async throws {
    for resumption in UploadFixture.both {
      let service = UploadService(resumption)
      service.next("PATCH", .breakOff(after: 30))
      service.next("HEAD", .offset(offset))
      let result = try await run(fixture.upload(by: resumption, UploadPolicy()), over: service, waits: 1)
        .result
      #expect(result.error?.kind == .protocolViolation && service.log.last == "HEAD")
      try await fixture.upload(by: resumption).discardUnfinished(over: service)
    }
  }

  @Test("A position that was sent but is not stored is noticed when the server takes it back")
  func takenBack() async throws {
    for resumption in UploadFixture.both {
      let service = UploadService(resumption)
      service.next("PATCH", .breakOff(after: 30))
      service.next("HEAD", .offset("31"))
      let result = try await run(fixture.upload(by: resumption, UploadPolicy()), over: service, waits: 2)
        .result
      #expect(result.error?.kind == .protocolViolation)
      #expect(service.log.suffix(4) == ["PATCH 0", "HEAD", "PATCH 31", "HEAD"])
      try await fixture.upload(by: resumption).discardUnfinished(over: service)
    }
  }

  @Test(
    "A part that is confirmed at a wrong position ends the run",
    arguments: ["101", "-1", "99999999999999999999"])
  func wrongConfirmation(offset: String) async throws {
    let service = UploadService(.tus())
    service.next("PATCH", .offset(offset))
    let result = await fixture.upload(by: .tus(), UploadPolicy()).result(over: service)
    #expect(result.error?.kind == .protocolViolation)
  }

  @Test("Going backwards from what was confirmed ends the run")
  func backwards() async throws {
    for resumption in UploadFixture.both {
      let service = UploadService(resumption)
      service.next("PATCH", .none, .breakOff(after: 0))
      service.next("HEAD", .offset("39"))
      let policy = UploadPolicy(maximumRequestSize: 40)
      let result = try await run(fixture.upload(by: resumption, policy), over: service, waits: 1).result
      #expect(result.error?.kind == .protocolViolation)
      try? await fixture.upload(by: resumption).discardUnfinished(over: service)
    }
  }

  @Test("A 503 is survived after the wait that the server asks for, at any step")
  func overloaded() async throws {
    for method in ["OPTIONS", "POST", "PATCH"] {
      let service = UploadService(.tus())
      service.next(method, .status(503, ("Retry-After", "3")))
      let clock = fixture.clock
      let upload = fixture.upload(by: .tus(), UploadPolicy())
      let task = Task { try await upload.run(over: service) }
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(3))
      #expect(service.log.last?.hasPrefix(method) == true)
      clock.advance(by: .seconds(1))
      #expect(try await task.value.failures == 1)
    }
    let down = UploadService(.tus())
    down.next("POST", .status(503, ("Retry-After", "3600")))
    let result = await fixture.upload(by: .tus(), UploadPolicy()).result(over: down)
    #expect(status(result) == 503 && result.error?.retryRefusal == .retryAfterTooLong)
  }

  @Test("A 413 makes the parts smaller without a wait", arguments: UploadFixture.both)
  func smaller(resumption: UploadProtocol) async throws {
    try fixture.write([UInt8](repeating: 7, count: 200_000))
    let service = UploadService(resumption)
    service.next("PATCH", .status(413))
    let outcome = try await fixture.upload(by: resumption).run(over: service)
    #expect(service.log.suffix(4) == ["PATCH 0", "HEAD", "PATCH 0", "PATCH 100000"] && outcome.failures == 0)
    #expect(service.content?.count == 200_000)
    let strict = UploadService(resumption)
    strict.always("PATCH", .status(413))
    #expect(await fixture.upload(by: resumption).result(over: strict).fault == .tooLarge)
  }

  @Test("A checksum that does not match sends the part again, a bounded number of times")
  func mismatch() async throws {
    let resumption = UploadProtocol.tus(checksum: .sha1)
    let service = UploadService(resumption)
    service.supports("Tus-Checksum-Algorithm", "sha1")
    service.next("PATCH", .status(460))
    let upload = fixture.upload(by: resumption, UploadPolicy())
    #expect(try await run(upload, over: service, waits: 1).result.get().failures == 1)
    #expect(service.content == Array(0..<100))
    service.always("PATCH", .status(460))
    #expect(try await run(upload, over: service, waits: 4).result.fault == .checksumMismatch)
  }

  @Test("An upload that the server forgets is begun anew, twice at most", arguments: UploadFixture.both)
  func forgotten(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    service.next("PATCH", .none, .forget)
    let policy = UploadPolicy(maximumRequestSize: 40)
    let outcome = try await fixture.upload(by: resumption, policy).run(over: service)
    #expect(service.createdCount == 2 && outcome.url.hasSuffix("2"))
    #expect(service.content == Array(0..<100))
    service.always("PATCH", .forget)
    let result = await fixture.upload(by: resumption, policy).result(over: service)
    #expect(result.fault == .gone && service.createdCount == 2 + 3)
  }

  @Test(
    "An upload that is gone after its end was sent is not sent again by this run",
    arguments: UploadFixture.both)
  func unknownEnd(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    service.next("PATCH", .mute)
    service.next("HEAD", .forget)
    let upload = fixture.upload(by: resumption, UploadPolicy())
    #expect(try await run(upload, over: service, waits: 1).result.fault == .completionUnknown)
    #expect(service.createdCount == 1)
    #expect(try await fixture.upload(by: resumption).run(over: service).resumedFrom == 0)
    #expect(service.createdCount == 2 && service.content == Array(0..<100))
  }

  @Test("A representation that the server refuses ends the upload of the draft, and its record")
  func unprocessed() async throws {
    let service = UploadService(.httpDraft)
    service.next("PATCH", .edit { $0.status = 422 })
    let result = await fixture.upload(by: .httpDraft, UploadPolicy()).result(over: service)
    #expect(status(result) == 422)
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test("A part that the transport can't send again by itself is a lost connection")
  func notReplayed() async throws {
    let service = UploadService(.tus())
    let reusing = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.method == .patch else { return try await service.dispatch(request) }
      throw NetworkError(.bodyNotReplayable, "It can't be read again.", requestMayHaveBeenProcessed: true)
    }
    let result = try await run(
      fixture.upload(by: .tus(), UploadPolicy(failureLimit: 2)), over: reusing, waits: 1
    )
    .result
    #expect(result.error?.kind == .transport && result.error?.retryRefusal == .noAttemptsLeft)
  }

  @Test("Without a network the run ends at once, and the upload can be resumed")
  func offline() async throws {
    let service = UploadService(.tus())
    let unplugged = ScriptedDispatcher { request, _ throws(NetworkError) in
      if request.head.method == .patch { throw NetworkError(.offline, "There is no network.") }
      return try await service.dispatch(request)
    }
    let result = await fixture.upload(by: .tus(), UploadPolicy()).result(over: unplugged)
    #expect(result.error?.kind == .offline)
    _ = try await fixture.upload(by: .tus()).run(over: service)
    #expect(service.createdCount == 1 && service.log.suffix(2) == ["HEAD", "PATCH 0"])
  }

  @Test("A refusal of the chain's budget ends the run with its reason")
  func budget() async throws {
    let service = UploadService(.tus())
    let spent = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.method == .patch else { return try await service.dispatch(request) }
      return Response(
        HTTPResponse(status: .serviceUnavailable), exchange: Exchange(attempts: 3, retryRefusal: .budgetSpent)
      )
    }
    let error = try #require(await fixture.upload(by: .tus(), UploadPolicy()).result(over: spent).error)
    #expect(error.retryRefusal == .budgetSpent)
    #expect("\(error)".contains("[POST https://a.example/files, attempt 3; not sent again: "))
  }

  @Test("The call's time limit ends the run, whatever the policy, and each request gets what is left of it")
  func callLimit() async throws {
    let service = UploadService(.httpDraft)
    service.always("PATCH", .breakOff(after: 10))
    let recording = ScriptedDispatcher { request, _ throws(NetworkError) in
      try await service.dispatch(request)
    }
    let upload = fixture.upload(by: .httpDraft, UploadPolicy(failureLimit: 100), call: .seconds(6))
    let result = try await run(upload, over: recording, waits: 2).result
    #expect(result.error?.retryRefusal == .noTimeLeft)
    #expect(
      recording.requests.map(\.options.timeouts.call) == [6, 6, 5, 5, 3, 3].map { .seconds($0) })
  }
}
