/// Knows the list opened last, which the actions of the module change.
@MainActor final class Browsing {
  private weak var last: ListingsScreen?

  nonisolated init() {}

  func releaseRawData() { last?.releaseRawData() }

  func stopReconnecting() { last?.stopReconnecting() }

  func note(_ screen: ListingsScreen) { last = screen }

  /// The list opened last, if it is still open.
  var list: ListingsScreen {
    get throws(BrowsingFault) {
      guard let last else { throw .nothingShown }
      return last
    }
  }
}
