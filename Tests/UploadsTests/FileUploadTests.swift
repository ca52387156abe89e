import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing
import Uploads

@Suite("An upload of a file", .timeLimit(.minutes(5)))
struct FileUploadTests {
  private let fixture: UploadFixture

  init() throws { fixture = try UploadFixture() }

  @Test("A file is created, sent in one part, and leaves no record", arguments: UploadFixture.both)
  func whole(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    let meter = TransferMeter()
    let outcome = try await fixture.upload(by: resumption).run(over: service, reportingTo: meter)
    #expect(service.log == (service.isTus ? ["OPTIONS"] : []) + ["POST", "PATCH 0"])
    #expect(service.content == Array(0..<100) && service.isComplete)
    #expect(outcome.length == 100 && outcome.resumedFrom == 0 && outcome.failures == 0)
    #expect(outcome.url == "https://a.example\(UploadService.secret)1")
    #expect(outcome.exchange.attempts == 1)
    #expect(try await outcome.body.collect(upTo: 100) == (service.isTus ? [] : Array("{\"id\":7}".utf8)))
    #expect(try fixture.names == ["chart.bin"])
    var last: TransferMeter.Progress?
    for await progress in meter.updates() { last = progress }
    #expect(last == TransferMeter.Progress(.upload, bytes: 100, total: 100))
    #expect(service.received.allSatisfy { $0.value("Authorization") == "Bearer t0ken" })
  }

  @Test(
    "The text of an outcome is one line without the URL, and so is its dump", arguments: UploadFixture.both)
  func outcomeText(resumption: UploadProtocol) async throws {
    let outcome = try await fixture.upload(by: resumption).run(over: UploadService(resumption))
    var dumped = ""
    dump(outcome, to: &dumped)
    #expect(outcome.url.contains(UploadService.secret))
    #expect("\(outcome)" == "\(outcome.head.status.code), 100 bytes")
    for text in ["\(outcome)", String(reflecting: outcome), dumped] {
      #expect(!text.contains(UploadService.secret), "\(text)")
    }
  }

  @Test("A file is sent in parts of at most the given size", arguments: UploadFixture.both)
  func parts(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    let policy = UploadPolicy(maximumRequestSize: 40)
    let outcome = try await fixture.upload(by: resumption, policy).run(over: service)
    #expect(service.log.suffix(3) == ["PATCH 0", "PATCH 40", "PATCH 80"])
    #expect(service.content == Array(0..<100) && outcome.length == 100)
  }

  @Test("An empty file is uploaded", arguments: UploadFixture.both)
  func empty(resumption: UploadProtocol) async throws {
    try fixture.write([])
    let service = UploadService(resumption)
    let meter = TransferMeter()
    let outcome = try await fixture.upload(by: resumption).run(over: service, reportingTo: meter)
    #expect(outcome.length == 0 && service.isComplete)
    #expect(meter.latest == TransferMeter.Progress(.upload, bytes: 0, total: 0))
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test(
    "A file of several pieces is sent as it is, and its progress never decreases",
    arguments: UploadFixture.both)
  func pieces(resumption: UploadProtocol) async throws {
    let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try fixture.write(content)
    let service = UploadService(resumption)
    service.next("PATCH", .breakOff(after: 200_000))
    service.next("HEAD", .offset("100000"))
    let policy = UploadPolicy(firstWait: .zero)
    let meter = TransferMeter()
    let updates = meter.updates()
    let seen = Task {
      var values: [Int64] = []
      for await progress in updates { values.append(progress.bytes) }
      return values
    }
    let result = await fixture.upload(by: resumption, policy).result(over: service, reportingTo: meter)
    // The position was a lie, so the server has it again with the next question.
    #expect(try result.get().failures == 2)
    #expect(service.content == content)
    let values = await seen.value
    #expect(values == values.sorted() && values.last == 300_000)
  }

  @Test("The record is on disk, for its owner only, before content is sent", arguments: UploadFixture.both)
  func record(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    let fixture = fixture
    let watching = ScriptedDispatcher { request, _ throws(NetworkError) in
      let hasRecord = FileManager.default.fileExists(atPath: fixture.recordPath)
      #expect(hasRecord == (request.head.method == .patch))
      if hasRecord {
        let attributes = try? FileManager.default.attributesOfItem(atPath: fixture.recordPath)
        #expect(attributes?[.posixPermissions] as? Int == 0o600)
        #expect((try? fixture.read("chart.bin.upload"))?.contains(UploadService.secret) == true)
      }
      return try await service.dispatch(request)
    }
    _ = try await fixture.upload(by: resumption).run(over: watching)
    #expect(service.isComplete)
  }

  @Test("Metadata and the checksum of each part are sent to a tus server that supports it")
  func tusExtensions() async throws {
    try fixture.write(Array("hello world".utf8))
    let resumption = UploadProtocol.tus(metadata: ["filename": "a.txt"], checksum: .sha1)
    let service = UploadService(resumption)
    service.supports("Tus-Checksum-Algorithm", "md5,sha1,crc32")
    _ = try await fixture.upload(by: resumption).run(over: service)
    // The example of tus's specification.
    #expect(service.received.last?.value("Upload-Checksum") == "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=")
    #expect(service.received[1].value("Upload-Metadata") == "filename YS50eHQ=")
    let sha256 = await fixture.upload(by: .tus(checksum: .sha256)).result(over: service)
    #expect(sha256.fault == .unsupportedChecksum && service.createdCount == 1)
    service.supports("Tus-Checksum-Algorithm", "sha256")
    _ = try await fixture.upload(by: .tus(checksum: .sha256), UploadPolicy(maximumRequestSize: 6)).run(
      over: service)
    #expect(
      service.received.suffix(2).map { $0.value("Upload-Checksum") } == [
        "sha256 XjI1qDRuWkWF+MWFYvUFK4/iajuxIuHpbHZ4SWTfxGE=",
        "sha256 SG6kYiTRu0+2gPNPfJrZao8k7Ii+c+qOWmxlJg6cuKc=",
      ])
  }

