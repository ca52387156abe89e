import ListingsRoutes
import TerminalScreens

/// The list of homes.
struct ListingsScreen: TerminalScreen {
  let title: String
  let lines: [String]

  init(route: ListingsRoute, list: HomeList) {
    let kind =
      switch route.kind {
      case .house: "Houses"
      case .condo: "Condos"
      case .multi: "Multi-family houses"
      }
    let place = route.city.map { " in \($0)" } ?? ""
    title = "\(kind)\(place): page \(route.page) of \(list.pages), \(list.total) in all"
    lines = list.items.isEmpty ? ["No home matches; ask for less."] : list.items.map(Self.line)
  }

  private static func line(_ home: HomeItem) -> String {
    let rooms = "\(home.beds) bd  \(home.baths) ba  \(home.squareFeet) sqft"
    return Amounts.padded("#\(home.id)", to: 6) + Amounts.padded("\(home.city) \(home.zip)", to: 26)
      + Amounts.padded(rooms, to: 26) + Amounts.dollars(home.price)
  }
}
