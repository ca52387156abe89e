import EstateNetwork
import MortgageRoutes
import TerminalScreens

/// The screen of one home.
struct HomeScreen: TerminalScreen {
  let title: String
  private(set) var lines: [String]

  init(_ loaded: LoadedHome, quote: MortgageQuote, others: [MortgageQuote]) {
    let home = loaded.home
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
    if let notes = home.notes { lines.append("Notes about it: \(notes)") }
    if let copy = loaded.copy { lines.append(copy.sentence) }
  }
}
