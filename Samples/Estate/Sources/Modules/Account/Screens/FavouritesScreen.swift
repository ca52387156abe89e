import APIManagers
import TerminalScreens

/// A member's favourite homes, and whether they have changed since they were loaded.
final class FavouritesScreen: ChangingScreen {
  let title = "Favourites"
  private(set) var lines: [String]
  var onChange: @MainActor () -> Void = {}
  private var watching: Task<Void, Never>?

  /// Creates the screen.
  ///
  /// - Parameter changes: The invalidations of the favourites since they were loaded.
  init(_ favourites: [Favourite], changes: TagInvalidations) {
    lines =
      favourites.isEmpty
      ? ["None yet; mark a home with estate://favourites/add/42."]
      : favourites.map {
        Amounts.padded("#\($0.home)", to: 6) + Amounts.padded($0.city, to: 20) + Amounts.dollars($0.price)
      }
    watching = Task { [weak self] in
      for await _ in changes {
        self?.showThatStale()
        return
      }
    }
  }

  deinit { watching?.cancel() }

  private func showThatStale() {
    lines.append("A favourite was added meanwhile; open estate://favourites again.")
    onChange()
  }
}
