import CommandRunning
import CurlTransport
import Downloads
import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// Downloads of a file that its server labels with a content coding, over libcurl.
@Suite(.timeLimit(.minutes(5)))
struct CodedDownloadWireTests {
  /// An entity tag that is not UTF-8.
  private static let tag: [UInt8] = [0x22, 0x76, 0xE9, 0x22]

  @Test(
    "A .tar.gz that is served with a coding is stored as sent, resumed in its coded bytes, and confirmed",
    arguments: ["x-gzip", "gzip", "gzip, ", ""])
  func stored(coding: String) async throws {
    let content = try await GzipCommand.compress(PatternSource.bytes(at: 0, count: 200_000))
    let half = content.count / 2
    let server = try ScriptedServer(raw: { request, wire in
      let lines = Array("\r\nContent-Encoding: \(coding)\r\nETag: ".utf8) + Self.tag + Array("\r\n".utf8)
      if request.bytes(of: "If-None-Match") == Self.tag {
        try wire.send(Array("HTTP/1.1 304 Not Modified".utf8) + lines + Array("\r\n".utf8))
        return wire.stayOpen()
      }
      guard request.value(of: "Range") != nil else {
        let length = Array("Content-Length: \(content.count)\r\n\r\n".utf8)
        return try wire.send(Array("HTTP/1.1 200 OK".utf8) + lines + length + content[..<half])
      }
      let isSame = request.bytes(of: "If-Range") == Self.tag
      let isRest = request.value(of: "Range") == "bytes=\(half)-"
      try wire.send(
        Array("HTTP/1.1 \(isSame && isRest ? "206 Partial Content" : "400 Bad Request")".utf8) + lines
          + Array("Content-Range: bytes \(half)-\(content.count - 1)/\(content.count)\r\n".utf8)
          + Array("Content-Length: \(content.count - half)\r\n\r\n".utf8) + content[half...])
      wire.stayOpen()
    })
    let folder = try TemporaryFolder(prefix: "coded")
    let path = folder.url.appending(path: "chart.tar.gz").path
    let dispatcher = CurlDispatcher()
    let download = FileDownload(.get(server, "/chart.tar.gz"), to: path, policy: .oneAttempt)
    let lost = await failure { () async throws(NetworkError) in try await download.run(over: dispatcher) }
    #expect(lost?.kind == .transport)
    let outcome = try await download.run(over: dispatcher)
    #expect(outcome.resumedFrom == Int64(half) && outcome.length == Int64(content.count))
    #expect(Array(try Data(contentsOf: URL(filePath: path))) == content)
    #expect(try await download.run(over: dispatcher).isUnchanged)
    #expect(server.requests.allSatisfy { $0.value(of: "Accept-Encoding") == "identity" })
  }
}
