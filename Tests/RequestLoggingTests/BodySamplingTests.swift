import HTTPTypes
import InMemoryLogging
import Interception
import Logging
import RequestLogging
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct BodySamplingTests {
  private func lines(
    _ sampling: BodySampling, request body: String = "", type: String = "application/json",
    fields: HTTPFields = [:], answer: [UInt8] = [], answerType: String = "text/plain"
  ) async throws -> (request: String?, answer: String?) {
    let capture = LogCapture()
    let response = Response(status: .ok, headerFields: [.contentType: answerType], bytes: answer)
    var fields = fields
    fields[.contentType] = type
    let request = Request(
      method: .post, authority: "a.test", path: "/", headerFields: fields, body: .text(body))
    let logging = LoggingInterceptor(logger: capture.logger(.debug), bodies: sampling)
    _ = try await Pipeline(over: ScriptedDispatcher(answering: response)) { logging }.send(request)
    return (capture.entries[0]["request.body"], capture.entries[0]["response.body"])
  }

  @Test("No part of a body is logged by default")
  func offByDefault() async throws {
    let shown = try await lines(.none, request: "{}", answer: [65])
    #expect(shown.request == nil)
    #expect(shown.answer == nil)
  }

  @Test("Text is logged up to the limit, with control characters escaped")
  func limits() async throws {
    let shown = try await lines(
      BodySampling(requestBytes: 4, responseBytes: 3), request: "{\"a\":1}", answer: Array("x\ny".utf8))
    #expect(shown.request == "{\"██\"… (+3 bytes)")
    #expect(shown.answer == "x\\u{A}y")
  }

  @Test(
    "Only text is logged",
    arguments: [
      ("application/json; charset=utf-8", true), ("text/csv", true), ("application/vnd.api+json", true),
      ("image/png", false), ("application/octet-stream", false), ("", false), ("multipart/form-data", false),
    ])
  func types(type: String, isShown: Bool) async throws {
    let shown = try await lines(BodySampling(), request: "abc", type: type, answer: [65], answerType: type)
    let hidden = type.contains("json") ? "\"██\"" : nil
    #expect((shown.request == hidden ?? "abc") == isShown)
    #expect((shown.answer == hidden ?? "A") == isShown)
  }

  @Test("A body with a content coding isn't logged")
  func coded() async throws {
    let shown = try await lines(BodySampling(), request: "abc", fields: [.contentEncoding: "gzip"])
    #expect(shown.request == nil)
  }

  @Test(
    "The content of a coded response is logged if the chain decodes it, up to the limit",
    arguments: [(true, 100, "decoded"), (true, 3, "dec…"), (false, 100, nil)] as [(Bool, Int, String?)],
    [false, true])
  func codedResponse(values: (isDecoded: Bool, limit: Int, shown: String?), isStreamed: Bool) async throws {
    let capture = LogCapture()
    let coded: [UInt8] = [1, 2, 3]
    let body: ResponseBody =
      isStreamed ? .stream(BodyStream(length: nil, ScriptedByteSource([[1], [2, 3]]))) : .bytes(coded)
    let head = HTTPResponse(
      status: .ok, headerFields: [.contentType: "text/plain", .contentEncoding: "br, gzip"])
    var request = Request(authority: "a.test", path: "/")
    if values.isDecoded {
      request.context.sampleDecoder = SampleDecoder { bytes, codings, limit in
        bytes == coded && codings == ["br", "gzip"] ? Array("decoded".utf8.prefix(limit)) : []
      }
    }
    let logging = LoggingInterceptor(
      logger: capture.logger(.debug), bodies: BodySampling(responseBytes: values.limit))
    let pipeline = try Pipeline(over: ScriptedDispatcher(answering: Response(head, body: body))) { logging }
    #expect(try await pipeline.send(request).body.collect(upTo: 3) == coded)
    #expect(capture.entries[0]["response.body"] == values.shown)
  }

  @Test("Values in a form are hidden like those in a query")
  func forms() async throws {
    let shown = try await lines(
      BodySampling(), request: "user=me&password=x", type: "application/x-www-form-urlencoded")
    #expect(shown.request == "user=██&password=██")
  }

  @Test(
    "Values in JSON are hidden like those in a query, at any depth",
    arguments: [
      (#"{"page":2,"access_token":"s3cret"}"#, #"{"page":2,"access_token":"██"}"#),
      (#"{"access\u005ftoken":"s3cret","p\u0061ge":7}"#, #"{"access\u005ftoken":"██","p\u0061ge":"██"}"#),
      (#"{"user":{"page":{"pin":1234,"page":true}}}"#, #"{"user":{"page":{"pin":"██","page":true}}}"#),
      (
        #"{"page":[1, "x", {"pin":null}], "list":["s3cret", 5]}"#,
        #"{"page":[1, "x", {"pin":"██"}], "list":["██", "██"]}"#
      ),
      (#"{"a" : "s\"3\\", "page" : "x"}"#, #"{"a" : "██", "page" : "x"}"#),
      (#"["s3cret"]"#, #"["██"]"#), (#""s3cret""#, #""██""#), ("12", #""██""#),
      (#"{"page":"x" "s3cret"}"#, #"{"page":"x" "██"}"#), (#"{"s3cret"}"#, #"{"██"}"#),
      (#"{"page":1}"# + "\n" + #"{"pin":1}"#, #"{"page":1}"# + "\n" + #"{"pin":"██"}"#),
    ])
  func json(body: String, expected: String) async throws {
    var redaction = Redaction()
    redaction.shownQueryNames = ["page"]
    #expect(redaction.json(body) == expected)
    #expect(try await lines(BodySampling(), request: body).request?.contains("s3cret") == false)
    if body.first != "\"" {
      #expect(
        try await lines(BodySampling(), request: body, type: "text/plain").request?.contains("s3cret")
          == false)
    }
  }

  @Test("A sample of JSON that is cut off anywhere contains no part of a secret")
  func truncatedJSON() async throws {
    let body = #"{"password":"s3cret","list":[{"token":"t0ken"}],"number":9876,"key\u0022":"v4lue"}"#
    let secrets = ["s3", "t0", "98", "v4"]
    for length in 0...body.utf8.count {
      let sampling = BodySampling(requestBytes: length, responseBytes: length)
      let shown = try await lines(
        sampling, request: body, answer: Array(body.utf8), answerType: "application/problem+json")
      for text in [shown.request, shown.answer].compactMap(\.self) {
        #expect(secrets.allSatisfy { !text.contains($0) }, "\(text)")
      }
    }
  }

  @Test("Long text that is no valid JSON is redacted, however deep it nests", .timeLimit(.minutes(5)))
  func hostileJSON() {
    for text in ["[", "{\"a\":", "\"a\" ", "\\", "{\"a\"      ", "}"] {
      let long = String(repeating: text, count: 50_000)
      #expect(!Redaction().json(long).isEmpty)
    }
  }

  @Test("A custom redaction is applied last")
  func ownRedaction() async throws {
    let sampling = BodySampling(redacting: { String($0.reversed()) })
    #expect(try await lines(sampling, request: "abc", type: "text/plain").request == "cba")
  }

  @Test("One request in three is sampled, by its number")
  func period() async throws {
    let capture = LogCapture()
    let logging = LoggingInterceptor(logger: capture.logger(.debug), bodies: BodySampling(oneIn: 3))
    let pipeline = try Pipeline(over: ScriptedDispatcher()) { logging }
    // Other tests use up numbers too, so each request is checked by its own.
    var sampled: Set<Bool> = []
    while sampled.count < 2 {
      let request = Request(
        method: .post, authority: "a.test", path: "/", headerFields: [.contentType: "text/plain"],
        body: .text("abc"))
      _ = try await pipeline.send(request)
      let isSampled = request.id.number % 3 == 0
      #expect((capture.entries.last?["request.body"] == "abc") == isSampled)
      sampled.insert(isSampled)
    }
  }
}
