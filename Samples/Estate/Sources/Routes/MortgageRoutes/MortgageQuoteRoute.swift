public import Mediation

/// Calculates a loan for a home; answers with a ``MortgageQuote``.
public struct MortgageQuoteRoute: Route, Hashable {
  /// The result.
  public typealias Output = MortgageQuote
  /// The URLs of the service.
  public static let pattern: RoutePattern =
    "estate://mortgage/quote?price={price:int}&down={down:int?}&years={years:int?}"
  /// Open to links of the company's web site; which page's script may call it is up to the app.
  public static let exposure = Exposure.link([.web(host: "api.estate.test")])

  /// The price of the home, in dollars.
  public var price: Int
  /// The down payment, in percent of the price.
  public var downPercent: Int
  /// The term in years.
  public var years: Int

  /// Creates the route.
  public init(price: Int, downPercent: Int = 20, years: Int = 30) {
    self.price = price
    self.downPercent = downPercent
    self.years = years
  }

  /// Reads the route from a URL.
  public init(from input: RouteInput) throws(RouteError) {
    price = try input.value("price")
    downPercent = try input.optional("down") ?? 20
    years = try input.optional("years") ?? 30
  }

  /// Writes the route's parameters.
  public func write(to output: inout RouteOutput) {
    output.set("price", to: price)
    output.set("down", to: downPercent)
    output.set("years", to: years)
  }
}
