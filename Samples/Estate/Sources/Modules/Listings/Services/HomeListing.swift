import APIManagers
import EstateContract
import ListingsRoutes

/// The homes of one kind, found by a search and shown page by page; it holds the manager that loads them.
@MainActor final class HomeListing {
  /// What was loaded last.
  struct Loaded {
    let search: HomeSearch
    let list: HomeList
    /// The stored copy; `nil` if the list is the server's.
    let copy: StoredCopy?
    /// A sentence for the user about the load, if it was an unusual one.
    let note: String?
  }

  let kind: HomeKind
  /// What was loaded last; `nil` before the first list.
  private(set) var loaded: Loaded?
  /// Called after another list was loaded.
  var onChange: @MainActor () -> Void = {}

  private let client: APIClient
  private let loads = LoadCount()
  private lazy var manager = makeManager()
  /// What the manager reads when it loads.
  private var search: HomeSearch
  private var list: HomeList?
  private var error: APIError?
  /// The number of loads that a later one has cancelled since no load was running.
  private var superseded = 0
  private var reconnecting: Task<Void, Never>?

  init(_ route: ListingsRoute, client: APIClient) {
    kind = route.kind
    search = HomeSearch(route)
    self.client = client
  }

  deinit { reconnecting?.cancel() }

  var isLoading: Bool { manager.isLoading }

  func load() async throws { try await finish(begin()) }

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

  /// Loads the next page; without a network it is loaded when the network returns.
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

  /// Releases the raw data of the last response; what was loaded stays.
  func releaseRawData() { manager.clear() }

  func stopReconnecting() { reconnecting?.cancel() }

  private func begin() -> LoadOutcome {
    if loads.isZero { superseded = 0 }
    loads.begin()
    return manager.load()
  }

  /// Waits for the delegate, and takes over the list or throws the error.
  private func finish(_ outcome: LoadOutcome, orReturnTo before: HomeSearch? = nil) async throws {
    await loads.zero { [weak self] in self?.manager.cancelAll() }
    if let error {
      if let before { search = before }
      throw error
    }
    guard let list else { return }
    let note =
      superseded > 0
      ? "\(superseded) loads before this one were cancelled."
      : outcome.sentence(isOffline: client.reachability.status == .offline)
    loaded = Loaded(
      search: search, list: list, copy: manager.lastResponse.flatMap(StoredCopy.init), note: note)
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

extension HomeListing: APIManagerDelegate {
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
