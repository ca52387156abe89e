import BodyFormats
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("Decoding a response", .timeLimit(.minutes(5)))
struct ResponseDecodingTests {
  struct Home: Codable, Equatable { var street: String }

  struct Failing: BodyDecoder {
    struct Fault: Error {}
    func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value { throw Fault() }
  }

  private let json = Array(#"{"street":"Main"}"#.utf8)

  private func response(
    _ body: ResponseBody, status: Int = 200, type: String? = "application/json"
  ) -> Response {
    var fields = HTTPFields()
    fields[.contentType] = type
    return Response(HTTPResponse(status: .init(code: status), headerFields: fields), body: body)
  }

  private func stream(_ chunks: [[UInt8]], endingWith error: NetworkError? = nil) -> (
    ScriptedByteSource, ResponseBody
  ) {
    let source = ScriptedByteSource(chunks, endingWith: error)
    return (source, .stream(BodyStream(length: nil, source)))
  }

  private func error(_ response: Response, upTo limit: Int = 1 << 20) async throws -> BodyDecodingError {
    try await #require(throws: BodyDecodingError.self) {
      try await response.decoded(as: Home.self, upTo: limit)
    }
  }

  @Test("Buffered and streamed content is decoded, whatever the 2xx status and the case of the type")
  func decoded() async throws {
    #expect(try await response(.bytes(json)).decoded(as: Home.self) == Home(street: "Main"))
    let (_, body) = stream([Array(json.prefix(4)), Array(json.dropFirst(4))])
    let created: Home = try await response(body, status: 201, type: "Application/JSON ; charset=utf-8")
      .decoded()
    #expect(created.street == "Main")
    #expect(try await response(.bytes(json), type: nil).decoded(as: Home.self).street == "Main")
    #expect(try await response(.bytes(json)).body.decoded(as: Home.self).street == "Main")
  }

  @Test("The status is checked first, and its error keeps the body", arguments: [301, 404, 418, 500, 599])
  func status(code: Int) async throws {
    let error = try await error(response(.bytes(json), status: code, type: "text/html"))
    #expect(error.kind == .status(code) && error.reason.contains("\(code)"))
    #expect(error.response?.status.code == code)
    // The body of an error is often JSON too.
    #expect(try await error.response?.body.decoded(as: Home.self) == Home(street: "Main"))
  }

  @Test("A refusal names what the interceptor of credentials knows of it", arguments: [401, 403])
  func refusal(code: Int) async throws {
    var refused = response(.bytes(json), status: code)
    #expect(try await error(refused).reason.contains("credentials"))
    refused.credentialUse = .notSent(remedy: "list the origin")
    #expect(try await error(refused).reason.hasSuffix("\(code): list the origin."))
  }

