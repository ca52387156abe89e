public import Mediation

/// What a loan for a home costs.
public struct MortgageQuote: Sendable, Hashable {
  /// The sum lent, in dollars.
  public let loan: Int
  /// The yearly interest, in percent.
  public let percent: Double
  /// The time of repayment.
  public let years: Int
  /// What is paid each month, in cents.
  public let monthlyCents: Int

  /// Makes a quote.
  public init(loan: Int, percent: Double, years: Int, monthlyCents: Int) {
    self.loan = loan
    self.percent = percent
    self.years = years
    self.monthlyCents = monthlyCents
  }
}

extension MortgageQuote: PageRepresentable {
  /// The quote as the script of a page gets it.
  public var pageValue: PageValue {
    .object([
      "loan": .int(loan), "percent": .double(percent), "years": .int(years),
      "monthlyCents": .int(monthlyCents),
    ])
  }
}
