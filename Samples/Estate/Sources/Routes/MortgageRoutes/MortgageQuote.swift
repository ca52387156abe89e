/// The terms of a loan for a home.
package struct MortgageQuote: Sendable, Hashable {
  /// The amount of the loan, in dollars.
  package let loan: Int
  /// The annual interest rate, in percent.
  package let percent: Double
  /// The term in years.
  package let years: Int
  /// The monthly payment, in cents.
  package let monthlyCents: Int

  package init(loan: Int, percent: Double, years: Int, monthlyCents: Int) {
    self.loan = loan
    self.percent = percent
    self.years = years
    self.monthlyCents = monthlyCents
  }

  /// Returns the part of the loan that is still owed after some months, from 1 to 0.
  ///
  /// O(term in months).
  package func remainingShare(afterMonths month: Int) -> Double {
    let months = years * 12
    guard month > 0, months > 0 else { return 1 }
    guard month < months else { return 0 }
    let rate = percent / 100 / 12
    guard rate != 0 else { return 1 - Double(month) / Double(months) }
    let atMonth = Self.growth(rate, month)
    let atEnd = Self.growth(rate, months)
    return (atEnd - atMonth) / (atEnd - 1)
  }

  private static func growth(_ rate: Double, _ months: Int) -> Double {
    (0..<months).reduce(1.0) { growth, _ in growth * (1 + rate) }
  }
}
