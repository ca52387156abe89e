import Downloads
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@Suite("A download in several parts", .timeLimit(.minutes(5)))
struct PartedDownloadTests {
  private let file: PartedFile

  init() throws { file = try PartedFile() }

  @Test("All parts arrive, each with the version as condition, and the progress is the sum")
  func whole() async throws {
    let server = RangeServer(PartedFile.content)
    let meter = TransferMeter()
    let outcome = try await file.download(call: .seconds(60)).run(over: server, reportingTo: meter)
    #expect(outcome.length == 100 && outcome.resumedFrom == 0 && outcome.head.status == .partialContent)
    #expect(try file.folder.read() == PartedFile.content)
    #expect(try file.folder.names == ["file.bin"])
    #expect(server.ranges.first == "bytes=0-19" && server.conditions.first == .some(nil))
    let others = server.requests.dropFirst()
    #expect(
      Set(others.map { $0.head.headerFields[.range] }) == [
        "bytes=20-39", "bytes=40-59", "bytes=60-79", "bytes=80-99",
      ])
    #expect(others.allSatisfy { $0.head.headerFields[.ifRange] == "\"v1\"" })
    #expect(server.requests.allSatisfy { $0.head.headerFields[.acceptEncoding] == "identity" })
    #expect(server.requests.allSatisfy { $0.options.timeouts.call.map { $0 <= .seconds(60) } ?? false })
    #expect(Set(server.requests.map(\.id)).count == 5)
    #expect(meter.latest == TransferMeter.Progress(.download, bytes: 100, total: 100))
  }

  @Test("The parts are requested at the same time")
  func concurrently() async throws {
    let server = RangeServer(PartedFile.content)
    let inFlight = WaitableValue(0)
    let meeting = ScriptedDispatcher { request, number throws(NetworkError) in
      // The fourth part after the first one is requested when one of the others is complete.
      if number > 1 {
        inFlight.update { $0 += 1 }
        _ = try? await inFlight.wait { $0 >= 3 }
      }
      return try await server.dispatch(request)
    }
    _ = try await file.download().run(over: meeting)
    #expect(try file.folder.read() == PartedFile.content)
  }

  @Test("Buffered parts are written as well, and a server may send less than a part")
  func buffered() async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard let bounds = RangeServer.bounds(request.head.headerFields[.range]) else {
        return Response(status: .badRequest)
      }
      let range = bounds.start..<min(bounds.start + 15, bounds.end)
      return Response(
        status: .partialContent,
        headerFields: [
          .eTag: "\"v1\"", .contentRange: "bytes \(range.lowerBound)-\(range.upperBound - 1)/100",
        ], bytes: Array(PartedFile.content[range]))
    }
    let outcome = try await file.download().run(over: server)
    // The first part has the length of the first response, and the four others have two responses each.
    #expect(outcome.length == 100 && server.requests.count == 9)
    #expect(try file.folder.read() == PartedFile.content)
  }

  @Test("A server that ignores ranges sends the file in one response")
  func withoutRanges() async throws {
    let server = RangeServer(PartedFile.content)
    server.change { $0.ignoresRanges = true }
    let outcome = try await file.download().run(over: server)
    #expect(outcome.head.status == .ok && server.ranges == ["bytes=0-19"])
    #expect(try file.folder.read() == PartedFile.content)
  }

  @Test("Without a strong validator or the total length the file is requested in one response")
  func weak() async throws {
    for tag in [nil, "W/\"v1\""] {
      let server = RangeServer(PartedFile.content, tag: tag)
      _ = try await file.download().run(over: server)
      #expect(server.ranges == ["bytes=0-19", nil])
      #expect(try file.folder.read() == PartedFile.content)
    }
    let server = RangeServer(PartedFile.content)
    let vague = ScriptedDispatcher { request, _ throws(NetworkError) in
      var response = try await server.dispatch(request)
      if response.status == .partialContent { response.head.headerFields[.contentRange] = "bytes 0-19/*" }
      return response
    }
    _ = try await file.download().run(over: vague)
    #expect(server.ranges == ["bytes=0-19", nil])
    #expect(try file.folder.read() == PartedFile.content)
  }

  @Test(
    "A file that is not longer than two parts takes one response, and an empty one two",
    arguments: [
      (15, ["bytes=0-19"]), (20, ["bytes=0-19"]), (21, ["bytes=0-19", "bytes=20-20"]),
      (0, ["bytes=0-19", nil]),
    ] as [(Int, [String?])])
  func small(size: Int, ranges: [String?]) async throws {
    let server = RangeServer(Array(PartedFile.content[..<size]))
    #expect(try await file.download().run(over: server).length == Int64(size))
    #expect(server.ranges == ranges)
    #expect(try file.folder.read() == Array(PartedFile.content[..<size]))
    #expect(try file.folder.names == ["file.bin"])
  }

  @Test("A part continues after each lost connection, without the others")
  func lost() async throws {
    let server = RangeServer(PartedFile.content)
    let breaking = ScriptedDispatcher { request, _ throws(NetworkError) in
      var response = try await server.dispatch(request)
      let start = RangeServer.bounds(request.head.headerFields[.range])?.start ?? 0
      if start.isMultiple(of: 20) {
        let half = ScriptedByteSource(
          [Array(PartedFile.content[start..<(start + 10)])], endingWith: NetworkError(.transport, "Lost."))
        response.body = .stream(BodyStream(length: 20, half))
      }
      return response
    }
    let outcome = try await file.download(failureLimit: 2).run(over: breaking)
    #expect(outcome.failures == 5 && outcome.resumedFrom == 0)
    #expect(try file.folder.read() == PartedFile.content)
    #expect(
      Set(server.ranges)
        == Set(
          stride(from: 0, to: 100, by: 10).map { start in
            "bytes=\(start)-\(start / 20 * 20 + 19)"
          }))
  }

  @Test(
    "The file begins anew, in one response, if a part is one of another version, or not served",
    arguments: ["200", "other tag", "no tag", "other range", "416"])
  func replaced(how: String) async throws {
    let other = (0..<60).map { UInt8($0 + 100) }
    let first = RangeServer(PartedFile.content)
    let second = RangeServer(other, tag: "\"v2\"")
    let meter = TransferMeter()
    let server = file.treating(40, over: first, meter: meter) { request throws(NetworkError) in
      first.change { $0 = second.content.withLock { $0 } }
      guard how != "200" else { return try await second.dispatch(request) }
      var fields: HTTPFields = [.eTag: "\"v1\"", .contentRange: "bytes 40-59/100"]
      switch how {
      case "other tag": fields[.eTag] = "\"v2\""
      case "no tag": fields[.eTag] = nil
      case "other range": fields[.contentRange] = "bytes 41-60/100"
      default: return Response(status: .rangeNotSatisfiable, headerFields: [.contentRange: "bytes */60"])
      }
      return Response(status: .partialContent, headerFields: fields, bytes: [UInt8](repeating: 0, count: 20))
    }
    let outcome = try await file.download().run(over: server, reportingTo: meter)
    #expect(outcome.head.status == .ok && outcome.length == 60 && outcome.resumedFrom == 0)
    #expect(try file.folder.read() == other)
    #expect(try file.folder.names == ["file.bin"])
    // The whole file of the response is used.
    #expect(server.requests.count == (how == "200" ? 5 : 6))
    if how != "200" { #expect(server.requests.last?.head.headerFields[.range] == nil) }
  }

  @Test("A part with more bytes than announced discards the file")
  func tooLong() async throws {
    let server = RangeServer(PartedFile.content)
    let longer = ScriptedDispatcher { request, number throws(NetworkError) in
      guard number == 3 else { return try await server.dispatch(request) }
      var response = try await server.dispatch(request)
      response.body = .stream(BodyStream(length: nil, ScriptedByteSource([PartedFile.content])))
      return response
    }
    #expect(await file.failure(longer, file.download())?.kind == .protocolViolation)
    #expect(try file.folder.names == [])
  }

  @Test("The file is verified as a whole", arguments: [true, false])
  func verified(isRight: Bool) async throws {
    let server = RangeServer(PartedFile.content)
    let digest =
      isRight
      ? "vOCv8Zz1qmp0aaMNYdBOQ3bku/Y4EFLunn8zklyVTVI=" : "OObPzcnaxxHm44o56NkCVXeB0551cbYK7F5YVh1Q0Vw="
    let name = try #require(HTTPField.Name("Repr-Digest"))
    server.change { $0.fields[name] = "sha-256=:\(digest):" }
    try file.folder.write([9], "file.bin")
    if isRight {
      #expect(try await file.download().run(over: server).digests.map(\.algorithm) == [.sha256])
      #expect(try file.folder.read() == PartedFile.content)
    } else {
      let fault = await file.failure(server, file.download())?.underlying(as: DownloadFault.self)
      #expect(try fault == .digestMismatch(.sha256) && file.folder.read() == [9])
    }
    #expect(try file.folder.names == ["file.bin"])
  }

  @Test("An unchanged target is left as it is, and another version of it is requested in parts")
  func revalidated() async throws {
    let server = RangeServer(PartedFile.content)
    _ = try await file.download(revalidates: true).run(over: server)
    let outcome = try await file.download(revalidates: true).run(over: server)
    #expect(outcome.isUnchanged && outcome.length == 100 && server.requests.count == 6)
    let other = Array(PartedFile.content.reversed())
    server.change { $0 = .init(bytes: other, fields: [.eTag: "\"v2\""]) }
    #expect(try await file.download(revalidates: true).run(over: server).length == 100)
    #expect(try file.folder.read() == other)
    let conditions = server.requests.suffix(5).map { $0.head.headerFields[.ifNoneMatch] }
    #expect(conditions == ["\"v1\"", nil, nil, nil, nil])
  }

  @Test("A server that serves two responses at a time is not asked for more")
  func crowded() async throws {
    let server = RangeServer(PartedFile.content)
    let first = WaitableValue(0)
    let small = ScriptedDispatcher { request, number throws(NetworkError) in
      guard number == 3 || number == 4 else { return try await server.dispatch(request) }
      first.update { $0 += 1 }
      return Response(status: .serviceUnavailable)
    }
    let outcome = try await file.download(failureLimit: 2).run(over: small)
    #expect(outcome.failures == 2 && first.value == 2)
    #expect(try file.folder.read() == PartedFile.content)
  }
}
