import HTTPTypes
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite struct KeptCallTests {
  private static let secret = "hunter2secret"

  @Test("Nothing that the page hides is in what is written", arguments: [ShownText.strict, .open])
  func redaction(shown: ShownText) throws {
    var request = Request.example
    request.head.method = .post
    request.body = .bytes(Array(#"{"password":"\#(Self.secret)","name":"x"}"#.utf8))
    request.head.headerFields[.contentType] = "application/json"
    let response = Response(
      status: .ok, headerFields: [.contentType: "application/json", .setCookie: "id=\(Self.secret)"],
      bytes: Array(#"{"access_token":"\#(Self.secret)"}"#.utf8))
    var record = CallRecord.answered(request, with: response)
    let error = NetworkError(.connect, "https://api.estate.test/?token=\(Self.secret) failed")
    _ = record.take(.sent(request, exchange: 1), at: .milliseconds(7))
    _ = record.take(.failed(error, exchange: 1), at: .milliseconds(8))
    let kept = KeptCall(record, app: "Test", shown: shown)
    for part in [kept.summary, kept.detail, kept.entries] {
      #expect(!part.isEmpty)
      #expect(!String(decoding: part, as: UTF8.self).contains(Self.secret))
    }
  }

  @Test("A kept call is marked as of an earlier run, is numbered by itself, and can't be sent again")
  func marks() throws {
    var record = CallRecord.answered(with: Response(status: .ok))
    record.sequence = 99
    let kept = KeptCall(record, app: "Test", shown: .strict)
    let summary = try JSON(kept.summary)
    #expect(summary["earlier"].bool == true)
    #expect(summary["seq"].number == 1)
    let detail = try JSON(kept.detail)
    #expect(detail["replayable"].bool == false)
    #expect(detail["replayRefusal"].text == KeptCall.replayRefusal)
    #expect(detail["exchanges"].list.count == 1)
    #expect(try JSON([UInt8(ascii: "[")] + kept.entries + [UInt8(ascii: "]")]).list.count == 1)
  }

  @Test("A call is complete when it has an outcome and no stream of it is read")
  func completeness() {
    var record = CallRecord(.example)
    #expect(!record.isComplete)
    let stream = Response(
      HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, BufferedByteSource([1, 2]))))
    _ = record.take(.sent(.example, exchange: 0), at: .milliseconds(1))
    _ = record.take(.received(stream, exchange: 0), at: .milliseconds(2))
    _ = record.take(.delivered(stream, stream: 0), at: .milliseconds(3))
    #expect(!record.isComplete)
    let sample = CallEvent.StreamSample(count: 2, bytes: [1, 2], ending: .complete)
    _ = record.take(.streamed(sample, exchange: 0), at: .milliseconds(4))
    #expect(record.isComplete)
  }
}
