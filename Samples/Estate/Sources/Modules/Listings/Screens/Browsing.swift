/// Knows the lists that are open, of which the actions of the module change the one opened last.
@MainActor final class Browsing {
  private struct Opened<Screen: AnyObject> {
    weak var screen: Screen?
  }

  private var lists: [Opened<ListingsScreen>] = []
  private var pagedLists: [Opened<BrowseScreen>] = []

  nonisolated init() {}

  func releaseRawData() { for list in lists { list.screen?.listing.releaseRawData() } }

  func stopReconnecting() { for list in lists { list.screen?.listing.stopReconnecting() } }

  func note(_ screen: ListingsScreen) {
    lists.removeAll { $0.screen == nil }
    lists.append(Opened(screen: screen))
  }

  func note(_ screen: BrowseScreen) {
    pagedLists.removeAll { $0.screen == nil }
    pagedLists.append(Opened(screen: screen))
  }

  /// The list opened last of those that are still open.
  var listing: HomeListing {
    get throws(BrowsingFault) {
      guard let last = lists.last(where: { $0.screen != nil })?.screen else { throw .nothingShown }
      return last.listing
    }
  }

  /// The list that grows page by page opened last of those that are still open.
  var pagedList: BrowseScreen {
    get throws(BrowsingFault) {
      guard let last = pagedLists.last(where: { $0.screen != nil })?.screen else { throw .notBrowsing }
      return last
    }
  }
}
