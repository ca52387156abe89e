import AccountRoutes
import ListingsRoutes
import Screens

extension HomeItem {
  /// The home as a card of a list.
  ///
  /// - Parameter badge: A word before the title.
  func card(badge: String? = nil, mark: FavouriteMark = .absent) -> Card {
    Card(
      id: "\(id)", badge: badge, title: "\(city) \(zip)",
      facts: [
        Fact("Bedrooms", "\(beds)", unit: "bd"), Fact("Bathrooms", Amounts.number(baths), unit: "ba"),
        Fact("Size", "\(squareFeet)", unit: "sqft"),
      ],
      price: Amounts.dollars(price),
      picture: AppBlock(HomePicture(kind.picture, home: id, squareFeet: squareFeet, beds: beds)),
      route: "estate://home/\(id)", actions: Self.actions(for: mark, of: id), isMarked: mark != .absent)
  }

  /// The home on a map; `nil` if its place is not known.
  var mapPlace: PlaceMap.Place? {
    place.map {
      PlaceMap.Place(
        id: id, name: city, detail: Amounts.dollars(price), latitude: $0.latitude, longitude: $0.longitude)
    }
  }

  private static func actions(for mark: FavouriteMark, of home: Int) -> [ScreenAction] {
    switch mark {
    case .absent:
      [.perform("Add to favourites", "estate://favourites/add/\(home)", sign: ActionSign.favourite)]
    case .waiting:
      [
        .perform(
          "Take the favourite back", "estate://favourites/cancel/\(home)", sign: ActionSign.waitingFavourite)
      ]
    case .saved: []
    }
  }
}

extension Sequence<HomeItem> {
  /// The homes whose places are known, on a map.
  var map: ContentBlock? {
    let places = compactMap(\.mapPlace)
    return places.isEmpty ? nil : .map(PlaceMap(places))
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

  fileprivate var picture: HomePicture.Kind {
    switch self {
    case .house: .house
    case .condo: .condo
    case .multi: .multiFamily
    }
  }
}
