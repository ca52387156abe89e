public import Mediation

/// A service: what a loan for a home of a price costs, as a ``MortgageQuote``.
public struct MortgageQuoteRoute: Route, Hashable {
  /// What the service answers.
  public typealias Output = MortgageQuote
  /// The URLs of the service.
  public static let pattern: RoutePattern =
    "estate://mortgage/quote?price={price:int}&down={down:int?}&years={years:int?}"
  /// The company's web site may ask; who may do so by a page's script is the app's list.
  public static let exposure = Exposure.link([.web(host: "api.estate.test")])

  /// The price of the home, in dollars.
  public var price: Int
  /// The part that is paid at once, in percent of the price.
  public var downPercent: Int
  /// The time of repayment.
  public var years: Int

  /// Asks for a loan's cost.
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
