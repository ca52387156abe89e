/// Why there is no such loan.
enum LoanFault: Error, Hashable, CustomStringConvertible {
  case price(Int)
  case downPayment(Int)
  case years(Int, offered: [Int])

  var description: String {
    switch self {
    case .price(let price): "A price of \(price) is none; ask for 1 to 1,000,000,000 dollars."
    case .downPayment(let percent): "\(percent) percent can't be paid at once; say 0 to 99."
    case .years(let years, let offered):
      "No bank lends for \(years) years; choose \(offered.map(String.init).joined(separator: ", "))."
    }
  }
}
