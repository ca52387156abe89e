package import MortgageRoutes
package import PageBridging

extension MortgageQuote: PageRepresentable {
  /// The quote as the script of a page receives it.
  package var pageValue: PageValue {
    .object([
      "loan": .int(loan), "percent": .double(percent), "years": .int(years),
      "monthlyCents": .int(monthlyCents),
    ])
  }
}
