import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct ResponseHeadCacheTests {
  private let cache = ResponseHeadCache()
  private let fields = FieldCache()

  private func keep(_ text: String) {
    let bytes = Array(text.utf8)
    var parser = HeadParser()
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      guard case .head(let head, let version) = parser.consume(Array("\(line)\n".utf8).span, fields) else {
        continue
      }
      cache.keep(head, version, parser: parser, of: bytes.span)
    }
  }

  private func known(_ text: String) -> HTTPResponse? { cache.entry(of: Array(text.utf8).span)?.head }

  @Test func `a head is known byte for byte, and what it means with it`() throws {
    let head = "HTTP/1.1 200 OK\nContent-Length: 17\nContent-Encoding: br\n\n"
    #expect(known(head) == nil)
    keep(head)
    #expect(known(head) == nil, "its lines were new")
    keep(head)
    #expect(known(head)?.headerFields == [.contentLength: "17", .contentEncoding: "br"])
    let found = cache.entry(of: Array(head.utf8).span)
    let entry = try #require(found)
    #expect(entry.framing.contentLength == 17)
    #expect(entry.framing.hasContentCoding)
    #expect(entry.framing.isPlain)
    #expect(entry.framing.statusCode == 200)
    #expect(entry.version == .http1)
    #expect(known("HTTP/1.1 200 OK\nContent-Length: 18\nContent-Encoding: br\n\n") == nil)
    #expect(known(String(head.dropLast())) == nil)
  }

  @Test func `one that came last and one that came before are both known`() {
    let heads = ["1", "2"].map { "HTTP/1.1 200 OK\nAge: \($0)\n\n" }
    for head in heads + heads { keep(head) }
    for _ in 0..<2 {
      for (head, age) in zip(heads, ["1", "2"]) {
        for _ in 0..<2 { #expect(known(head)?.headerFields == [.age: age]) }
      }
    }
  }

  @Test func `heads that share a place are told apart`() throws {
    let name = try #require(HTTPField.Name("X"))
    for number in 0..<500 {
      let head = "HTTP/1.1 200 OK\nX: \(number)\n\n"
      for _ in 0..<2 { keep(head) }
      #expect(known(head)?.headerFields[name] == "\(number)")
    }
    for number in 0..<500 {
      let found = known("HTTP/1.1 200 OK\nX: \(number)\n\n")
      #expect(found == nil || found?.headerFields[name] == "\(number)")
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\n\(String(repeating: "X: aaaaaaaa\n", count: ResponseHeadCache.longest / 12))\n",
    "HTTP/1.1 200 OK\nSet-Cookie: secret\n\n", "HTTP/1.1 200 OK\nX: 1\n 2\n\n",
  ])
  func `neither a long head is kept, nor one with a cookie or a folded line`(head: String) {
    for _ in 0..<3 { keep(head) }
    #expect(known(head) == nil)
  }
}
