import Foundation
import HTTPTypes
import Interception

@testable import CurlTransport
@testable import Downloads
@testable import ResponseCaching

extension FuzzTarget {
  static let responseHead = FuzzTarget(
    name: "response-head", reads: "heads and trailers of responses, and how they frame the body",
    seeds: texts(
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: a\r\n b\r\n\r\nTrailer: x\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 404\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length: 1, 1\r\n\r\n",
      "HTTP/1.0 999 é\nbad line\n: x\nA B: c\nContent-Length: +5\n\n"),
    words: [
      "HTTP/1.1 ", "200", "\r\n", "\r\n\r\n", ": ", "Content-Length", "Transfer-Encoding", "chunked", "gzip",
      "\n ", "\t", "100", "HTTP/2 ",
    ]
  ) { bytes in
    var parser = HeadParser()
    for line in lines(bytes) {
      guard case .head(let head) = parser.consume(line.span) else { continue }
      _ = AnswerFraming.fault(in: head.headerFields, hasBody: true)
      var again = HeadParser()
      var read: HTTPResponse?
      for line in written(head) {
        if case .head(let head) = again.consume(Array(line.utf8).span) { read = head }
      }
      try require(read, equals: head, "A head, written again, is the same head.")
      if parser.isPlainlyFramed {
        try require(
          AnswerFraming.fault(in: head.headerFields, hasBody: true) == nil,
          "A head that frames its body plainly has no fault.")
      }
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0 + [0x0A] }
  }

  private static func written(_ head: HTTPResponse) -> [String] {
    ["HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n"]
      + head.headerFields.map { "\($0.name.rawName): \($0.value)\r\n" } + ["\r\n"]
  }

  static let contentRange = FuzzTarget(
    name: "content-range", reads: "Content-Range and Range", maximumLength: 256,
    seeds: texts(
      "bytes 0-499/1234", "bytes 5-9/*", "bytes */1234", "Bytes 9223372036854775806-9223372036854775807/*",
      "bytes=0-499", "bytes=-5", "bytes=5-", "bytes=9223372036854775807-9223372036854775807"),
    words: ["bytes", "bytes ", "bytes=", "-", "/", "*", "9223372036854775807", "0"]
  ) { bytes in
    let text = text(bytes)
    if let range = ContentRange(text) {
      let printed =
        switch range {
        case .part(let first, let last, let total): "bytes \(first)-\(last)/\(total.map(String.init) ?? "*")"
        case .unsatisfied(let total): "bytes */\(total)"
        }
      try require(ContentRange(printed), equals: range, "A Content-Range, written again, is the same.")
    }
    guard let range = ByteRange(text) else { return }
    for count in [0, 1, 500, Int.max] {
      guard let bounds = range.bounds(in: count) else { continue }
      try require(
        !bounds.isEmpty && bounds.lowerBound >= 0 && bounds.upperBound <= count,
        "A range is within the content.", "\(bounds) of \(count)")
    }
  }
}
