import MortgageRoutes
import Testing

@testable import Mortgage

@Suite("A loan")
struct LoanRequestTests {
  private let rates = [Rate(years: 30, percent: 6.5), Rate(years: 10, percent: 0)]

  @Test(
    "The monthly payment follows from the annuity formula",
    arguments: [(240_000, 30, 151_696), (100_000, 10, 83_333)])
  func payments(price: Int, years: Int, cents: Int) throws {
    let quote = try LoanRequest(price: price, downPercent: 0, years: years).quote(from: rates)
    #expect(quote.monthlyCents == cents)
    #expect(quote.loan == price)
  }

  @Test("A loan that is not offered is refused with the terms that are")
  func refusals() throws {
    #expect(throws: LoanFault.price(0)) { try LoanRequest(price: 0, downPercent: 0, years: 30) }
    #expect(throws: LoanFault.downPayment(100)) { try LoanRequest(price: 1, downPercent: 100, years: 30) }
    #expect(throws: LoanFault.years(7, offered: [10, 30])) {
      try LoanRequest(price: 1, downPercent: 0, years: 7).quote(from: rates)
    }
  }
}
