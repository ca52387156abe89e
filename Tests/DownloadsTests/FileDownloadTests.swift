import Downloads
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("A download to a file", .timeLimit(.minutes(5)))
struct FileDownloadTests {
  static let content = (0..<100).map { UInt8($0) }
  static let request = Request(authority: "a.example", path: "/file?key=1")
  let folder: DownloadFolder

  init() throws { folder = try DownloadFolder() }

  // Runs end at their first failure, and no version is kept; FailingDownloadTests and RevalidatingTests have
  // the other policies.
  private static let policy = DownloadPolicy(failureLimit: 1, revalidates: false)

  private var download: FileDownload { FileDownload(Self.request, to: folder.target, policy: Self.policy) }

  @discardableResult
  private func failure(
    _ server: some Dispatcher, _ download: FileDownload? = nil
  ) async -> NetworkError? {
    await #expect(throws: NetworkError.self) { try await (download ?? self.download).run(over: server) }
  }

  @Test("The target is replaced when the file is complete, and no other file remains")
  func whole() async throws {
    try folder.write([1, 2, 3], "file.bin")
    let meter = TransferMeter()
    let server = RangeServer(Self.content)
    let outcome = try await download.run(over: server, reportingTo: meter)
    #expect(outcome.length == 100 && outcome.resumedFrom == 0 && outcome.head.status == .ok)
    #expect(try folder.read() == Self.content)
    #expect(try folder.names == ["file.bin"])
    var last: TransferMeter.Progress?
    for await progress in meter.updates() { last = progress }
    #expect(last == TransferMeter.Progress(.download, bytes: 100, total: 100))
  }

  @Test("An empty content becomes an empty file, and a buffered response is written as well")
  func shapes() async throws {
    _ = try await download.run(over: RangeServer([]))
    #expect(try folder.read().isEmpty)
    _ = try await download.run(over: ScriptedDispatcher(answering: Response(status: .ok, bytes: [4, 5])))
    #expect(try folder.read() == [4, 5])
    #expect(try folder.names == ["file.bin"])
  }

  @Test("An interrupted download resumes, and the target is unchanged until it is complete")
  func resumed() async throws {
    try folder.write([9], "file.bin")
    let server = RangeServer(Self.content, breaksAfter: 30)
    for run in 1...3 {
      let error = await failure(server)
      #expect(error?.kind == .transport)
      #expect(try folder.read() == [9])
      #expect(try folder.read("file.bin.part") == Array(Self.content[..<(30 * run)]))
    }
    server.change { $0.breaksAfter = nil }
    let outcome = try await download.run(over: server)
    #expect(outcome.resumedFrom == 90 && outcome.length == 100 && outcome.head.status == .partialContent)
    #expect(try folder.read() == Self.content)
    #expect(try folder.names == ["file.bin"])
    #expect(server.ranges == [nil, "bytes=30-", "bytes=60-", "bytes=90-"])
    #expect(server.conditions == [nil, "\"v1\"", "\"v1\"", "\"v1\""])
  }

  @Test("The download starts anew if the content has changed")
  func changed() async throws {
    let server = RangeServer(Self.content, breaksAfter: 30)
    await failure(server)
    let other = (0..<50).map { UInt8($0 + 100) }
    server.change { $0 = .init(bytes: other, fields: [.eTag: "\"v2\""], breaksAfter: 20) }
    await failure(server)
    #expect(try folder.read("file.bin.part") == Array(other[..<20]))
    server.change { $0.breaksAfter = nil }
    let outcome = try await download.run(over: server)
    #expect(outcome.resumedFrom == 20)
    #expect(try folder.read() == other)
  }

