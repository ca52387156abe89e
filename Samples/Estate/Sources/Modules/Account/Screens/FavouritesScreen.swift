import APIManagers
import Screens

/// A member's favourite homes, and whether they have changed since they were loaded.
final class FavouritesScreen: ChangingScreen {
  private(set) var content: ScreenContent
  var onChange: @MainActor () -> Void = {}
  private var watching: Task<Void, Never>?

  /// Creates the screen.
  ///
  /// - Parameters:
  ///   - known: The favourites that the server has; `nil` if it can't be asked.
  ///   - waiting: The homes that wait for the network.
  ///   - changes: The invalidations of the favourites since they were loaded.
  init(_ known: [Favourite]?, waiting: [Int] = [], changes: AsyncStream<Set<DataTag>>) {
    let cards = (known ?? []).map(\.card) + waiting.map(Self.waitingCard)
    var blocks: [ContentBlock] = cards.isEmpty ? [] : [.cards(cards)]
    if known == nil {
      blocks.insert(
        .warning("Without a network only the homes that wait for it are known."), at: 0)
    }
    if blocks.isEmpty { blocks = [.text("None yet; mark a home with estate://favourites/add/42.")] }
    content = ScreenContent(
      title: "Favourites", blocks: blocks, actions: [.show("Find homes", "estate://browse")])
    watching = Task { [weak self] in
      for await _ in changes {
        self?.showThatStale()
        return
      }
    }
  }

  deinit { watching?.cancel() }

  private func showThatStale() {
    content.blocks.append(
      .information("A favourite was added meanwhile; open estate://favourites again."))
    onChange()
  }

  private static func waitingCard(_ home: Int) -> Card {
    Card(
      id: "\(home)", title: "Home #\(home)", note: "waiting for the network", route: "estate://home/\(home)",
      actions: [
        .perform(
          "Take the favourite back", "estate://favourites/cancel/\(home)",
          sign: ActionSign.waitingFavourite)
      ], isMarked: true)
  }
}

extension Favourite {
  fileprivate var card: Card {
    Card(
      id: "\(id)", title: city, price: Amounts.dollars(price), route: "estate://home/\(id)", isMarked: true)
  }
}
