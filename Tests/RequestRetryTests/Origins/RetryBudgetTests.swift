import Testing

@testable import RequestRetry

@Suite struct RetryBudgetTests {
  /// Withdraws until the budget is spent, at most 1,000 times.
  private func spend(_ budget: inout RetryBudget, at now: Duration = .zero) -> Int {
    (0..<1_000).prefix { _ in budget.withdraw(at: now) }.count
  }

  @Test("A budget allows as much as its capacity, and then a part of the successes")
  func deposits() {
    var budget = RetryBudget()
    #expect(budget.isFull(at: .zero))
    #expect(spend(&budget) == 10)
    #expect(!budget.isFull(at: .zero))
    for _ in 1...11 { budget.deposit(at: .zero) }
    #expect(spend(&budget) == 1)
    for _ in 1...1_000 { budget.deposit(at: .zero) }
    #expect(budget.isFull(at: .zero))
    #expect(spend(&budget) == 10)
  }

  @Test("Time returns a token per interval, up to the capacity")
  func refill() {
    var budget = RetryBudget(capacity: 3, refillInterval: .seconds(10))
    #expect(spend(&budget, at: .seconds(100)) == 3)
    #expect(spend(&budget, at: .seconds(109)) == 0)
    #expect(spend(&budget, at: .seconds(121)) == 2)
    #expect(budget.isFull(at: .seconds(1_000)))
    #expect(spend(&budget, at: .seconds(1_000)) == 3)
  }

  @Test("A server that is down gets the reserve, and then one retry per interval")
  func storm() {
    var budget = RetryBudget()
    var retries = 0
    // 100 failing requests in each of 60 seconds.
    for second in 0..<60 {
      for _ in 1...100 where budget.withdraw(at: .seconds(second)) { retries += 1 }
    }
    #expect((15...16).contains(retries))
  }

  @Test("Values without a meaning are replaced by the nearest meaningful ones")
  func bounds() {
    var none = RetryBudget(capacity: -1, depositPerSuccess: -1, refillInterval: .zero)
    #expect(none.capacity == 0 && none.depositPerSuccess == 0 && none.refillInterval > .zero)
    none.deposit(at: .seconds(1))
    #expect(none.withdraw(at: .seconds(2)) == false)
  }
}
