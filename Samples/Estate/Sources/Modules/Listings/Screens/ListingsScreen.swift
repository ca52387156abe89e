import AccountRoutes
import EstateContract
import ListingsRoutes
import Screens

/// The list of homes of one kind, as its listing has loaded it.
final class ListingsScreen: ChangingScreen {
  let listing: HomeListing
  var onChange: @MainActor () -> Void = {}
  private let marks: (any FavouriteMarking)?

  init(_ listing: HomeListing, marks: (any FavouriteMarking)? = nil) {
    self.listing = listing
    self.marks = marks
    listing.onChange = { [weak self] in self?.onChange() }
  }

  var content: ScreenContent {
    guard let loaded = listing.loaded else { return ScreenContent(title: "", isLoading: listing.isLoading) }
    let (search, list) = (loaded.search, loaded.list)
    let place = search.city.map { " in \($0)" } ?? ""
    var actions = [ScreenAction.show("Filter these homes", "estate://browse?kind=\(listing.kind.rawValue)")]
    if search.page < list.pages {
      actions.insert(.perform("Next page", "estate://listings/next", sign: ActionSign.more), at: 0)
    }
    let map: ContentBlock? = list.items.map
    let texts = [list.items.isEmpty ? "No home matches; ask for less." : nil, loaded.note]
    return ScreenContent(
      title: "\(listing.kind.title)\(place): page \(search.page) of \(list.pages), \(list.total) in all",
      blocks: [map, cards(of: list)].compactMap(\.self) + texts.compactMap(\.self).map(ContentBlock.text),
      actions: actions, isLoading: listing.isLoading,
      staleness: loaded.copy?.sentence)
  }

  private func cards(of list: HomeList) -> ContentBlock? {
    guard !list.items.isEmpty else { return nil }
    return .cards(list.items.map { $0.card(mark: marks?.mark(of: $0.id) ?? .absent) })
  }
}
