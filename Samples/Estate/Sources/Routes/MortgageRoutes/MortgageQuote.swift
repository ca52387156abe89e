/// The terms of a loan for a home.
public struct MortgageQuote: Sendable, Hashable {
  /// The amount of the loan, in dollars.
  public let loan: Int
  /// The annual interest rate, in percent.
  public let percent: Double
  /// The term in years.
  public let years: Int
  /// The monthly payment, in cents.
  public let monthlyCents: Int

  /// Creates a quote.
  public init(loan: Int, percent: Double, years: Int, monthlyCents: Int) {
    self.loan = loan
    self.percent = percent
    self.years = years
    self.monthlyCents = monthlyCents
  }
}
