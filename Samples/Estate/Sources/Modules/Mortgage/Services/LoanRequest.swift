import MortgageRoutes

/// A request for a loan.
struct LoanRequest: Hashable {
  let loan: Int
  let years: Int

  init(price: Int, downPercent: Int, years: Int) throws(LoanFault) {
    guard (1...1_000_000_000).contains(price) else { throw .price(price) }
    guard (0...99).contains(downPercent) else { throw .downPayment(downPercent) }
    loan = price - price * downPercent / 100
    self.years = years
  }

  /// Returns the equal monthly payments at the rate for the loan's term.
  func quote(from rates: [Rate]) throws(LoanFault) -> MortgageQuote {
    guard let rate = rates.first(where: { $0.years == years }) else {
      throw .years(years, offered: rates.map(\.years).sorted())
    }
    let months = Double(years * 12)
    let monthly = rate.percent / 100 / 12
    // The annuity formula; it has no value for a loan without interest.
    var growth = 1.0
    for _ in 0..<(years * 12) { growth *= 1 + monthly }
    let factor = monthly == 0 ? 1 / months : monthly * growth / (growth - 1)
    return MortgageQuote(
      loan: loan, percent: rate.percent, years: years,
      monthlyCents: Int((Double(loan) * 100 * factor).rounded()))
  }
}

/// Why a loan is not available.
enum LoanFault: Error, Hashable, CustomStringConvertible {
  case price(Int)
  case downPayment(Int)
  case years(Int, offered: [Int])

  var description: String {
    switch self {
    case .price(let price): "A price of \(price) dollars is not possible; choose 1 to 1,000,000,000."
    case .downPayment(let percent): "A down payment of \(percent) percent is not possible; choose 0 to 99."
    case .years(let years, let offered):
      "No bank lends for \(years) years; choose \(offered.map(String.init).joined(separator: ", "))."
    }
  }
}
