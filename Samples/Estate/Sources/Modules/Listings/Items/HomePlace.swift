import ListingsRoutes

/// Where a home is, and what a search asks about it.
struct HomePlace: Sendable, Hashable, Identifiable {
  let id: Int
  let city: String
  /// The kind; `nil` if this app does not know it.
  let kind: HomeKind?
  let beds: Int
  let price: Int
  let place: Coordinates
}

extension HomeSearch {
  /// Whether the search finds a home, as the server decides it.
  func finds(_ home: HomePlace, _ kind: HomeKind) -> Bool {
    guard home.kind == kind else { return false }
    if let maximumPrice, home.price > maximumPrice { return false }
    if let beds, home.beds < beds { return false }
    guard let city, !city.isEmpty else { return true }
    // The server accepts both separators, and letters of either case.
    return home.city == city.split { $0 == "_" || $0 == " " }.joined(separator: " ").uppercased()
  }
}
