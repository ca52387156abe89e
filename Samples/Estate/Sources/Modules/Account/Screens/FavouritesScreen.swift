import TerminalScreens

/// A member's favourite homes.
struct FavouritesScreen: TerminalScreen {
  let title = "Favourites"
  let lines: [String]

  /// Creates the screen.
  ///
  /// - Parameters:
  ///   - known: The favourites that the server has; `nil` if it can't be asked.
  ///   - waiting: The homes that wait for the network.
  init(_ known: [Favourite]?, waiting: [Int]) {
    let stored =
      known?.map {
        Amounts.padded("#\($0.home)", to: 6) + Amounts.padded($0.city, to: 20) + Amounts.dollars($0.price)
      } ?? ["Without a network only the homes that wait for it are known."]
    let queued = waiting.map {
      Amounts.padded("#\($0)", to: 6) + "waiting for the network; estate://favourites/cancel/\($0)"
    }
    let all = stored + queued
    lines = all.isEmpty ? ["None yet; mark a home with estate://favourites/add/42."] : all
  }
}
