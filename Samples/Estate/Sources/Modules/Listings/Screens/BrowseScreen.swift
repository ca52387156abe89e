import APIManagers
import EstateNetwork
import ListingsRoutes
import TerminalScreens

/// The houses of a search as one list, which grows page by page; it holds the pager that loads them.
final class BrowseScreen: ChangingScreen {
  private(set) var title = ""
  private(set) var lines: [String] = []
  var onChange: @MainActor () -> Void = {}

  private let client: APIClient
  /// What the pager reads when it loads a page.
  private var search: HomeSearch
  private lazy var manager = APIManager(HouseListAPI(), client: client)
  private lazy var pager = Pager<HomeItem>(
    manager, reformer: HomePageReformer(), size: HomeList.pageSize
  ) { [weak self] page in
    var search = self?.search ?? HomeSearch()
    search.page = page.number
    return search
  }

  init(_ route: BrowseRoute, client: APIClient) {
    search = HomeSearch(city: route.city, beds: route.beds)
    self.client = client
  }

  /// Loads the first page, and returns when it is shown.
  func load() async throws {
    pager.loadNext()
    try await finish()
  }

  /// Loads the next page, which is shown below the others, or the page that has failed.
  func showMore() async throws {
    if pager.retry() == .lastPage { throw BrowsingFault.lastPage(pager.list.pageCount) }
    try await finish()
  }

  /// Loads the list from its first page again, past the cache; it stays until the page has been received.
  func refresh() async throws {
    pager.refresh()
    try await finish()
  }

  /// Loads the list of another search, which cancels the page that is being loaded.
  func filter(city: String?, beds: Int?) async throws {
    search = HomeSearch(city: city, beds: beds)
    pager.restart()
    try await finish()
  }

  /// Waits until no page is being loaded, also one that a later call has started, and shows the list.
  ///
  /// Cancelling the caller's task cancels the page.
  private func finish() async throws {
    for await list in pager.changes where !list.isLoading { break }
    if Task.isCancelled { pager.cancel() }
    show()
    try Task.checkCancellation()
    if let failure = pager.list.failure { throw failure }
  }

  private func show() {
    title =
      "Houses" + (search.city.map { " in \($0)" } ?? "")
      + (search.beds.map { " with \($0) bedrooms or more" } ?? "")
    lines = pager.list.lines
    if pager.list.failure == nil, let copy = manager.lastResponse.flatMap(StoredCopy.init) {
      lines.append(copy.sentence)
    }
    onChange()
  }
}
