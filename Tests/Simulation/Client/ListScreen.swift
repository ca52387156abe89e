import APIManagers
import Interception

/// A screen of the app that shows a list page by page, and loads it again as soon as the app has changed it.
@MainActor package final class ListScreen {
  /// What the user does on the screen.
  package enum Gesture: Int, Sendable, CaseIterable {
    case scroll, scrollOn, refresh, retry, cancel
  }

  let list: Int
  private let world: World
  private let pager: Pager<ListItem>
  private var owner: String
  private var readers: [Task<Void, Never>] = []

  init(_ world: World, _ client: APIClient, tags: TagRegistry, list: Int, account: String?) {
    self.list = list
    self.world = world
    owner = account ?? ""
    let manager = APIManager(PageLoad(), client: client)
    let items = PagedItems<ListItem>(size: 3) { @MainActor page in
      let start = world.checks.moment()
      let mode: CacheRule.Mode? = page.isReload ? .reload : nil
      let response = try await manager.load(
        .response, for: PageLoad.Params(list: list, page: page), cacheMode: mode)
      world.checks.shown(response, mode: mode ?? .useFresh, since: start)
      return try response.reformed(by: PageReformer(list: list), from: manager.identity)
    }
    pager = Pager(items)
    let (changes, stale) = (pager.changes, tags.invalidations(of: [PageLoad.tag(of: list)]))
    readers = [
      Task { [weak self] in for await list in changes { self?.check(list) } },
      Task { [weak self] in for await _ in stale { self?.pager.refresh() } },
    ]
  }

  deinit { for reader in readers { reader.cancel() } }

  func perform(_ gesture: Gesture) {
    switch gesture {
    case .refresh: pager.refresh()
    case .scroll, .scrollOn: pager.loadNext()
    case .retry: pager.retry()
    case .cancel: pager.cancel()
    }
  }

  /// Another account uses the app.
  func accountDidChange(to account: String?) {
    owner = account ?? ""
    pager.restart()
  }

  private func check(_ list: PagedList<ListItem>) {
    world.checks.count("screen: \(list.failure == nil ? "\(list.pageCount) pages" : "failure")")
    world.checks.listed(list.items, for: owner, by: "the screen of list \(self.list)")
  }
}
