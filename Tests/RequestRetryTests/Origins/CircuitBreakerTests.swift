import Interception
import Testing

@testable import RequestRetry

@Suite struct CircuitBreakerTests {
  /// A breaker that was opened at zero.
  private var open: CircuitBreaker {
    var breaker = CircuitBreaker(failureLimit: 1, pause: .seconds(30))
    breaker.noteFailure(isTrial: false, at: .zero)
    return breaker
  }

  @Test("Only failures in a row open it")
  func opening() {
    var breaker = CircuitBreaker()
    for _ in 1...4 { breaker.noteFailure(isTrial: false, at: .zero) }
    #expect(!breaker.isPristine)
    breaker.noteSuccess(isTrial: false)
    #expect(breaker.isPristine)
    for _ in 1...4 { breaker.noteFailure(isTrial: false, at: .zero) }
    #expect(breaker.admit(at: .zero) == .admitted)
    breaker.noteFailure(isTrial: false, at: .seconds(1))
    #expect(breaker.isOpen)
    #expect(breaker.admit(at: .seconds(1)) == .refused(for: .seconds(30)))
    #expect(breaker.admit(at: .seconds(30)) == .refused(for: .seconds(1)))
  }

  @Test("After the pause a single request is let through")
  func halfOpen() {
    var breaker = open
    #expect(breaker.admit(at: .seconds(30)) == .admittedAsTrial)
    #expect(breaker.admit(at: .seconds(90)) == .refused(for: nil))
    breaker.noteSuccess(isTrial: true)
    #expect(breaker.admit(at: .seconds(90)) == .admitted)
    #expect(breaker.isPristine)
  }

  @Test("Its status says for how long it is open, and that the next request decides")
  func status() {
    var breaker = CircuitBreaker(failureLimit: 2, pause: .seconds(30))
    #expect(breaker.status(named: "a", at: .zero) == CircuitStatus(name: "a", state: .closed, failures: 0))
    breaker.noteFailure(isTrial: false, at: .zero)
    #expect(breaker.status(named: "a", at: .zero).failures == 1)
    breaker.noteFailure(isTrial: false, at: .zero)
    #expect(breaker.status(named: "a", at: .seconds(10)).state == .open(for: .seconds(20)))
    #expect(breaker.status(named: "a", at: .seconds(30)).state == .halfOpen)
    #expect(breaker.admit(at: .seconds(30)) == .admittedAsTrial)
    #expect(breaker.status(named: "a", at: .seconds(30)).state == .halfOpen)
  }

  @Test("A failed trial begins the pause again")
  func failedTrial() {
    var breaker = open
    _ = breaker.admit(at: .seconds(40))
    breaker.noteFailure(isTrial: true, at: .seconds(50))
    #expect(breaker.admit(at: .seconds(79)) == .refused(for: .seconds(1)))
    #expect(breaker.admit(at: .seconds(80)) == .admittedAsTrial)
  }

  @Test("An abandoned trial lets the next request through as a trial")
  func abandonedTrial() {
    var breaker = open
    _ = breaker.admit(at: .seconds(40))
    breaker.abandonTrial(at: .seconds(41))
    #expect(breaker.admit(at: .seconds(41)) == .admittedAsTrial)
  }

  @Test("Outcomes of requests that were sent earlier do not end a pause or a trial")
  func earlierRequests() {
    var breaker = open
    breaker.noteSuccess(isTrial: false)
    breaker.noteFailure(isTrial: false, at: .seconds(20))
    #expect(breaker.admit(at: .seconds(20)) == .refused(for: .seconds(10)))
    _ = breaker.admit(at: .seconds(30))
    breaker.noteSuccess(isTrial: false)
    breaker.noteFailure(isTrial: false, at: .seconds(31))
    #expect(breaker.admit(at: .seconds(32)) == .refused(for: nil))
  }
}
