import HTTPTypes
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite struct CallRecordTests {
  @Test("A call runs until its caller receives a response or an error")
  func states() {
    var record = CallRecord(.example)
    #expect(record.state == .running)
    #expect(record.duration == nil)
    _ = record.take(.delivered(Response(status: .ok), stream: nil), at: .milliseconds(7))
    #expect(record.state == .answered)
    #expect(record.duration == .milliseconds(7))
    #expect(record.status == 200)
  }

  @Test(
    "A failed call is distinguished from one that was cancelled",
    arguments: [
      (NetworkError.Kind.timeout(.firstByte), CallRecord.State.failed), (.cancelled(.task), .cancelled),
      (.cancelled(.shutdown), .cancelled), (.rejected, .failed),
    ])
  func failures(kind: NetworkError.Kind, state: CallRecord.State) {
    var record = CallRecord(.example)
    _ = record.take(.refused(NetworkError(kind, "no")), at: .milliseconds(1))
    #expect(record.state == state)
  }

  @Test("Every attempt and hop is an exchange, also those that run at the same time")
  func exchanges() throws {
    var record = CallRecord(.example)
    _ = record.take(.sent(.example, exchange: 0), at: .milliseconds(1))
    _ = record.take(.sent(Request.example.asAttempt(2), exchange: 1), at: .milliseconds(3))
    _ = record.take(.received(Response(status: .ok), exchange: 1), at: .milliseconds(4))
    _ = record.take(.failed(NetworkError(.cancelled(.task), "late"), exchange: 0), at: .milliseconds(5))
    #expect(record.exchanges.map(\.attempt) == [1, 2])
    #expect(record.exchanges[0].failure?.label == "cancelled_task")
    #expect(record.exchanges[1].response?.head.status == .ok)
    #expect(record.attemptCount == 2)
  }

  @Test("Late reports of a stream complete the record of a call that has ended")
  func lateReports() throws {
    let source = ScriptedByteSource([[1, 2]])
    let response = Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, source)))
    var record = CallRecord(.example)
    _ = record.take(.sent(.example, exchange: 0), at: .milliseconds(1))
    _ = record.take(.received(response, exchange: 0), at: .milliseconds(2))
    _ = record.take(.delivered(response, stream: 0), at: .milliseconds(3))
    #expect(record.exchanges[0].response?.body.isRunning == true)
    let sample = CallEvent.StreamSample(count: 2, bytes: [1, 2], ending: .complete)
    let change = record.take(.streamed(sample, exchange: 0), at: .milliseconds(9))
    #expect(change == CallRecord.Change(growth: 2, isNews: true))
    _ = record.take(
      .transported(TransportReport(remoteAddress: "127.0.0.1:1"), exchange: 0), at: .milliseconds(9))
    let body = try #require(record.exchanges[0].response?.body)
    #expect(body.bytes == [1, 2])
    #expect(!body.isRunning)
    #expect(record.duration == .milliseconds(9))
    #expect(record.lastTransport?.remoteAddress == "127.0.0.1:1")
  }

  @Test("Events of exchanges and steps that aren't kept are ignored")
  func unknown() {
    var record = CallRecord(.example)
    let before = record
    _ = record.take(.received(Response(status: .ok), exchange: 3), at: .zero)
    _ = record.take(.failed(NetworkError(.offline, "x"), exchange: 3), at: .zero)
    _ = record.take(.left(frame: 3, own: .zero, total: .zero, .answered(.ok, nil)), at: .zero)
    _ = record.take(.entered(.dispatcher("D"), frame: 3, parent: nil, attempt: 1), at: .zero)
    #expect(record.exchanges.isEmpty)
    #expect(record.steps.count == before.steps.count)
  }

  @Test("The number of kept steps and exchanges is limited")
  func limits() {
    var record = CallRecord(.example)
    for number in 0..<2_000 {
      _ = record.take(.entered(.dispatcher("D"), frame: number, parent: nil, attempt: 1), at: .zero)
      _ = record.take(.sent(.example, exchange: number), at: .zero)
    }
    #expect(record.steps.count == 512)
    #expect(record.exchanges.count == 64)
  }

  @Test("A body in memory is shared, and one that is too long is cut")
  func bodies() {
    let short = [UInt8](repeating: 7, count: 1_024)
    var record = CallRecord(Request(authority: "a.test", path: "/", body: .bytes(short)))
    #expect(record.request.body.bytes.withUnsafeBytes(\.baseAddress) == short.withUnsafeBytes(\.baseAddress))
    #expect(!record.request.body.isCut)
    record = .answered(with: Response(status: .ok, bytes: [UInt8](repeating: 7, count: 50 << 20)))
    #expect(record.exchanges[0].response?.body.bytes.count == 1_024)
    #expect(record.exchanges[0].response?.body.size == 50 << 20)
    #expect(record.exchanges[0].response?.body.isCut == true)
  }

  @Test("The depth of a step is the number of steps around it")
  func depth() {
    var record = CallRecord(.example)
    for (frame, parent) in [(0, nil), (1, 0), (2, 1), (3, 0)] as [(Int, Int?)] {
      _ = record.take(
        .entered(.interceptor("I\(frame)", .retry), frame: frame, parent: parent, attempt: 1), at: .zero)
    }
    #expect(record.steps.map(record.depth) == [0, 1, 2, 1])
  }

  @Test("A call without an exchange of its own is shared, unless a store has answered it")
  func shared() {
    func record(_ exchange: Exchange) -> CallRecord {
      .answered(with: Response(HTTPResponse(status: .ok), exchange: exchange), sent: false)
    }
    #expect(record(Exchange(attempts: 1)).isShared)
    #expect(
      record(Exchange(attempts: 1, cache: .forwarded(.uriMiss, stored: true, collapsed: true))).isShared)
    #expect(!record(Exchange(attempts: 0, cache: .hit(ttl: 4))).isShared)
    #expect(!record(Exchange()).isShared)
  }
}
