import MortgageRoutes
import Screens

extension Plot {
  /// The down payments, in percent, between which the slider chooses.
  private static let downPayments = Array(stride(from: 0, through: 60, by: 5))
  /// The down payment with which the quotes were made, in percent.
  private static let quoted = 20
  /// The number of values of each curve.
  private static let points = 31

  /// The balances of loans over time, one curve for each term; `nil` without loans.
  init?(of quotes: [MortgageQuote], price: Int) {
    let quotes = quotes.sorted { $0.years < $1.years }
    guard let longest = quotes.last?.years, longest > 0, price > 0 else { return nil }
    let curves = quotes.map { quote in
      Curve(
        "\(quote.years) years at \(quote.percent) %",
        values: (0..<Self.points).map { point in
          quote.remainingShare(afterMonths: quote.years * 12 * point / (Self.points - 1))
        }, extent: Double(quote.years) / Double(longest))
    }
    let steps = Self.downPayments.map { down in
      let loan = price - price * down / 100
      return Step(
        "\(down) % down", scale: Double(loan) / Double(price), top: Amounts.dollars(loan),
        results: quotes.map { quote in
          guard quote.loan > 0 else { return Amounts.cents(0) }
          let cents = Double(quote.monthlyCents) * Double(loan) / Double(quote.loan)
          return Amounts.cents(Int(cents.rounded()))
        })
    }
    self.init(
      "What is owed over the years", setting: "Down payment", result: "a month",
      axis: ["today", "after \(longest) years"], maximum: Amounts.dollars(price), curves: curves,
      steps: steps, selected: Self.downPayments.firstIndex(of: Self.quoted) ?? 0)
  }
}
