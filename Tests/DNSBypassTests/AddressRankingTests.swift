import Interception
import Testing

@testable import DNSBypass

@Suite struct AddressRankingTests {
  private let a = ConnectTarget(address: "203.0.114.1")
  private let b = ConnectTarget(address: "203.0.114.2")
  private let c = ConnectTarget(address: "203.0.114.3")

  private func ranking(_ times: [(ConnectTarget, Int?)]) -> AddressRanking {
    var ranking = AddressRanking(times.map(\.0))
    for case (let target, let time?) in times {
      ranking.noteSuccess(of: target, connectTime: .milliseconds(time), at: .zero)
    }
    return ranking
  }

  @Test("Without measurements the first address is used")
  func first() {
    var ranking = AddressRanking([a, b])
    #expect(ranking.choose(butNot: [], at: .zero) == a)
    #expect(ranking.choose(butNot: [a], at: .zero) == b)
    #expect(ranking.choose(butNot: [a, b], at: .zero) == nil)
    var empty = AddressRanking([])
    #expect(empty.choose(butNot: [], at: .zero) == nil)
  }

  @Test(
    "Another address is used only if it connects faster by 15 % and 10 ms",
    arguments: [
      (100, 86, false), (100, 85, true), (100, 20, true), (50, 41, false), (50, 40, true), (12, 3, false),
      (20, 10, true), (100, 101, false),
    ])
  func hysteresis(_ current: Int, _ other: Int, switches: Bool) {
    var ranking = ranking([(a, current), (b, other)])
    let expected = switches ? b : a
    #expect(ranking.choose(butNot: [], at: .zero) == expected)
    #expect(ranking.choose(butNot: [], at: .zero) == expected)
  }

  @Test("Noise around equal times doesn't make the choice flap")
  func noFlapping() {
    var ranking = ranking([(a, 100), (b, 100)])
    for sample in 0..<50 {
      ranking.noteSuccess(of: b, connectTime: .milliseconds(sample.isMultiple(of: 2) ? 92 : 104), at: .zero)
      #expect(ranking.choose(butNot: [], at: .zero) == a)
    }
  }

  @Test("Each new connection weighs 30 % in the average; reused connections don't count")
  func average() {
    var ranking = ranking([(a, 100)])
    ranking.noteSuccess(of: a, connectTime: .milliseconds(200), at: .zero)
    ranking.noteSuccess(of: a, connectTime: nil, at: .zero)
    let time = ranking.statuses(at: .zero).first?.connectTime ?? .zero
    #expect(time > .microseconds(129_999) && time < .microseconds(130_001))
  }

