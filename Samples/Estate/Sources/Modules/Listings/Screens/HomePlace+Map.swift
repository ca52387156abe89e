import ListingsRoutes
import Screens

extension PlaceMap {
  /// The map of a list: all homes, those that the search finds, and those that have a card.
  ///
  /// - Parameter address: The URL of the list, which the map narrows to one city.
  init(_ homes: [HomePlace], listed: [HomeItem], search: HomeSearch, kind: HomeKind, address: String) {
    let cards = Set(listed.map(\.id))
    self.init(
      homes.map { home in
        Place(
          id: home.id, name: home.city, detail: Amounts.dollars(home.price), latitude: home.place.latitude,
          longitude: home.place.longitude,
          role: cards.contains(home.id) ? .listed : search.finds(home, kind) ? .found : .surrounding)
      },
      placeRoute: "estate://home/",
      narrowing: search.city == nil ? Narrowing(route: address, parameter: "city") : nil)
  }
}
