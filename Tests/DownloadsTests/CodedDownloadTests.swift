import Downloads
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("Downloads of coded content", .timeLimit(.minutes(5)))
struct CodedDownloadTests {
  private static let content = (0..<100).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  private static let request = Request(authority: "files.example", path: "/chart.tar.gz")
  private let folder: DownloadFolder

  init() throws { folder = try DownloadFolder() }

  private func download(parts: Int = 1, digestCheck: DownloadPolicy.DigestCheck = .ifSent) -> FileDownload {
    var download = FileDownload(
      Self.request, to: folder.target,
      policy: DownloadPolicy(failureLimit: 1, digestCheck: digestCheck, parts: parts))
    download.minimumPart = 10
    return download
  }

  private static func server(_ coding: String?, breaksAfter: Int? = nil) -> RangeServer {
    let server = RangeServer(content, breaksAfter: breaksAfter)
    server.change { $0.fields[.contentEncoding] = coding }
    return server
  }

  @Test(
    "The bytes are stored as they were sent, whatever their coding",
    arguments: [
      "gzip", "x-gzip", "br", "gzip, br", "none", "identity, identity", "", "snappy", "aws-chunked",
    ],
    [1, 4])
  func stored(coding: String, parts: Int) async throws {
    let server = Self.server(coding)
    let outcome = try await download(parts: parts).run(over: server)
    #expect(try folder.read() == Self.content)
    #expect(outcome.length == 100 && outcome.head.headerFields[.contentEncoding] == coding)
    #expect(server.requests.allSatisfy { $0.head.headerFields[.acceptEncoding] == "identity" })
  }

  @Test("An interrupted download continues at the byte of the coded content", arguments: [1, 4])
  func resumed(parts: Int) async throws {
    let server = Self.server("gzip", breaksAfter: parts == 1 ? 30 : 5)
    await #expect(throws: NetworkError.self) { try await download(parts: parts).run(over: server) }
    server.change { $0.breaksAfter = nil }
    let outcome = try await download(parts: parts).run(over: server)
    #expect(outcome.resumedFrom > 0)
    #expect(try folder.read() == Self.content)
    if parts == 1 { #expect(server.ranges.last == "bytes=30-") }
  }

  @Test(
    "A part in another coding is not appended, but one whose coding is not stated, or named otherwise, is",
    arguments: [
      ("gzip", "br", 2), ("gzip", "x-gzip", 1), ("gzip", nil, 1), (nil, "gzip", 2), ("gzip", "", 2),
    ]
      as [(String?, String?, Int)])
  func otherCoding(first: String?, second: String?, requests: Int) async throws {
    let server = Self.server(first, breaksAfter: 30)
    await #expect(throws: NetworkError.self) { try await download().run(over: server) }
    let before = server.requests.count
    server.change {
      $0.breaksAfter = nil
      $0.fields[.contentEncoding] = second
    }
    let outcome = try await download().run(over: server)
    #expect(server.requests.count - before == requests)
    #expect(outcome.resumedFrom == (requests == 1 ? 30 : 0))
    #expect(try folder.read() == Self.content)
  }

  @Test("A complete file in a coding is confirmed by a 304")
  func revalidated() async throws {
    let server = Self.server("x-gzip")
    _ = try await download().run(over: server)
    #expect(try await download().run(over: server).isUnchanged)
  }

  @Test("An entity tag in ISO 8859-1 resumes a download, and confirms a complete file")
  func opaqueTag() async throws {
    let tag: [UInt8] = [0x22, 0x76, 0xE9, 0x22]
    let server = RangeServer(Self.content, tag: nil, breaksAfter: 30)
    server.change { $0.fields.append(HTTPField(name: .eTag, value: tag)) }
    await #expect(throws: NetworkError.self) { try await download().run(over: server) }
    server.change { $0.breaksAfter = nil }
    #expect(try await download().run(over: server).resumedFrom == 30)
    #expect(server.requests.last?.head.headerFields.bytes(of: .ifRange) == tag)
    #expect(try await download().run(over: server).isUnchanged)
    #expect(server.requests.last?.head.headerFields.bytes(of: .ifNoneMatch) == tag)
  }

  @Test(
    "Content that the dispatcher has decoded is stored without a version, and without a digest of other bytes"
  )
  func decoded() async throws {
    let digest = "sha-256=:\(Data(repeating: 1, count: 32).base64EncodedString()):"
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in
      var response = Response(
        status: .ok,
        headerFields: [.eTag: "\"v\"", .init("Repr-Digest")!: digest, .init("Content-Digest")!: digest],
        bytes: Self.content)
      response.exchange.transport = TransportReport(contentCoding: .gzip)
      return response
    }
    let outcome = try await download().run(over: server)
    #expect(outcome.digests.isEmpty)
    #expect(try folder.read() == Self.content)
    #expect(try folder.names == ["file.bin"])
  }

  @Test("Different places of a part are an error that names the field and the places")
  func differentRanges() async throws {
    let server = Self.server(nil, breaksAfter: 30)
    await #expect(throws: NetworkError.self) { try await download().run(over: server) }
    let confused = ScriptedDispatcher { _, _ throws(NetworkError) in
      var fields: HTTPFields = [.eTag: "\"v1\""]
      for range in ["bytes 30-99/100", "bytes 31-99/100"] {
        fields.append(HTTPField(name: .contentRange, value: range))
      }
      return Response(status: .partialContent, headerFields: fields, bytes: Array(Self.content[30...]))
    }
    let error = await #expect(throws: NetworkError.self) { try await download().run(over: confused) }
    #expect(error?.kind == .protocolViolation)
    #expect(error?.reason.contains("Content-Range (\"bytes 30-99/100\", \"bytes 31-99/100\")") == true)
    server.change {
      $0.breaksAfter = nil
      $0.fields.append(HTTPField(name: .eTag, value: "\"v1\""))
    }
    #expect(try await download().run(over: server).resumedFrom == 30)
  }
}
