import HTTPTypes
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite struct RecordedCallTests {
  private let inspector = Inspector(app: "Test")

  private func begun() throws -> RecordedCall {
    try #require(inspector.recorder(of: .example, at: .zero, by: .system) as? RecordedCall)
  }

  @Test("What a call takes is counted when its line changes, and before if it is much")
  func counting() throws {
    let call = try begun()
    let atStart = inspector.log.usage.bytes
    #expect(atStart == call.byteCount)
    call.record(.sent(.example, exchange: 0), at: .zero)
    #expect(inspector.log.usage.bytes == atStart && call.byteCount > atStart)
    let large = Response(status: .ok, bytes: [UInt8](repeating: 7, count: 20_000))
    call.record(.received(large, exchange: 0), at: .zero)
    #expect(inspector.log.usage.bytes == call.byteCount)
    call.record(.delivered(Response(status: .ok, bytes: [1]), stream: nil), at: .zero)
    #expect(inspector.log.usage.bytes == call.byteCount)
  }

  @Test("A call that never ends is counted, too, but for a small part of it")
  func endless() throws {
    let call = try begun()
    for exchange in 0..<64 {
      call.record(.sent(.example, exchange: exchange), at: .zero)
      call.record(
        .received(Response(status: .ok, bytes: [UInt8](repeating: 7, count: 1_000)), exchange: exchange),
        at: .zero)
      #expect(call.byteCount - inspector.log.usage.bytes < 16 << 10)
    }
    #expect(call.current.exchanges.count == 64)
  }

  @Test("An ordinary call changes its line twice: when it starts and when it ends")
  func changes() throws {
    let before = inspector.log.changes.last
    let call = try begun()
    #expect(inspector.log.changes.last == before + 1 && call.sequence == before + 1)
    let response = Response(status: .ok)
    call.record(.sent(.example, exchange: 0), at: .zero)
    call.record(.received(response, exchange: 0), at: .zero)
    #expect(inspector.log.changes.last == before + 1)
    call.record(.delivered(response, stream: nil), at: .zero)
    #expect(inspector.log.changes.last == before + 2 && call.sequence == before + 2)
    #expect(call.current.sequence == before + 2)
  }

  @Test("What the chain did is kept with the delivered response")
  func report() throws {
    let redirect = Exchange.Redirect(status: .found, method: .get, url: "https://a.test/b")
    let exchange = Exchange(
      attempts: 3, cache: .hit(ttl: 5), redirects: [redirect], retryRefusal: .budgetSpent,
      requestCoding: .gzip, transport: TransportReport(version: .http2))
    let call = try begun()
    call.record(.delivered(Response(HTTPResponse(status: .ok), exchange: exchange), stream: nil), at: .zero)
    let report = try #require(call.current.report)
    #expect(report.attempts == 3 && report.cache == .hit(ttl: 5) && report.redirects == [redirect])
    #expect(report.retryRefusal == .budgetSpent && report.requestCoding == .gzip)
  }

  @Test("The exchanges of a call are listed in order, and each is changed by its position")
  func exchanges() {
    var record = CallRecord(.example)
    #expect(record.exchanges.isEmpty && record.exchanges.lastBody == nil)
    for exchange in 0..<3 {
      _ = record.take(.sent(Request.example.asAttempt(exchange + 1), exchange: exchange), at: .zero)
    }
    for exchange in [2, 0, 1] {
      _ = record.take(
        .received(Response(status: .init(code: 200 + exchange)), exchange: exchange), at: .zero)
    }
    #expect(record.exchanges.map(\.attempt) == [1, 2, 3])
    #expect(record.exchanges.map { $0.response?.head.status.code } == [200, 201, 202])
    #expect(record.exchanges.last?.attempt == 3 && record.exchanges.lastBody != nil)
  }
}