  @Test("A file that is too large for the server is refused before anything is created or sent")
  func tooLarge() async throws {
    let service = UploadService(.tus())
    service.supports("Tus-Max-Size", "99")
    let refused = await fixture.upload(by: .tus()).result(over: service)
    #expect(refused.fault == .tooLarge && service.log == ["OPTIONS"])
    #expect(refused.error?.reason.contains("99") == true)
    // The draft names its limits with the creation, which is undone.
    let draft = UploadService(.httpDraft)
    draft.creationField("Upload-Limit", "max-size=99")
    #expect(await fixture.upload(by: .httpDraft).result(over: draft).fault == .tooLarge)
    #expect(draft.log == ["POST", "DELETE"] && draft.uploadCount == 0)
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test(
    "A creation without a resumable upload, or with an unsafe URL, is an error that names no URL",
    arguments: [
      (nil, .notResumable), ("http://a.example/files/s3cret-1", .invalidLocation),
      ("ftp://a.example/s3cret-1", .invalidLocation),
      ("/s3cret-1" + String(repeating: "u", count: 8_192), .invalidLocation),
      ("https://u:s3cret-1@a.example/", .invalidLocation),
    ] as [(String?, UploadFault)])
  func location(text: String?, fault: UploadFault) async throws {
    for resumption in UploadFixture.both {
      let service = UploadService(resumption)
      service.next("POST", .location(text))
      let result = await fixture.upload(by: resumption).result(over: service)
      #expect(result.fault == fault)
      let error = try #require(result.error)
      #expect(!"\(error)".contains("s3cret"))
      #expect("\(error)".hasSuffix("[POST https://a.example/files]"))
      #expect(
        !service.log.contains("PATCH 0") && error.kind == (text == nil ? .rejected : .protocolViolation))
      #expect(try fixture.names == ["chart.bin"])
    }
  }

  @Test("An upload at another origin does not receive the credentials", arguments: UploadFixture.both)
  func otherOrigin(resumption: UploadProtocol) async throws {
    let service = UploadService(resumption)
    service.next("POST", .location("https://b.example\(UploadService.secret)1"))
    let outcome = try await fixture.upload(by: resumption).run(over: service)
    #expect(outcome.url == "https://b.example\(UploadService.secret)1")
    #expect(service.received.last?.value("Authorization") == nil)
    #expect(service.received.dropLast().allSatisfy { $0.value("Authorization") == "Bearer t0ken" })
  }

  @Test("A relative URL is relative to that of the creation, after its redirects")
  func redirected() async throws {
    let service = UploadService(.httpDraft)
    let redirecting = ScriptedDispatcher { request, _ throws(NetworkError) in
      var response = try await service.dispatch(request)
      if request.head.method == .post {
        response.exchange.redirects = [
          .init(status: .permanentRedirect, method: .post, url: "https://c.example/files")
        ]
      }
      return response
    }
    #expect(
      try await fixture.upload(by: .httpDraft).run(over: redirecting).url
        == "https://c.example\(UploadService.secret)1")
  }

  @Test("A redirect that the chain does not follow is an error", arguments: [301, 302, 303, 307, 308])
  func notFollowed(code: Int) async throws {
    for (method, resumption) in [("POST", UploadProtocol.tus()), ("PATCH", .httpDraft)] {
      let service = UploadService(resumption)
      service.next(method, .status(code, ("Location", "https://b.example/files")))
      let result = await fixture.upload(by: resumption).result(over: service)
      guard case .status(let head)? = result.fault else {
        Issue.record("\(result)")
        continue
      }
      #expect(head.status.code == code && service.received.last?.method == method)
    }
  }

  @Test("A request or a file that cannot be uploaded is refused before anything is sent")
  func unfit() async throws {
    let service = UploadService(.tus())
    let request = Request(method: .post, authority: "a.example", path: "/files")
    var get = request
    get.head.method = .get
    let folder = URL(filePath: fixture.path).deletingLastPathComponent().path
    for upload in [
      FileUpload(get, from: fixture.path, by: .tus()), FileUpload(request, from: folder, by: .tus()),
      FileUpload(request, from: fixture.path + ".none", by: .tus()),
      FileUpload(request, from: "a\0b", by: .tus()), FileUpload(request, from: "", by: .tus()),
      FileUpload(request, from: fixture.path, by: .tus(), recordPath: fixture.path),
      FileUpload(request, from: fixture.path, by: .tus(), recordPath: ""),
    ] {
      let error = await upload.result(over: service).error
      #expect(error?.kind == .invalidRequest && error?.requestMayHaveBeenProcessed == false)
    }
    let elsewhere = FileUpload(request, from: fixture.path, by: .tus(), recordPath: fixture.path + "/no/a")
    #expect(await elsewhere.result(over: service).fault == .record)
    try fixture.write(Array("My notes".utf8), "chart.bin.upload")
    #expect(await fixture.upload(by: .tus()).result(over: service).fault == .record)
    #expect(try fixture.read("chart.bin.upload") == "My notes")
    #expect(service.log.isEmpty)
  }
}