  @Test(
    "An error names the method and the URL without its query, and why the request was not sent again",
    arguments: [true, false])
  func namedRequest(isShared: Bool) async throws {
    let answer = Response(
      HTTPResponse(status: .serviceUnavailable), body: .bytes(json),
      exchange: Exchange(attempts: 2, retryRefusal: .notIdempotent))
    // A scripted response that is also retained by its dispatcher is named as well.
    let dispatcher =
      isShared
      ? ScriptedDispatcher(answering: answer)
      : ScriptedDispatcher { _, _ throws(NetworkError) in
        Response(answer.head, body: answer.body, exchange: answer.exchange)
      }
    let failed = try await dispatcher.post("https://a.example/homes?key=s3cret", .empty)
    let error = try await error(failed)
    #expect(error.kind == .status(503) && !error.reason.contains("a.example"))
    #expect(
      "\(error)" == error.reason + " [POST https://a.example/homes, attempt 2; not sent again: "
        + "\(Exchange.RetryRefusal.notIdempotent.clause)]")
  }

  @Test("An error of the content names the request, too")
  func namedContent() async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array("[1,".utf8)))
    let broken = try await dispatcher.get("https://a.example/homes", query: ["key": "s3cret"])
    let description = "\(try await error(broken))"
    #expect(description.hasSuffix(" [GET https://a.example/homes]") && !description.contains("s3cret"))
  }

  @Test("Content in a coding that nothing decoded is refused with the product to add, not as malformed")
  func contentCoding() async throws {
    var coded = response(.bytes([0x1F, 0x8B, 8, 0]))
    coded.head.headerFields[.contentEncoding] = "gzip"
    let error = try await error(coded)
    #expect(error.kind == .contentCoding)
    #expect(error.reason.contains("\"gzip\"") && error.reason.contains("product BodyCompression"))
    #expect(try await error.response?.body.collect(upTo: 9) == [0x1F, 0x8B, 8, 0])
    coded.body = .bytes(json)
    for name in ["Identity", "utf-8", "", "identity, identity", "none", ","] {
      coded.head.headerFields[.contentEncoding] = name
      #expect(try await coded.decoded(as: Home.self).street == "Main")
    }
  }

  @Test(
    "Of several content types the last valid one counts",
    arguments: [
      (["text/html", "application/json"], true), (["application/json", "text/html"], false),
      (["application/json", "nonsense"], true), (["application/json", ""], true), ([""], true),
      (["text/html, application/json"], true), (["application/json", "application/json"], true),
    ])
  func severalTypes(types: [String], isJSON: Bool) async throws {
    var several = response(.bytes(json))
    several.head.headerFields[values: .contentType] = types
    if isJSON {
      #expect(try await several.decoded(as: Home.self).street == "Main")
    } else {
      #expect(try await error(several).kind == .contentType)
    }
  }

  @Test("The reason phrase of a server is not repeated")
  func reasonPhrase() async throws {
    let status = HTTPResponse.Status(code: 404, reasonPhrase: "token=secret")
    let error = try await error(Response(HTTPResponse(status: status), body: .bytes(json)))
    #expect(error.reason.contains("the status 404: check the URL") && !error.reason.contains("secret"))
  }

  @Test("An error keeps at most 64 KiB of a body of any length, and cancels the rest of a stream")
  func keptBody() async throws {
    let (source, body) = stream(Array(repeating: Array(repeating: 0x61, count: 10_000), count: 1_000))
    let error = try await error(response(body, status: 500))
    #expect(error.response?.body.length == 65_536)
    #expect(source.reads == 7 && source.isCancelled)
    let buffered = try await self.error(
      response(.bytes(Array(repeating: 0x61, count: 1 << 20)), status: 500))
    #expect(buffered.response?.body.length == 65_536)
    let mismatch = try await self.error(
      response(.bytes(Array("[\"\(String(repeating: "a", count: 100_000))\"]".utf8))))
    #expect(mismatch.kind == .mismatch && mismatch.response?.body.length == 65_536)
  }

  @Test("A page instead of JSON is an error of the content type, before it is read")
  func contentType() async throws {
    let error = try await error(response(.bytes(Array("<html>".utf8)), type: "Text/HTML; charset=utf-8"))
    #expect(error.kind == .contentType)
    #expect(
      error.reason
        == "The response's content type is text/html, which JSONCoding does not read; check the URL and the Accept field."
    )
    #expect(error.response?.body.length == 6)
    let hostile = try await self.error(
      response(.bytes(json), type: "image/\u{1}\(String(repeating: "x", count: 9_999))"))
    #expect(hostile.kind == .contentType && hostile.reason.utf8.count < 300)
  }

  @Test("No content is an error of its own, whatever the content type", arguments: [200, 204])
  func empty(code: Int) async throws {
    #expect(try await error(response(.empty, status: code, type: "text/html")).kind == .empty)
    #expect(try await error(response(stream([]).1, status: code)).kind == .empty)
  }

  @Test("Content longer than the limit is refused, and a stream is cancelled there")
  func tooLarge() async throws {
    let long = Array(repeating: UInt8(ascii: " "), count: 1_000)
    let buffered = try await error(response(.bytes(long)), upTo: 999)
    #expect(buffered.kind == .tooLarge(limit: 999) && buffered.response?.body.length == 1_000)
    let (source, body) = stream(Array(repeating: long, count: 1_000))
    #expect(try await error(response(body), upTo: 10_000).kind == .tooLarge(limit: 10_000))
    #expect(source.reads == 11 && source.isCancelled)
  }

  @Test("100 MB of hostile content is refused at the default limit")
  func huge() async throws {
    let chunk = Array(String(repeating: "[1],", count: 250_000).utf8)
    let (source, body) = stream([Array("[".utf8)] + Array(repeating: chunk, count: 100))
    let error = try await #require(throws: BodyDecodingError.self) {
      try await response(body).decoded(as: [[Int]].self)
    }
    #expect(error.kind == .tooLarge(limit: 16 << 20))
    #expect(source.reads < 20 && source.isCancelled)
  }

  @Test("A stream that ends early is an error with the stream's error")
  func unread() async throws {
    let (_, body) = stream([json], endingWith: NetworkError(.transport, "The connection was reset."))
    let error = try await error(response(body))
    #expect(error.kind == .unread && error.reason.contains("The connection was reset."))
    #expect((error.underlying as? NetworkError)?.kind == .transport)
  }

  @Test("A mismatch in a streamed response keeps the bytes that were read")
  func mismatch() async throws {
    let error = try await error(response(stream([Array(#"{"street":1}"#.utf8)]).1))
    #expect(error.kind == .mismatch && error.field == "street" && error.response?.body.length == 12)
  }

  @Test("Another decoder's errors are wrapped")
  func otherDecoder() async throws {
    let error = try await #require(throws: BodyDecodingError.self) {
      try await response(.bytes(json), type: "image/png").decoded(as: Home.self, by: Failing())
    }
    #expect(error.kind == .undecodable && error.underlying is Failing.Fault)
    #expect(error.reason == "Failing could not decode Home; inspect the underlying error.")
  }
}
