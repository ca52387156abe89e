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
  /// - Parameters:
  ///   - known: The favourites that the server has; `nil` if it can't be asked.
  ///   - waiting: The homes that wait for the network.
  ///   - changes: The invalidations of the favourites since they were loaded.
  init(_ known: [Favourite]?, waiting: [Int] = [], changes: TagInvalidations) {
    let stored =
      known?.map {
        Amounts.padded("#\($0.home)", to: 6) + Amounts.padded($0.city, to: 20) + Amounts.dollars($0.price)
      } ?? ["Without a network only the homes that wait for it are known."]
    let queued = waiting.map {
      Amounts.padded("#\($0)", to: 6) + "waiting for the network; estate://favourites/cancel/\($0)"
    }
    let all = stored + queued
    lines = all.isEmpty ? ["None yet; mark a home with estate://favourites/add/42."] : all
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
