import APIManagers
import AccountRoutes
import EstateNetwork
import ListingsRoutes
import Screens

/// The list of homes of one kind; it holds the manager that loads its pages.
final class ListingsScreen: ChangingScreen {
  var onChange: @MainActor () -> Void = {}

  private let kind: HomeKind
  private let client: APIClient
  private let marks: (any FavouriteMarking)?
  private let loads = LoadCount()
  private lazy var manager = makeManager()
  /// What the manager reads when it loads.
  private var search: HomeSearch
  private var list: HomeList?
  private var error: APIError?
  /// The number of loads that a later one has cancelled since no load was running.
  private var superseded = 0
  private var reconnecting: Task<Void, Never>?
  private var shown = ScreenContent(title: "")
  /// The homes of the page that is shown.
  private var homes: [HomeItem] = []

  init(_ route: ListingsRoute, client: APIClient, marks: (any FavouriteMarking)? = nil) {
    kind = route.kind
    search = HomeSearch(route)
    self.client = client
    self.marks = marks
  }

  var content: ScreenContent {
    var content = shown
    content.isLoading = manager.isLoading
    let cards = homes.map { $0.card(mark: marks?.mark(of: $0.id) ?? .absent) }
    if !cards.isEmpty { content.blocks.insert(.cards(CardList(cards)), at: 0) }
    if let map = homes.map { content.blocks.insert(map, at: 0) }
    return content
  }

  deinit { reconnecting?.cancel() }

  /// Loads the list of the current search, and returns when it is shown.
  func load() async throws {
    try await finish(begin())
  }

  /// Types a city into the search field; each letter starts a load, which cancels the one before.
  func type(_ city: String) async throws {
    let before = search
    search.page = 1
    var outcome: LoadOutcome?
    for end in city.indices.map(city.index(after:)) {
      search.city = String(city[..<end])
      outcome = begin()
    }
    if let outcome { try await finish(outcome, orReturnTo: before) }
  }

  /// Loads and shows the next page; without a network it is loaded when the network returns.
  func showNextPage() async throws {
    if let list, search.page >= list.pages { throw BrowsingFault.lastPage(list.pages) }
    let before = search
    search.page += 1
    do {
      try await finish(begin(), orReturnTo: before)
    } catch let error as APIError where error.kind == .offline {
      showNextPageWhenOnline()
      throw error
    }
  }

  /// Releases the raw data of the last response; what is shown stays.
  func releaseRawData() { manager.clear() }

  /// Stops waiting for the network.
  func stopReconnecting() { reconnecting?.cancel() }

  /// Starts a load with the current search.
  private func begin() -> LoadOutcome {
    if loads.isZero { superseded = 0 }
    loads.begin()
    return manager.load()
  }

  /// Waits for the delegate, and shows the list or throws the error.
  private func finish(_ outcome: LoadOutcome, orReturnTo before: HomeSearch? = nil) async throws {
    await loads.zero { [weak self] in self?.manager.cancelAll() }
    if let error {
      if let before { search = before }
      throw error
    }
    var note = outcome.sentence(isOffline: client.reachability.status == .offline)
    if superseded > 0 { note = "\(superseded) loads before this one were cancelled." }
    show(note)
  }

  private func show(_ note: String?) {
    guard let list else { return }
    let place = search.city.map { " in \($0)" } ?? ""
    homes = list.items
    let hint = list.items.isEmpty ? "No home matches; ask for less." : nil
    let copy = manager.lastResponse.flatMap(StoredCopy.init)
    var actions = [ScreenAction.show("Filter these homes", "estate://browse?kind=\(kind.rawValue)")]
    if search.page < list.pages {
      actions.insert(.perform("Next page", "estate://listings/next", sign: .more), at: 0)
    }
    shown = ScreenContent(
      title: "\(kind.title)\(place): page \(search.page) of \(list.pages), \(list.total) in all",
      blocks: [hint, note].compactMap(\.self).map(ContentBlock.text), actions: actions,
      staleness: copy.map { Staleness($0.sentence, age: $0.age) })
    onChange()
  }

  private func showNextPageWhenOnline() {
    reconnecting?.cancel()
    reconnecting = Task { [weak self, network = client.reachability] in
      for await status in network.changes where status != .offline {
        try? await self?.showNextPage()
        return
      }
    }
  }

  private func makeManager() -> any APIManaging {
    switch kind {
    case .house: makeManager(HouseListAPI())
    case .condo: makeManager(CondoListAPI())
    case .multi: makeManager(MultiFamilyListAPI())
    }
  }

  private func makeManager<A: API>(_ api: A) -> any APIManaging where A.Params == HomeSearch {
    let manager = APIManager(api, client: client)
    manager.delegate = self
    manager.paramSource = ParamSource(self, \.search)
    manager.hooks = [GuestPageLimit { [client] in client.account().isEmpty }]
    return manager
  }
}

extension ListingsScreen: APIManagerDelegate {
  func managerDidSucceed(_ manager: any APIManaging, with response: APIResponse) {
    do throws(APIError) {
      list = try manager.lastResponse(as: HomeListReformer())
      error = nil
    } catch {
      self.error = error
    }
    loads.end()
  }

  func managerDidFail(_ manager: any APIManaging, with error: APIError) {
    if error.kind == .cancelled, manager.isLoading {
      superseded += 1
    } else {
      self.error = error
    }
    loads.end()
  }
}
