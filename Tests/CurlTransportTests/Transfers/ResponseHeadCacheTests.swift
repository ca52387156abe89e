import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite("A cache of response heads")
struct ResponseHeadCacheTests {
  private let cache = ResponseHeadCache(isEnabled: true)

  private func insert(_ text: String, into cache: ResponseHeadCache) {
    var parser = HeadParser()
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      guard case .head(let head) = parser.consume(Array("\(line)\n".utf8).span) else {
        continue
      }
      cache.insert(head, parser: parser, of: Array(text.utf8))
    }
  }

  private func head(_ text: String) -> HTTPResponse? { cache.entry(of: Array(text.utf8))?.head }

  @Test("A head is found byte for byte, with its framing")
  func found() throws {
    let text = "HTTP/1.1 200 OK\nContent-Length: 17\nContent-Encoding: br\n\n"
    #expect(head(text) == nil)
    insert(text, into: cache)
    #expect(head(text)?.headerFields == [.contentLength: "17", .contentEncoding: "br"])
    let entry = try #require(cache.entry(of: Array(text.utf8)))
    #expect(entry.parser.version == .http1)
    #expect(entry.parser.contentLength == 17)
    #expect(head(text.replacing("17", with: "18")) == nil)
  }

  @Test("A head that sets a cookie, or is long, is not cached")
  func excluded() {
    let cookie = "HTTP/1.1 200 OK\nSet-Cookie: a=secret\n\n"
    insert(cookie, into: cache)
    #expect(head(cookie) == nil)
    let long = "HTTP/1.1 200 OK\nA: \(String(repeating: "a", count: ResponseHeadCache.maximumSize))\n\n"
    insert(long, into: cache)
    #expect(head(long) == nil)
  }

  @Test("A cache that is turned off holds nothing")
  func disabled() {
    let cache = ResponseHeadCache(isEnabled: false)
    let text = "HTTP/1.1 200 OK\n\n"
    insert(text, into: cache)
    #expect(cache.entry(of: Array(text.utf8)) == nil)
  }

  @Test("Many different heads evict each other and are never mistaken for one another")
  func many() {
    for number in 0..<500 { insert("HTTP/1.1 200 OK\nX-Number: \(number)\n\n", into: cache) }
    var found = 0
    for number in 0..<500 {
      guard let head = head("HTTP/1.1 200 OK\nX-Number: \(number)\n\n") else { continue }
      found += 1
      #expect(head.headerFields.first?.value == "\(number)")
    }
    #expect((1...65).contains(found))
  }
}
