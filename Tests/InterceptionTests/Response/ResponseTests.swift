import HTTPTypes
import Interception
import Testing

@Suite("A response")
struct ResponseTests {
  private let original = Response(
    HTTPResponse(status: .ok, headerFields: [.server: "nginx"]), body: .bytes([1, 2]), trailers: [.age: "3"],
    exchange: Exchange(
      attempts: 2, cache: .revalidated(),
      redirects: [.init(status: .found, method: .get, url: "https://estate.example/b?code=secret#part")],
      transport: TransportReport(remoteAddress: "127.0.0.1:80")))

  @Test("A response is a value: changing a copy leaves the original unchanged")
  func copies() {
    var copy = original
    copy.head.headerFields[.server] = "apache"
    copy.head.status = .accepted
    copy.body = .bytes([9])
    copy.exchange.attempts = 5
    copy.exchange.transport = nil
    #expect(copy.head.headerFields[.server] == "apache")
    #expect(copy.status == .accepted)
    #expect(copy.body.length == 1)
    copy.exchange.redirects = []
    #expect(copy.exchange == Exchange(attempts: 5, cache: .revalidated()))
    #expect(original.exchange.redirects.count == 1)
    #expect(original.head.headerFields[.server] == "nginx")
    #expect(original.status == .ok)
    #expect(original.body.length == 2)
    #expect(original.exchange.attempts == 2)
    #expect(original.exchange.transport?.remoteAddress == "127.0.0.1:80")
  }

  @Test("The unchanged parts are kept, whichever part is changed first", arguments: 0..<3)
  func untouchedParts(part: Int) {
    var copy = original
    switch part {
    case 0: copy.head.headerFields[.via] = "1.1 here"
    case 1: copy.body = .empty
    default: copy.exchange.cache = .hit(ttl: 5)
    }
    #expect(copy.head.headerFields[.server] == "nginx")
    #expect(copy.trailers == [.age: "3"])
    #expect(copy.exchange.attempts == 2)
    #expect(copy.exchange.redirects == original.exchange.redirects)
    #expect(copy.exchange.transport == original.exchange.transport)
    #expect(copy.body.length == (part == 1 ? 0 : 2))
  }

  @Test("A redirect shows neither the query nor the fragment of its URL, unless they are read by name")
  func redirects() {
    let redirect = original.exchange.redirects[0]
    #expect("\(redirect)" == "302 GET https://estate.example/b")
    #expect(redirect.url.hasSuffix("?code=secret#part"))
    var dumped = ""
    dump(original.exchange, to: &dumped)
    #expect(!(dumped + "\(original.exchange)" + String(reflecting: redirect)).contains("secret"))
  }

  @Test("A streamed response has the stream's trailers and complete report when the stream has ended")
  func streamed() {
    let ending = BodyStream.Ending()
    let response = Response(
      HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, ending: ending, NoBytes())),
      exchange: Exchange(attempts: 1))
    #expect(response.trailers == nil)
    #expect(response.exchange.transport == nil)
    ending.finish(trailers: [.eTag: "x"], transport: TransportReport(connectionWasReused: true))
    #expect(response.trailers == [.eTag: "x"])
    #expect(response.exchange.transport?.connectionWasReused == true)
    #expect(response.exchange.attempts == 1)
  }
}

/// A source without bytes.
private struct NoBytes: ByteSource {
  func read() async throws(NetworkError) -> [UInt8]? { nil }
  func cancel() {}
}
