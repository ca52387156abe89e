package import Mediation

/// Calculates a loan for a home; answers with a ``MortgageQuote``.
package struct MortgageQuoteRoute: Route, Hashable {
  package typealias Output = MortgageQuote
  package static let pattern: RoutePattern =
    "estate://mortgage/quote?price={price:int}&down={down:int?}&years={years:int?}"
  /// Open to links of the company's web site; which page's script may call it is up to the app.
  package static let exposure = Exposure.link([.web(host: "api.estate.test")])

  /// The price of the home, in dollars.
  package var price: Int
  /// The down payment, in percent of the price.
  package var downPercent: Int
  /// The term in years.
  package var years: Int

  package init(from input: RouteInput) throws(RouteError) {
    price = try input.value("price")
    downPercent = try input.optional("down") ?? 20
    years = try input.optional("years") ?? 30
  }

  package func write(to output: inout RouteOutput) {
    output.set("price", to: price)
    output.set("down", to: downPercent)
    output.set("years", to: years)
  }
}
