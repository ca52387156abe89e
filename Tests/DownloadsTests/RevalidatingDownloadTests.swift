import Downloads
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("A download of a file that is complete", .timeLimit(.minutes(5)))
struct RevalidatingDownloadTests {
  private static let content = (0..<100).map { UInt8($0) }
  private let folder: DownloadFolder

  init() throws { folder = try DownloadFolder() }

  private func download(
    _ path: String = "/file", policy: DownloadPolicy = .oneAttempt, fields: HTTPFields = [:]
  ) -> FileDownload {
    FileDownload(
      Request(authority: "a.example", path: path, headerFields: fields), to: folder.target, policy: policy)
  }

  private func condition(_ server: RangeServer) -> String? {
    server.requests.last?.head.headerFields[.ifNoneMatch]
  }

  @Test("Nothing is transferred if the server has the same version")
  func unchanged() async throws {
    let server = RangeServer(Self.content)
    #expect(try await !download().run(over: server).isUnchanged)
    #expect(try folder.names == [".file.bin.version", "file.bin"])
    let before = try FileIdentity(folder.target)
    let meter = TransferMeter()
    let outcome = try await download().run(over: server, reportingTo: meter)
    #expect(outcome.isUnchanged && outcome.length == 100 && outcome.resumedFrom == 100)
    #expect("\(outcome)" == "304, 100 bytes, unchanged")
    #expect(outcome.head.status == .notModified && condition(server) == "\"v1\"")
    #expect(meter.latest == TransferMeter.Progress(.download, bytes: 100, total: 100))
    #expect(try FileIdentity(folder.target) == before)
    #expect(try folder.names == [".file.bin.version", "file.bin"])
  }

  @Test("Another version replaces the file, and is the one that is confirmed next")
  func replaced() async throws {
    let server = RangeServer(Self.content)
    _ = try await download().run(over: server)
    server.change { $0 = .init(bytes: [1, 2, 3], fields: [.eTag: "\"v2\""]) }
    #expect(try await !download().run(over: server).isUnchanged)
    #expect(try folder.read() == [1, 2, 3])
    #expect(try await download().run(over: server).isUnchanged)
    #expect(condition(server) == "\"v2\"")
  }

  @Test("A last modification date confirms a file without an entity tag")
  func byDate() async throws {
    let server = RangeServer(Self.content, tag: nil)
    server.change {
      $0.fields = [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Mon, 07 Nov 1994 08:49:37 GMT"]
    }
    _ = try await download().run(over: server)
    #expect(try await download().run(over: server).isUnchanged)
    #expect(server.requests.last?.head.headerFields[.ifModifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  @Test(
    "The whole content is requested if the file was changed, replaced or removed, or its version is not known",
    arguments: ["appended", "overwritten", "replaced", "removed", "damaged", "other"])
  func mistrusted(what: String) async throws {
    let server = RangeServer(Self.content)
    _ = try await download().run(over: server)
    switch what {
    case "appended": try folder.write(Self.content + [7], "file.bin")
    case "overwritten":
      let handle = try FileHandle(forUpdating: URL(filePath: folder.target))
      try handle.write(contentsOf: Data([9]))
      try handle.close()
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder.target)
    case "replaced":
      try Data(Self.content.reversed()).write(to: URL(filePath: folder.target), options: .atomic)
    case "removed": try FileManager.default.removeItem(atPath: folder.target)
    case "damaged": try folder.write(Array("switchyard".utf8), ".file.bin.version")
    default: break
    }
    let outcome = try await download(what == "other" ? "/other" : "/file").run(over: server)
    #expect(!outcome.isUnchanged && outcome.head.status == .ok && condition(server) == nil)
    #expect(try folder.read() == Self.content)
  }

  @Test("A file that is changed while the server confirms it is requested as a whole")
  func changedMeanwhile() async throws {
    let server = RangeServer(Self.content)
    _ = try await download().run(over: server)
    let folder = folder
    let racing = ScriptedDispatcher { request, number throws(NetworkError) in
      if number == 1 { try? folder.write([1], "file.bin") }
      return try await server.dispatch(request)
    }
    #expect(try await !download().run(over: racing).isUnchanged)
    #expect(racing.requests.map { $0.head.headerFields[.ifNoneMatch] } == ["\"v1\"", nil])
    #expect(try folder.read() == Self.content)
  }

  @Test("A failure leaves the file and its version, and a newer unfinished file beside it resumes")
  func interrupted() async throws {
    let server = RangeServer(Self.content)
    _ = try await download().run(over: server)
    let other = (0..<60).map { UInt8($0 + 100) }
    server.change { $0 = .init(bytes: other, fields: [.eTag: "\"v2\""], breaksAfter: 20) }
    await #expect(throws: NetworkError.self) { try await download().run(over: server) }
    #expect(try folder.read() == Self.content)
    server.change { $0.breaksAfter = nil }
    let outcome = try await download().run(over: server)
    #expect(outcome.resumedFrom == 20 && condition(server) == "\"v1\"")
    #expect(try folder.read() == other)
  }

  @Test("A server that returns to the complete version discards the unfinished file of the other one")
  func returned() async throws {
    let server = RangeServer(Self.content)
    _ = try await download().run(over: server)
    server.change { $0 = .init(bytes: [1, 2, 3, 4], fields: [.eTag: "\"v2\""], breaksAfter: 2) }
    await #expect(throws: NetworkError.self) { try await download().run(over: server) }
    server.change { $0 = .init(bytes: Self.content, fields: [.eTag: "\"v1\""]) }
    #expect(try await download().run(over: server).isUnchanged)
    #expect(try folder.read() == Self.content)
    #expect(try folder.names == [".file.bin.version", "file.bin"])
  }

  @Test("A refused connection before the confirmation keeps the condition for the next request")
  func refusedFirst() async throws {
    let server = RangeServer(Self.content)
    _ = try await download().run(over: server)
    let refusing = ScriptedDispatcher { request, number throws(NetworkError) in
      guard number > 1 else { throw NetworkError(.connect, "Refused.") }
      return try await server.dispatch(request)
    }
    let outcome = try await download(policy: DownloadPolicy(firstWait: .zero)).run(over: refusing)
    #expect(outcome.isUnchanged && outcome.failures == 1)
  }

  @Test("Without revalidation, a strong validator or a place for it, no version is kept or used")
  func without() async throws {
    let server = RangeServer(Self.content)
    let policy = DownloadPolicy(revalidates: false)
    _ = try await download(policy: policy).run(over: server)
    #expect(try folder.names == ["file.bin"])
    _ = try await download().run(over: server)
    _ = try await download(policy: policy).run(over: server)
    #expect(condition(server) == nil)
    #expect(try folder.names == ["file.bin"])
    _ = try await download().run(over: RangeServer(Self.content, tag: "W/\"v1\""))
    #expect(try folder.names == ["file.bin"])
    try FileManager.default.createDirectory(
      atPath: folder.url.path + "/.file.bin.version", withIntermediateDirectories: false)
    #expect(try await download().run(over: server).length == 100)
    #expect(try folder.names == [".file.bin.version", "file.bin"])
  }

  @Test("A condition of the request's own is left alone, and its 304 is an error")
  func ownCondition() async throws {
    let server = RangeServer(Self.content)
    _ = try await download().run(over: server)
    let error = await #expect(throws: NetworkError.self) {
      try await download(fields: [.ifNoneMatch: "\"v1\""]).run(over: server)
    }
    guard case .status(let head)? = error?.underlying(as: DownloadFault.self) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(head.status == .notModified)
  }
}
