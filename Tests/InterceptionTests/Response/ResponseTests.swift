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

  /// A change of a response, and whether the response is still what its API has read.
  struct ReadingChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let keeps: Bool
    let change: @Sendable (inout Response) async throws -> Void

    init(_ name: String, keeps: Bool, _ change: @escaping @Sendable (inout Response) async throws -> Void) {
      (testDescription, self.keeps, self.change) = (name, keeps, change)
    }
  }

  static let readingChanges = [
    ReadingChange("nothing", keeps: true) { _ in },
    ReadingChange("exchange", keeps: true) { $0.exchange.attempts = 7 },
    ReadingChange("use of the cache", keeps: true) { $0.cacheStatus = .hit(ttl: 5) },
    ReadingChange("request", keeps: true) { response in
      response.note(Request(authority: "a.example", path: "/"), copying: true)
    },
    ReadingChange("status", keeps: false) { $0.head.status = .gone },
    ReadingChange("header field", keeps: false) { $0.head.headerFields[.age] = "1" },
    ReadingChange("body", keeps: false) { $0.body = .bytes([1]) },
    ReadingChange("body by a copy", keeps: false) { $0 = $0.with(.bytes([1])) },
  ]

  @Test(
    "What an API has read a response as is lost with a change of its head or body", arguments: readingChanges)
  func reading(change: ReadingChange) async throws {
    var response = Response(status: .ok, bytes: [1, 2])
    let check = CacheRule.StorageCheck(reading: { _, bytes in Response.Reading(output: bytes.count) })
    #expect(check.permits(&response))
    #expect(response.reading?.output as? Int == 2)
    let original = response
    try await change.change(&response)
    #expect((response.reading != nil) == change.keeps)
    #expect(original.reading != nil, "A copy has a reading of its own.")
  }

  @Test(
    "A check that an interceptor adds keeps what the API reads, and refuses if its condition isn't met",
    arguments: [true, false])
  func requiringCheck(isMet: Bool) {
    var response = Response(status: .ok, bytes: [1, 2, 3])
    let check = CacheRule.StorageCheck(reading: { _, bytes in Response.Reading(output: bytes.count) })
    #expect(CacheRule.StorageCheck.requiring({ isMet }, and: check).permits(&response) == isMet)
    #expect(response.reading?.output as? Int == (isMet ? 3 : nil))
    let refusing = CacheRule.StorageCheck { _, _ in false }
    #expect(!CacheRule.StorageCheck.requiring({ isMet }, and: refusing).permits(&response))
    #expect(CacheRule.StorageCheck.requiring({ isMet }, and: nil).permits(&response) == isMet)
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

  @Test(
    "A printed response has its status, type, size and request, and neither content nor another header field")
  func printed() async throws {
    var response = Response(
      HTTPResponse(
        status: .serviceUnavailable,
        headerFields: [.contentType: "text/html; charset=utf-8", .setCookie: "sid=s3cret"]),
      body: .bytes(Array("s3cret".utf8)),
      exchange: Exchange(attempts: 3, cache: .hit(ttl: 5), retryRefusal: .noAttemptsLeft))
    #expect(
      "\(response)"
        == "503 Service Unavailable, text/html, 6 bytes, cache: hit; ttl=5 [attempt 3; not sent again: "
        + "it was the last attempt that the policy allows]")
    let request = Request(
      method: .put, authority: "a.example", path: "/homes?key=s3cret",
      headerFields: [.authorization: "s3cret"])
    response.note(request, copying: true)
    #expect("\(response)".contains("[PUT https://a.example/homes, attempt 3;"))
    var dumped = ""
    dump(response, to: &dumped)
    dump(response.body, to: &dumped)
    #expect(!(dumped + "\(response.body)" + String(reflecting: response)).contains("s3cret"))
    #expect(try await response.buffered(upTo: 9).request?.head.path == "/homes?key=s3cret")
  }

  @Test("Sizes of empty, short and streamed content differ")
  func sizes() {
    #expect("\(Response(status: .noContent))" == "204 No Content, 0 bytes")
    #expect("\(Response(status: .ok, bytes: [1]))" == "200 OK, 1 byte")
    let lengths: [(Int64?, String)] = [(7, "a stream of 7 bytes"), (nil, "a stream of unknown length")]
    for (length, words) in lengths {
      let body = ResponseBody.stream(BodyStream(length: length, NoBytes()))
      #expect("\(Response(HTTPResponse(status: .ok), body: body))" == "200 OK, \(words)")
    }
    let odd = HTTPResponse(
      status: .init(code: 299, reasonPhrase: ""), headerFields: [.contentType: "a/b ; c"])
    #expect("\(Response(odd))" == "299, a/b, 0 bytes")
  }

  @Test("A response keeps its request without a large body, and is not copied for a note that may be missing")
  func notedRequest() {
    var response = Response(status: .ok)
    response.note(
      Request(method: .post, authority: "a.example", path: "/", body: .text("short")), copying: false)
    #expect(response.request?.body.length == 5)
    let large = Request(
      method: .post, authority: "b.example", path: "/", body: .bytes([UInt8](repeating: 0, count: 1 << 20)))
    var copy = response
    copy.note(large, copying: false)
    #expect(copy.request?.head.authority == "a.example")
    copy.note(large, copying: true)
    #expect(copy.request?.head.authority == "b.example" && copy.request?.body.isEmpty == true)
    #expect(response.request?.head.authority == "a.example")
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
