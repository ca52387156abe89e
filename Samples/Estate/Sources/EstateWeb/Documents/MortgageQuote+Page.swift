public import MortgageRoutes
public import Switchyard

extension MortgageQuote: PageRepresentable {
  /// The quote as the script of a page receives it.
  public var pageValue: PageValue {
    .object([
      "loan": .int(loan), "percent": .double(percent), "years": .int(years),
      "monthlyCents": .int(monthlyCents),
    ])
  }
}
