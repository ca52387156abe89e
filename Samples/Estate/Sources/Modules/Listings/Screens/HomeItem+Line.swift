import ListingsRoutes
import TerminalScreens

extension HomeItem {
  /// The home in one line of a list.
  var line: String {
    let rooms = "\(beds) bd  \(baths) ba  \(squareFeet) sqft"
    return Amounts.padded("#\(id)", to: 6) + Amounts.padded("\(city) \(zip)", to: 26)
      + Amounts.padded(rooms, to: 26) + Amounts.dollars(price)
  }
}

extension HomeKind {
  /// The kind in the title of a list.
  var title: String {
    switch self {
    case .house: "Houses"
    case .condo: "Condos"
    case .multi: "Multi-family houses"
    }
  }
}
