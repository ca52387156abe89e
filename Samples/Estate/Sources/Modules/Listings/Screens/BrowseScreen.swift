import APIManagers
import AccountRoutes
import EstateContract
import Foundation
import ListingsRoutes
import Screens

/// The homes of a search as one list, which grows page by page; it holds the pager that loads them.
final class BrowseScreen: ChangingScreen {
  var onChange: @MainActor () -> Void = {}

  private let client: APIClient
  private let marks: (any FavouriteMarking)?
  /// What the pager reads when it loads a page.
  private var search: HomeSearch
  private var kind: HomeKind
  /// Where all homes are; empty until it is known.
  private var places: [HomePlace] = []
  private let showsAllPlaces: Bool
  /// The search whose list is shown.
  private var shown = Shown()
  /// The manager of the kind's API, and the pager that loads its pages with it.
  private lazy var source = makeSource()

  private struct Source {
    let manager: any APIManaging
    let pager: Pager<HomeItem>
  }

  private struct Shown {
    var title = ""
    var list: PagedList<HomeItem>?
    var map: ContentBlock?
    var staleness: String?
  }

  /// Creates the screen of a search.
  ///
  /// - Parameter showsAllPlaces: Whether the map shows all homes, instead of those that the list has loaded.
  init(
    _ route: BrowseRoute, client: APIClient, marks: (any FavouriteMarking)? = nil, showsAllPlaces: Bool = true
  ) {
    search = HomeSearch(city: route.city, maximumPrice: route.maximumPrice, beds: route.beds)
    kind = route.kind ?? .house
    self.client = client
    self.marks = marks
    self.showsAllPlaces = showsAllPlaces
  }

  var content: ScreenContent {
    let blocks = [.filters(search.form(kind)), shown.map] + (shown.list?.blocks(marks) ?? [])
    return ScreenContent(
      title: shown.title, address: address, blocks: blocks.compactMap(\.self),
      actions: [.perform("Refresh", "estate://browse/refresh", sign: ActionSign.refresh)],
      isLoading: source.pager.list.isLoading, staleness: shown.staleness)
  }

  /// Loads the first page, and returns when it is shown.
  func load() async throws {
    source.pager.loadNext()
    await loadPlaces()
    try await finish()
  }

  /// Loads the next page, which is shown below the others, or the page that has failed.
  func showMore() async throws {
    if source.pager.retry() == .lastPage { throw BrowsingFault.lastPage(source.pager.list.pageCount) }
    try await finish()
  }

  /// Loads the list from its first page again, past the cache; it stays until the page has been received.
  func refresh() async throws {
    source.pager.refresh()
    await loadPlaces()
    try await finish()
  }

  /// Loads the list of another search, which cancels the page that is being loaded.
  func filter(_ route: FilterHomesRoute) async throws {
    search = HomeSearch(city: route.city, maximumPrice: route.maximumPrice, beds: route.beds)
    let kind = route.kind ?? .house
    if kind != self.kind {
      self.kind = kind
      // Releasing the other kind's pager cancels its page.
      source = makeSource()
    }
    source.pager.restart()
    try await finish()
  }

  /// Loads the places of all homes, while the pager loads the list; without them the map shows the homes of
  /// the list.
  private func loadPlaces() async {
    guard showsAllPlaces, places.isEmpty else { return }
    places = (try? await client.load(PlacesAPI(), NoParams()))?.places ?? []
  }

  /// The URL of the search that is shown, or being loaded.
  private var address: String {
    var url = URLComponents()
    url.queryItems = [
      ("kind", kind == .house ? nil : kind.rawValue), ("city", search.city),
      ("max", search.maximumPrice.map(String.init)), ("beds", search.beds.map(String.init)),
    ].compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
    let query = url.percentEncodedQuery ?? ""
    return "estate://browse" + (query.isEmpty ? "" : "?\(query)")
  }

  private func makeSource() -> Source {
    switch kind {
    case .house: makeSource(HouseListAPI())
    case .condo: makeSource(CondoListAPI())
    case .multi: makeSource(MultiFamilyListAPI())
    }
  }

  private func makeSource<A: API>(_ api: A) -> Source where A.Params == HomeSearch {
    let manager = APIManager(api, client: client)
    let items = manager.items(by: HomePageReformer(), size: HomeList.pageSize) { [weak self] page in
      var search = self?.search ?? HomeSearch()
      search.page = page.number
      return search
    }
    return Source(manager: manager, pager: Pager(items))
  }

  /// Waits until no page is being loaded, also one that a later call has started, and shows the list.
  ///
  /// Cancelling the caller's task cancels the page.
  private func finish() async throws {
    repeat {
      // The changes end when the pager is released for one of another kind.
      for await list in source.pager.changes where !list.isLoading { break }
    } while source.pager.list.isLoading && !Task.isCancelled
    if Task.isCancelled { source.pager.cancel() }
    show()
    try Task.checkCancellation()
    if let failure = source.pager.list.failure { throw failure }
  }

  private func show() {
    shown.title =
      kind.title + (search.city.map { " in \($0)" } ?? "")
      + (search.maximumPrice.map { " up to \(Amounts.dollars($0))" } ?? "")
      + (search.beds.map { " with \($0) bedrooms or more" } ?? "")
    shown.list = source.pager.list
    shown.map = map(of: source.pager.list.items)
    shown.staleness =
      source.pager.list.failure == nil
      ? source.manager.lastResponse.flatMap(StoredCopy.init)?.sentence : nil
    onChange()
  }

  private func map(of items: [HomeItem]) -> ContentBlock? {
    guard !places.isEmpty else { return items.map }
    return .map(PlaceMap(places, listed: items, search: search, kind: kind, address: address))
  }
}