  @Test("Without an entity tag, the download resumes by the last modification date")
  func byDate() async throws {
    let server = RangeServer(Self.content, tag: nil, breaksAfter: 30)
    server.change {
      $0.fields = [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Mon, 07 Nov 1994 08:49:37 GMT"]
    }
    await failure(server)
    server.change { $0.breaksAfter = nil }
    #expect(try await download.run(over: server).resumedFrom == 30)
    #expect(server.conditions.last == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(try folder.read() == Self.content)
  }

  @Test("Without a strong validator, no unfinished file is kept", arguments: [nil, "W/\"v1\""])
  func weak(tag: String?) async throws {
    let server = RangeServer(Self.content, tag: tag, breaksAfter: 30)
    await failure(server)
    #expect(try folder.names == [])
    server.change { $0.breaksAfter = nil }
    #expect(try await download.run(over: server).resumedFrom == 0)
    #expect(server.ranges == [nil, nil])
  }

  @Test("The download starts anew if its record is damaged, missing, or that of another download")
  func notes() async throws {
    let other = FileDownload(
      Request(authority: "b.example", path: "/other"), to: folder.target, policy: Self.policy)
    for case let number in 0..<3 {
      let server = RangeServer(Self.content, breaksAfter: 30)
      await failure(server, number == 2 ? other : nil)
      switch number {
      case 0: try folder.write(Array("switchyard-download 1\nident".utf8), "file.bin.part.info")
      case 1: try FileManager.default.removeItem(atPath: folder.target + ".part.info")
      default: break
      }
      server.change { $0.breaksAfter = nil }
      #expect(try await download.run(over: server).resumedFrom == 0)
      #expect(server.ranges == [nil, nil])
      #expect(try folder.read() == Self.content)
    }
  }

  @Test("A download with the same identity resumes under another URL")
  func identity() async throws {
    let server = RangeServer(Self.content, breaksAfter: 30)
    func download(_ path: String) -> FileDownload {
      FileDownload(
        Request(authority: "a.example", path: path), to: folder.target, identity: "chart 7",
        policy: Self.policy)
    }
    await failure(server, download("/f?signature=1"))
    server.change { $0.breaksAfter = nil }
    #expect(try await download("/f?signature=2").run(over: server).resumedFrom == 30)
  }

  @Test("A file that lacked only its renaming is completed when the server has no more bytes")
  func complete() async throws {
    let server = RangeServer(Self.content, breaksAfter: 100)
    await failure(server)
    let outcome = try await download.run(over: server)
    #expect(outcome.head.status == .rangeNotSatisfiable && outcome.resumedFrom == 100)
    #expect(try folder.read() == Self.content)
    #expect(try folder.names == ["file.bin"])
  }

  @Test("After a wrong range, the whole content is requested once")
  func lies() async throws {
    for range in ["bytes 29-99/100", "bytes 30-99/90", "bytes 30-200/201", "nonsense"] {
      let honest = RangeServer(Self.content, breaksAfter: 30)
      await failure(honest)
      honest.change { $0.breaksAfter = nil }
      let liar = ScriptedDispatcher { request, _ throws(NetworkError) in
        var response = try await honest.dispatch(request)
        if response.status == .partialContent { response.head.headerFields[.contentRange] = range }
        return response
      }
      let outcome = try await download.run(over: liar)
      #expect(outcome.resumedFrom == 0)
      #expect(liar.requests.map { $0.head.headerFields[.range] } == ["bytes=30-", nil])
      #expect(try folder.read() == Self.content)
    }
  }

  @Test("A remainder that arrives in several parts is appended")
  func slices() async throws {
    let server = RangeServer(Self.content, breaksAfter: 30)
    await failure(server)
    let slicing = ScriptedDispatcher { request, _ throws(NetworkError) in
      let start = Int(request.head.headerFields[.range]?.dropFirst(6).dropLast() ?? "") ?? 0
      let end = min(start + 25, 100)
      let fields: HTTPFields = [.contentRange: "bytes \(start)-\(end - 1)/100", .eTag: "\"v1\""]
      return Response(status: .partialContent, headerFields: fields, bytes: Array(Self.content[start..<end]))
    }
    #expect(try await download.run(over: slicing).resumedFrom == 30)
    #expect(slicing.requests.count == 3)
    #expect(try folder.read() == Self.content)
  }

  @Test("A response longer than announced discards the file, and a shorter one keeps it")
  func wrongLength() async throws {
    func answering(_ bytes: [UInt8]) -> ScriptedDispatcher {
      ScriptedDispatcher { _, _ throws(NetworkError) in
        let stream = BodyStream(length: 4, ScriptedByteSource([bytes]))
        return Response(HTTPResponse(status: .ok, headerFields: [.eTag: "\"v\""]), body: .stream(stream))
      }
    }
    #expect(await failure(answering([1, 2, 3]))?.kind == .transport)
    #expect(try folder.read("file.bin.part") == [1, 2, 3])
    #expect(await failure(answering([1, 2, 3, 4, 5]))?.kind == .protocolViolation)
    #expect(try folder.names == [])
  }

  @Test("The unfinished file is unchanged after another status, a part that was decoded, or an error")
  func refused() async throws {
    let server = RangeServer(Self.content, breaksAfter: 30)
    await failure(server)
    let missing = await failure(ScriptedDispatcher(answering: Response(status: .notFound)))
    #expect(missing?.kind == .rejected)
    #expect(missing?.underlying(as: DownloadFault.self) == .status(HTTPResponse(status: .notFound)))
    var decoded = Response(status: .partialContent, headerFields: [.contentRange: "bytes 30-99/100"])
    decoded.exchange.transport = TransportReport(contentCoding: .gzip)
    let part = await failure(ScriptedDispatcher(answering: decoded))
    #expect(part?.underlying(as: DownloadFault.self) == .contentCoded("gzip"))
    #expect(await failure(ScriptedDispatcher(failing: NetworkError(.offline, "Off.")))?.kind == .offline)
    #expect(try folder.read("file.bin.part").count == 30)
    server.change { $0.breaksAfter = nil }
    #expect(try await download.run(over: server).resumedFrom == 30)
  }

  @Test("A second download to the same file is refused while the first one is running")
  func occupied() async throws {
    let download = download
    let folder = folder
    let nested = ScriptedDispatcher { _, _ throws(NetworkError) in
      _ = try await download.run(over: RangeServer(Self.content))
      return Response(status: .ok)
    }
    #expect(await failure(nested)?.underlying(as: DownloadFault.self) == .occupied)
    _ = try await download.run(over: RangeServer(Self.content))
    #expect(try folder.read() == Self.content)
  }

  @Test(
    "A folder, an invalid name, a link or a pipe is refused, and so are requests unfit for a download")
  func targets() async throws {
    let server = RangeServer(Self.content)
    for path in ["", folder.url.path, folder.url.path + "/new/", "a\0b"] {
      #expect(await failure(server, FileDownload(Self.request, to: path))?.kind == .invalidRequest)
    }
    let nowhere = folder.url.path + "/none/file"
    #expect(
      await failure(server, FileDownload(Self.request, to: nowhere))?.underlying(as: DownloadFault.self)
        == .fileSystem(code: ENOENT))
    try folder.write([1], "precious")
    try FileManager.default.createSymbolicLink(
      atPath: folder.target + ".part", withDestinationPath: folder.url.path + "/precious")
    #expect(await failure(server)?.underlying(as: DownloadFault.self) == .fileSystem(code: ELOOP))
    #expect(try folder.read("precious") == [1])
    try FileManager.default.removeItem(atPath: folder.target + ".part")
    #expect(mkfifo(folder.target + ".part", 0o600) == 0)
    #expect(await failure(server)?.kind == .invalidRequest)

    var post = Self.request
    post.head.method = .post
    var ranged = Self.request
    ranged.head.headerFields[.range] = "bytes=0-1"
    var (trailed, upgrade) = (Self.request, Self.request)
    trailed.trailers = RequestTrailers([.eTag]) { [:] }
    upgrade.context.upgrade = "websocket"
    for request in [post, ranged, trailed, upgrade] {
      #expect(await failure(server, FileDownload(request, to: folder.target))?.kind == .invalidRequest)
    }
    #expect(server.ranges.isEmpty)
  }

