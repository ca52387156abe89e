import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestRetry

@Suite struct HedgeLedgerTests {
  private func target(_ host: String, isStreamed: Bool = false) -> HedgeLedger.Target {
    HedgeLedger.Target(
      origin: RequestOrigin(HTTPRequest(method: .get, scheme: "https", authority: host, path: "/")),
      isStreamed: isStreamed)
  }

  /// Returns a ledger that knows a latency of the target, and has hedges left for it.
  private func taught(
    _ latency: Duration, _ policy: HedgingPolicy = HedgingPolicy(), of target: HedgeLedger.Target
  ) -> HedgeLedger {
    var ledger = HedgeLedger(policy)
    for _ in 0..<200 {
      _ = ledger.begin(target, at: .zero)
      ledger.note(latency, of: target, at: .zero)
    }
    return ledger
  }

  @Test("The delay is the percentile of the target's own latencies, and unknown without enough of them")
  func delay() throws {
    let estate = target("estate.example")
    var ledger = HedgeLedger(HedgingPolicy(share: 0.5, sampleMinimum: 20))
    for number in 0..<20 {
      #expect(ledger.begin(estate, at: .zero) == nil)
      ledger.note(.milliseconds(number == 0 ? 900 : 100), of: estate, at: .zero)
    }
    let known = ledger.begin(estate, at: .zero)
    let delay = try #require(known)
    #expect(delay >= .milliseconds(100) && delay < .milliseconds(113))
    #expect(ledger.begin(target("other.example"), at: .zero) == nil)
    #expect(ledger.begin(target("estate.example", isStreamed: true), at: .zero) == nil)
  }

  @Test("The delay has a minimum and a maximum")
  func bounds() {
    let estate = target("estate.example")
    var fast = taught(.microseconds(200), of: estate)
    #expect(fast.begin(estate, at: .zero) == .milliseconds(10))
    var slow = taught(.seconds(9), of: estate)
    #expect(slow.begin(estate, at: .zero) == .seconds(2))
  }

  @Test("A server whose responses all become slow gets at most its share of hedges", arguments: [0.05, 0.2])
  func share(_ share: Double) {
    let estate = target("estate.example")
    var ledger = taught(.milliseconds(20), HedgingPolicy(share: share), of: estate)
    var hedges = 0
    for _ in 0..<10_000 where ledger.begin(estate, at: .zero) != nil {
      if ledger.takeHedge(of: estate) { hedges += 1 }
    }
    // Five hedges were saved while the server was fast.
    #expect(abs(Double(hedges) - share * 10_000) <= 6)
  }

  @Test("Concurrent requests share the hedges of their origin")
  func concurrent() {
    let estate = target("estate.example")
    var ledger = taught(.milliseconds(20), of: estate)
    let delays = (0..<10).compactMap { _ in ledger.begin(estate, at: .zero) }
    #expect(delays.count == 10)
    #expect(delays.filter { _ in ledger.takeHedge(of: estate) }.count == 5)
    #expect(ledger.takeHedge(of: target("other.example")) == false)
  }

  @Test("The number of remembered origins is bounded, and those in use are kept")
  func eviction() {
    let estate = target("estate.example")
    var ledger = taught(.milliseconds(20), of: estate)
    for number in 1...1_000 {
      #expect(ledger.begin(estate, at: .seconds(number)) != nil)
      ledger.note(.zero, of: target("host\(number).example"), at: .seconds(number))
      #expect(ledger.count <= 128)
    }
    #expect(ledger.count == 128)
  }

  @Test("Values outside the ranges are moved to the nearest bound")
  func ranges() {
    let low = HedgingPolicy(
      percentile: .nan, share: -1, sampleMinimum: -1, minimumDelay: .seconds(-1), maximumDelay: .seconds(-2)
    ).clamped
    #expect(
      low
        == HedgingPolicy(
          percentile: 0.5, share: 0, sampleMinimum: 1, minimumDelay: .zero, maximumDelay: .zero))
    let high = HedgingPolicy(percentile: 2, share: .infinity, sampleMinimum: .max).clamped
    #expect(high == HedgingPolicy(percentile: 0.999, share: 0.5, sampleMinimum: 1_000))
    #expect(HedgingPolicy().clamped == HedgingPolicy())
  }

  @Test("A safe request whose body can be sent again may be hedged")
  func requests() throws {
    func request(_ method: HTTPRequest.Method, _ body: RequestBody = .empty) -> Request {
      Request(method: method, authority: "estate.example", path: "/", body: body)
    }
    let query = try #require(HTTPRequest.Method(rawValue: "QUERY"))
    for method in [.get, .head, query, .options, .trace] { #expect(request(method).permits(.hedging)) }
    for method in [HTTPRequest.Method.put, .delete, .post, .patch] {
      #expect(!request(method).permits(.hedging))
    }
    #expect(request(.get, .text("query")).permits(.hedging))
    #expect(!request(.get, .once(length: 1, ScriptedByteSource([[1]]))).permits(.hedging))
    var unsafe = request(.get)
    unsafe.context.isIdempotent = false
    #expect(!unsafe.permits(.hedging))
    var declared = request(.post)
    declared.context.isIdempotent = true
    #expect(!declared.permits(.hedging))
  }
}
