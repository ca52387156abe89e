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
    #expect(shown.request == "{\"a\"… (+3 bytes)")
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
    #expect((shown.request == "abc") == isShown)
    #expect((shown.answer == "A") == isShown)
  }

  @Test("A body with a content coding isn't logged")
  func coded() async throws {
    let shown = try await lines(BodySampling(), request: "abc", fields: [.contentEncoding: "gzip"])
    #expect(shown.request == nil)
  }

  @Test("Values in a form are hidden like those in a query")
  func forms() async throws {
    let shown = try await lines(
      BodySampling(), request: "user=me&password=x", type: "application/x-www-form-urlencoded")
    #expect(shown.request == "user=██&password=██")
  }

  @Test("A custom redaction is applied last")
  func ownRedaction() async throws {
    let sampling = BodySampling(redacting: { String($0.reversed()) })
    #expect(try await lines(sampling, request: "abc").request == "cba")
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