  @Test("A circuit breaker opens for 30 s, doubling up to 10 min; a success closes it")
  func circuit() {
    var ranking = AddressRanking([a])
    var now = Duration.zero
    for seconds in [30, 60, 120, 240, 480, 600, 600] {
      #expect(ranking.noteFailure(of: a, at: now) == true)
      #expect(ranking.statuses(at: now).first?.circuitOpenFor == .seconds(seconds))
      now += .seconds(seconds)
      #expect(ranking.choose(butNot: [], at: now - .nanoseconds(1)) == nil)
      #expect(ranking.choose(butNot: [], at: now) == a)
    }
    ranking.noteSuccess(of: a, connectTime: nil, at: .zero)
    #expect(
      ranking.statuses(at: now) == [
        AddressStatus(target: a, connectTime: nil, failures: 0, circuitOpenFor: nil)
      ])
    _ = ranking.noteFailure(of: a, at: now)
    #expect(ranking.statuses(at: now).first?.circuitOpenFor == .seconds(30))
  }

  @Test("Concurrent failures count as one")
  func oneFailure() {
    var ranking = AddressRanking([a])
    let counted = (0..<50).count { _ in ranking.noteFailure(of: a, at: .seconds(1)) }
    #expect(counted == 1)
    #expect(ranking.statuses(at: .seconds(1)).first?.failures == 1)
  }

  @Test("After the open period one request at a time tries the address")
  func oneTrial() {
    var ranking = ranking([(a, 10), (b, 80)])
    #expect(ranking.choose(butNot: [], at: .zero) == a)
    _ = ranking.noteFailure(of: a, at: .zero)
    #expect(ranking.choose(butNot: [], at: .seconds(29)) == b)
    #expect(ranking.choose(butNot: [], at: .seconds(30)) == a)
    #expect(ranking.choose(butNot: [], at: .seconds(31)) == b)
    #expect(ranking.choose(butNot: [], at: .seconds(40)) == a)
    ranking.noteSuccess(of: a, connectTime: .milliseconds(10), at: .zero)
    for _ in 1...2 { #expect(ranking.choose(butNot: [], at: .seconds(41)) == a) }
  }

  @Test(
    "After a failure the fastest measured address is next, then unmeasured ones, then failed ones")
  func order() {
    var ranking = ranking([(a, 10), (b, nil), (c, 80)])
    _ = ranking.choose(butNot: [], at: .zero)
    #expect(ranking.choose(butNot: [a], at: .zero) == c)
    #expect(ranking.choose(butNot: [a, c], at: .zero) == b)
    _ = ranking.noteFailure(of: c, at: .zero)
    #expect(ranking.choose(butNot: [a], at: .seconds(30)) == b)
    #expect(ranking.choose(butNot: [a, b], at: .seconds(30)) == c)
  }

  @Test("Forgiving a failure closes the circuit breaker")
  func forgiven() {
    var ranking = AddressRanking([a])
    _ = ranking.noteFailure(of: a, at: .zero)
    ranking.retractFailure(a)
    #expect(ranking.choose(butNot: [], at: .zero) == a)
    #expect(ranking.statuses(at: .zero).first?.failures == 0)
  }

  @Test("An address is established for a minute after a response, unless it fails or connects slowly")
  func established() {
    var ranking = AddressRanking([a, b])
    let delay = Duration.milliseconds(250)
    #expect(ranking.established(delay: delay, at: .zero) == nil)
    ranking.noteSuccess(of: a, connectTime: .milliseconds(50), handshake: .milliseconds(75), at: .zero)
    #expect(ranking.established(delay: delay, at: .zero)?.target == a)
    #expect(ranking.established(delay: delay, at: .seconds(14))?.isFresh == true)
    #expect(ranking.established(delay: delay, at: .seconds(16))?.isFresh == false)
    #expect(ranking.established(delay: delay, at: .seconds(59))?.target == a)
    #expect(ranking.established(delay: delay, at: .seconds(60)) == nil)
    ranking.noteSuccess(of: a, connectTime: nil, at: .seconds(60))
    #expect(ranking.established(delay: delay, at: .seconds(61))?.target == a)
    ranking.noteSuccess(of: a, connectTime: .milliseconds(50), handshake: .milliseconds(76), at: .seconds(62))
    #expect(ranking.established(delay: delay, at: .seconds(62)) == nil)
    ranking.noteSuccess(of: a, connectTime: .milliseconds(50), at: .seconds(63))
    _ = ranking.noteFailure(of: a, at: .seconds(63))
    #expect(ranking.established(delay: delay, at: .seconds(63)) == nil)
  }

  @Test("A faster address is used as soon as a probe has found it, while the current one works")
  func probed() {
    var ranking = ranking([(a, 80), (b, nil)])
    #expect(ranking.choose(butNot: [], at: .zero) == a)
    ranking.noteProbe(of: b, connectTime: .milliseconds(10), at: .zero)
    #expect(ranking.choose(butNot: [], at: .zero) == b)
  }

  @Test(
    "A probe closes the circuit breaker of an address that was down, but not of one with a wrong certificate")
  func recovery() {
    var ranking = AddressRanking([a, b])
    _ = ranking.noteFailure(of: a, .connection, at: .zero)
    _ = ranking.noteFailure(of: b, .certificate, at: .zero)
    for target in [a, b] { ranking.noteProbe(of: target, connectTime: .milliseconds(10), at: .seconds(1)) }
    #expect(ranking.statuses(at: .seconds(1)).map(\.failures) == [0, 1])
    ranking.noteProbe(of: a, connectTime: nil, at: .seconds(2))
    #expect(ranking.choose(butNot: [], at: .seconds(2)) == nil)
  }

  @Test("A network change forgets failures, and the next measurement replaces the former network's")
  func networkChange() {
    var ranking = ranking([(a, 100), (b, 200)])
    _ = ranking.noteFailure(of: b, at: .zero)
    ranking.networkDidChange()
    #expect(ranking.established(delay: .milliseconds(250), at: .zero) == nil)
    #expect(ranking.statuses(at: .zero).map(\.failures) == [0, 0])
    ranking.noteProbe(of: a, connectTime: .milliseconds(30), at: .zero)
    #expect(
      ranking.statuses(at: .zero).map(\.connectTime) == [.milliseconds(30), .milliseconds(200)])
  }

  @Test("A race starts with the best address, then alternates between families as long as none is measured")
  func raceOrder() {
    let (v6, other6) = (ConnectTarget(address: "2001:db9::1"), ConnectTarget(address: "2001:db9::2"))
    var unknown = AddressRanking([v6, other6, a, b])
    #expect(unknown.order(butNot: [], limit: 9, at: .zero) == [v6, a, other6, b])
    #expect(unknown.order(butNot: [v6], limit: 2, at: .zero) == [a, other6])
    var known = ranking([(v6, 10), (other6, 20), (a, 40), (b, nil), (c, 30)])
    #expect(known.order(butNot: [], limit: 9, at: .zero) == [v6, other6, c, a, b])
    _ = known.noteFailure(of: other6, at: .zero)
    #expect(known.order(butNot: [], limit: 3, at: .zero) == [v6, c, a])
    #expect(known.order(butNot: [], limit: 9, at: .seconds(30)) == [v6, c, a, b, other6])
    #expect(known.order(butNot: [], limit: 0, at: .zero) == [])
  }

  @Test("A new list keeps the measurements of the remaining addresses")
  func adopted() {
    var ranking = ranking([(a, 10), (b, 50)])
    #expect(ranking.choose(butNot: [], at: .zero) == a)
    ranking.adopt([c, b])
    #expect(ranking.statuses(at: .zero).map(\.connectTime) == [nil, .milliseconds(50)])
    #expect(ranking.choose(butNot: [], at: .zero) == b)
    ranking.noteSuccess(of: a, connectTime: .milliseconds(1), at: .zero)
    #expect(ranking.noteFailure(of: a, at: .zero) == false)
    #expect(ranking.statuses(at: .zero).map(\.target) == [c, b])
  }
}