  @Test(
    "A target that is not a regular file is refused before anything is requested",
    arguments: SpecialFile.allCases)
  func specialTargets(_ kind: SpecialFile) async throws {
    let server = RangeServer(Self.content)
    try folder.write([1], "precious")
    try kind.make(at: folder.target, precious: folder.url.path + "/precious")
    let before = try FileIdentity(folder.target)
    let error = try #require(await failure(server))
    #expect(error.kind == .invalidRequest)
    #expect(error.reason.contains(folder.target) && error.reason.contains(kind.rawValue))
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(server.ranges.isEmpty)
    #expect(try FileIdentity(folder.target) == before)
    #expect(try folder.read("precious") == [1])
    #expect(try folder.names == ["file.bin", "precious"])
  }

  @Test("A FIFO created at the target meanwhile is refused, and the downloaded bytes are kept")
  func lateTarget() async throws {
    let target = folder.target
    let server = RangeServer(Self.content)
    let late = ScriptedDispatcher { request, _ throws(NetworkError) in
      let response = try await server.dispatch(request)
      _ = mkfifo(target, 0o600)
      return response
    }
    let error = try #require(await failure(late))
    #expect(error.kind == .invalidRequest && error.requestMayHaveBeenProcessed)
    #expect(try FileIdentity(target).mode & S_IFMT == S_IFIFO)
    #expect(try folder.read("file.bin.part") == Self.content)
    try FileManager.default.removeItem(atPath: target)
    #expect(try await download.run(over: server).length == 100)
    #expect(try folder.read() == Self.content)
  }

  @Test("Discarding removes the unfinished file and its record")
  func discarded() async throws {
    await failure(RangeServer(Self.content, breaksAfter: 30))
    #expect(try folder.names == ["file.bin.part", "file.bin.part.info"])
    try download.discardUnfinished()
    #expect(try folder.names == [])
  }
}
