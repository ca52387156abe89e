import MortgageRoutes
import TerminalScreens

/// The screen of one home.
struct HomeScreen: TerminalScreen {
  let title: String
  let lines: [String]

  init(home: Home, quote: MortgageQuote, others: [MortgageQuote]) {
    title = "Home #\(home.id), \(home.city) \(home.zip)"
    lines = [
      "\(home.kind), \(home.beds) bedrooms, \(home.baths) bathrooms, \(home.sqft) sqft",
      "at \(home.lat), \(home.lon)",
      "\(Amounts.dollars(home.price)), or \(Amounts.cents(quote.monthlyCents)) a month "
        + "(\(Amounts.dollars(quote.loan)) over \(quote.years) years at \(quote.percent) %)",
      others.isEmpty
        ? "for no other term"
        : "or " + others.map { "\(Amounts.cents($0.monthlyCents)) over \($0.years)" }.joined(separator: ", "),
    ]
  }
}
