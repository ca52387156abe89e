import Downloads
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("A download in several parts that is interrupted", .timeLimit(.minutes(5)))
struct InterruptedPartsTests {
  private let file: PartedFile

  init() throws { file = try PartedFile() }

  @Test("A status that no run survives ends all parts, and the next run requests what is missing")
  func refused() async throws {
    let server = RangeServer(PartedFile.content)
    let meter = TransferMeter()
    let failing = file.treating(60, over: server, meter: meter) { _ throws(NetworkError) in
      Response(status: .internalServerError)
    }
    let error = await file.failure(failing, file.download(failureLimit: 5), reportingTo: meter)
    guard case .status(let head)? = error?.underlying(as: DownloadFault.self) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(head.status == .internalServerError && error?.request?.path == "/file")
    #expect(try file.folder.names == ["file.bin.part", "file.bin.part.info"])
    let outcome = try await file.download().run(over: server)
    #expect(outcome.resumedFrom == 80 && server.ranges.last == "bytes=60-79")
    #expect(server.conditions.last == "\"v1\"")
    #expect(try file.folder.read() == PartedFile.content)
  }

  @Test("A failure cancels the other parts", arguments: [false, true])
  func cancelsOthers(byCaller: Bool) async throws {
    let server = RangeServer(PartedFile.content)
    let silent = SilentByteSource()
    let meter = TransferMeter()
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      switch RangeServer.bounds(request.head.headerFields[.range])?.start {
      case 80:
        let head = HTTPResponse(
          status: .partialContent, headerFields: [.eTag: "\"v1\"", .contentRange: "bytes 80-99/100"])
        return Response(head, body: .stream(BodyStream(length: 20, silent)))
      case 60 where !byCaller:
        await silent.waitForReader()
        return Response(status: .notFound)
      default: return try await server.dispatch(request)
      }
    }
    let task = Task { [download = file.download()] in
      try await download.run(over: dispatcher, reportingTo: meter)
    }
    if byCaller {
      for await progress in meter.updates() where progress.bytes == 80 { break }
      await silent.waitForReader()
      task.cancel()
    }
    let result = await task.result
    let error = #expect(throws: NetworkError.self) { try result.get() }
    #expect(error?.kind == (byCaller ? .cancelled(.task) : .rejected))
    #expect(silent.isCancelled)
    let outcome = try await file.download().run(over: server)
    if byCaller { #expect(outcome.resumedFrom == 80 && server.ranges.last == "bytes=80-99") }
    #expect(try file.folder.read() == PartedFile.content)
  }

  @Test("A run continues the parts of the one before, also one at a time, after its own first response")
  func resumed() async throws {
    for parts in [1, 4] {
      let server = RangeServer(PartedFile.content, breaksAfter: 10)
      await file.failure(server, file.download())
      let earlier = server.requests.count
      server.change { $0.breaksAfter = nil }
      let outcome = try await file.download(parts).run(over: server)
      #expect(outcome.resumedFrom >= 10 && outcome.resumedFrom <= 50)
      #expect(server.requests[earlier].head.headerFields[.ifRange] == "\"v1\"")
      #expect(try file.folder.read() == PartedFile.content)
      #expect(try file.folder.names == ["file.bin"])
    }
  }

  @Test("Another version since the run before replaces all parts of it")
  func resumedAsAnother() async throws {
    let server = RangeServer(PartedFile.content, breaksAfter: 10)
    await file.failure(server, file.download())
    let other = (0..<60).map { UInt8($0 + 100) }
    server.change { $0 = .init(bytes: other, fields: [.eTag: "\"v2\""]) }
    let outcome = try await file.download().run(over: server)
    #expect(outcome.resumedFrom == 0 && outcome.head.status == .ok)
    #expect(try file.folder.read() == other)
  }

  @Test("A download that began in one part continues in one")
  func resumedFromOne() async throws {
    let server = RangeServer(PartedFile.content, breaksAfter: 30)
    await file.failure(server, file.download(1))
    server.change { $0.breaksAfter = nil }
    #expect(try await file.download().run(over: server).resumedFrom == 30)
    #expect(server.ranges == [nil, "bytes=30-"])
    #expect(try file.folder.read() == PartedFile.content)
  }

  @Test("The parts begin anew if the unfinished file is shorter than its record, or the record is damaged")
  func damaged() async throws {
    for how in 0..<2 {
      let server = RangeServer(PartedFile.content)
      let meter = TransferMeter()
      let failing = file.treating(20, over: server, meter: meter) { _ throws(NetworkError) in
        Response(status: .notFound)
      }
      await file.failure(failing, file.download(), reportingTo: meter)
      #expect(try file.folder.read("file.bin.part").count == 100)
      if how == 0 {
        try file.folder.write(Array(PartedFile.content[..<90]), "file.bin.part")
      } else {
        let record = String(decoding: try file.folder.read("file.bin.part.info"), as: UTF8.self)
        try file.folder.write(
          Array(record.replacing("part 20 40 20", with: "part 20 41 20").utf8), "file.bin.part.info")
      }
      #expect(try await file.download().run(over: server).resumedFrom == 0)
      #expect(try file.folder.read() == PartedFile.content)
    }
  }

  @Test("A complete file that lacked only its renaming is requested no more")
  func complete() async throws {
    let target = file.folder.target
    let server = RangeServer(PartedFile.content)
    let late = ScriptedDispatcher { request, number throws(NetworkError) in
      if number == 1 { _ = mkfifo(target, 0o600) }
      return try await server.dispatch(request)
    }
    #expect(await file.failure(late, file.download())?.kind == .invalidRequest)
    try FileManager.default.removeItem(atPath: target)
    let outcome = try await file.download().run(over: server)
    #expect(outcome.resumedFrom == 100 && outcome.head.status == .rangeNotSatisfiable)
    #expect(try file.folder.read() == PartedFile.content)
  }
}
