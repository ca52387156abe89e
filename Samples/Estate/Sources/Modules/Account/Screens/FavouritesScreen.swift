import TerminalScreens

/// A member's favourite homes.
struct FavouritesScreen: TerminalScreen {
  let title = "Favourites"
  let lines: [String]

  init(_ favourites: [Favourite]) {
    lines =
      favourites.isEmpty
      ? ["None yet; mark a home with estate://favourites/add/42."]
      : favourites.map {
        Amounts.padded("#\($0.home)", to: 6) + Amounts.padded($0.city, to: 20) + Amounts.dollars($0.price)
      }
  }
}
