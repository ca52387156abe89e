import HTTPTypes
import Interception
import Testing

@testable import RequestRetry

@Suite struct OriginLedgerTests {
  private func origin(_ authority: String, scheme: String = "https") -> RequestOrigin {
    RequestOrigin(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/"))
  }

  @Test("An origin ignores case, user names and the scheme's default port")
  func origins() {
    for authority in ["estate.example", "ESTATE.example", "estate.example:443", "user:secret@estate.example"]
    {
      #expect(origin(authority) == origin("estate.example"))
    }
    #expect(origin("estate.example:80", scheme: "HTTP") == origin("estate.example", scheme: "http"))
    #expect(origin("estate.example:80") != origin("estate.example"))
    #expect(origin("estate.example", scheme: "http") != origin("estate.example"))
    #expect("\(origin("user:secret@[::1]:8443"))" == "https://[::1]:8443")
  }

  @Test("Only origins with failures are remembered")
  func forgetting() {
    var ledger = OriginLedger(budget: RetryBudget(capacity: 1), breaker: CircuitBreaker())
    let estate = origin("estate.example")
    ledger.noteSuccess(of: estate, isTrial: false, at: .zero)
    #expect(ledger.isEmpty)
    ledger.noteFailure(of: estate, isTrial: false, at: .zero)
    #expect(ledger.canRetry(estate, at: .zero))
    #expect(ledger.withdraw(for: estate, at: .zero) == nil)
    #expect(ledger.withdraw(for: estate, at: .zero) == .budgetSpent)
    #expect(!ledger.canRetry(estate, at: .zero))
    #expect(ledger.canRetry(origin("other.example"), at: .zero))
    #expect(ledger.count == 1)
    ledger.noteSuccess(of: estate, isTrial: false, at: .seconds(1))
    #expect(ledger.count == 1)
    ledger.noteSuccess(of: estate, isTrial: false, at: .seconds(10))
    #expect(ledger.isEmpty)
  }

  @Test("An open circuit breaker stops retries too")
  func openCircuit() {
    var ledger = OriginLedger(budget: RetryBudget(), breaker: CircuitBreaker(failureLimit: 1))
    let estate = origin("estate.example")
    #expect(ledger.withdraw(for: estate, at: .zero) == nil)
    ledger.noteFailure(of: estate, isTrial: false, at: .zero)
    #expect(ledger.withdraw(for: estate, at: .zero) == .circuitOpen)
    #expect(!ledger.canRetry(estate, at: .zero))
    #expect(ledger.admit(estate, at: .zero) == .refused(for: .seconds(30)))
    #expect(ledger.admit(origin("other.example"), at: .zero) == .admitted)
  }

  @Test("The number of remembered origins is bounded, and those with an open circuit breaker are kept")
  func eviction() {
    var ledger = OriginLedger(budget: RetryBudget(), breaker: CircuitBreaker(failureLimit: 1), capacity: 4)
    let broken = origin("broken.example")
    ledger.noteFailure(of: broken, isTrial: false, at: .zero)
    for number in 1...1_000 {
      _ = ledger.withdraw(for: origin("host\(number).example"), at: .milliseconds(number))
      #expect(ledger.count <= 4)
    }
    #expect(ledger.admit(broken, at: .seconds(1)) == .refused(for: .seconds(29)))
    var open = OriginLedger(budget: nil, breaker: CircuitBreaker(failureLimit: 1), capacity: 4)
    for number in 1...1_000 {
      open.noteFailure(of: origin("host\(number).example"), isTrial: false, at: .milliseconds(number))
    }
    #expect(open.count == 4)
    #expect(open.admit(origin("host1000.example"), at: .seconds(1)) == .refused(for: .seconds(30)))
  }
}
