/// Knows the lists opened last, which the actions of the module change.
@MainActor final class Browsing {
  private weak var last: ListingsScreen?
  private weak var lastPaged: BrowseScreen?

  nonisolated init() {}

  func releaseRawData() { last?.releaseRawData() }

  func stopReconnecting() { last?.stopReconnecting() }

  func note(_ screen: ListingsScreen) { last = screen }

  func note(_ screen: BrowseScreen) { lastPaged = screen }

  /// The list opened last, if it is still open.
  var list: ListingsScreen {
    get throws(BrowsingFault) {
      guard let last else { throw .nothingShown }
      return last
    }
  }

  /// The list that grows page by page opened last, if it is still open.
  var pagedList: BrowseScreen {
    get throws(BrowsingFault) {
      guard let lastPaged else { throw .notBrowsing }
      return lastPaged
    }
  }
}
