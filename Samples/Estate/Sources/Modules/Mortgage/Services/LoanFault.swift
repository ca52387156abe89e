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
