import Interception

/// Loads a list page by page for a screen, on the main actor.
///
/// ```swift
/// struct HouseSearch { var city = "Lyon" }
/// @MainActor final class HousesScreen {
///   var search = HouseSearch() { didSet { pager.restart() } }
///   private(set) lazy var pager = Pager<House>(size: 30) { [weak self] page in
///     let city = self?.search.city ?? ""
///     return PageContent([House(id: city.count + page.offset)], next: .total(60))
///   }
///
///   func show() async {
///     pager.refresh()
///     for await list in pager.changes { print(list.items.count, list.isLoading, list.isLastPage) }
///   }
/// }
/// ```
///
/// The rules are those of ``PagedList``: the next page is not loaded while another one is, a page that failed
/// can be repeated, and a refresh keeps the items until its first page has been received. Superseding a page
/// by ``refresh()`` or ``restart()`` cancels its request, and so does releasing the pager, after which
/// nothing is delivered.
@MainActor public final class Pager<Item: Identifiable & Sendable> where Item.ID: Sendable {
  /// Loads a page.
  ///
  /// It may throw any error, which the list then has as its failure. The pager retains it, so it should hold
  /// the pager's owner weakly.
  public typealias Load = @MainActor (PageRequest) async throws -> PageContent<Item>

  /// The list as it is now.
  public private(set) var list: PagedList<Item>
  private let load: Load
  private let lists: Broadcast<PagedList<Item>>
  private var task: Task<Void, Never>?

  /// Creates a pager; nothing is loaded yet.
  ///
  /// - Parameters:
  ///   - size: The number of items of a page; 20 by default, at least 1.
  ///   - limits: The bounds of the list.
  ///   - load: Loads a page.
  public init(size: Int = 20, limits: PageLimits = PageLimits(), load: @escaping Load) {
    let list = PagedList<Item>(size: size, limits: limits)
    self.list = list
    self.load = load
    lists = Broadcast(startingWith: list)
  }

  deinit { task?.cancel() }

  /// The list as it is now and after every change, until the pager is released.
  ///
  /// Each access returns a separate stream. A slow reader misses intermediate values and receives the latest
  /// one.
  public var changes: AsyncStream<PagedList<Item>> { lists.values() }

  /// Loads the first page again and keeps the items until it has been received, for pull-to-refresh.
  ///
  /// The pages are requested with ``PageRequest/isReload``.
  @discardableResult public func refresh() -> PageStart { begin(list.refresh()) }

  /// Removes all items and loads the first page, for another search or another account.
  @discardableResult public func restart() -> PageStart { begin(list.restart()) }

  /// Loads the page after the items, which is the first one if there are none; for the end of a scroll.
  @discardableResult public func loadNext() -> PageStart { begin(list.loadNext()) }

  /// Loads the page that failed again.
  @discardableResult public func retry() -> PageStart { begin(list.retry()) }

  /// Cancels the page that is being loaded; the list stays as it is.
  public func cancel() {
    guard list.isLoading else { return }
    task?.cancel()
    task = nil
    list.cancel()
    lists.send(list)
  }

  private func begin(_ start: PageStart) -> PageStart {
    switch start {
    case .alreadyLoading, .lastPage: return start
    case .refused: break
    case .started(let request):
      task?.cancel()
      task = Task { [weak self, load] in
        let result: Result<PageContent<Item>, any Error>
        do {
          result = .success(try await load(request))
        } catch {
          result = .failure(error)
        }
        self?.finish(request, result)
      }
    }
    lists.send(list)
    return start
  }

  private func finish(_ request: PageRequest, _ result: Result<PageContent<Item>, any Error>) {
    guard list.receive(result, for: request) else { return }
    task = nil
    lists.send(list)
  }
}

extension Pager {
  /// Creates a pager that loads the pages with a manager, which it retains.
  ///
  /// ```swift
  /// struct HousePage: Reformer {
  ///   func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> PageContent<House> {
  ///     PageContent(
  ///       try response.json(as: [House].self), next: .link(in: response.headerFields, query: "page"))
  ///   }
  /// }
  /// func pager(of houses: APIManager<HouseList>) -> Pager<House> {
  ///   Pager(houses, reformer: HousePage()) { HouseList.Params(city: "Lyon", page: $0.number) }
  /// }
  /// ```
  ///
  /// After a refresh the pages are loaded with the cache mode `reload`, so that no page comes from before it.
  /// The manager's delegate is not called.
  ///
  /// - Parameters:
  ///   - manager: Loads the pages. Give each pager a manager of its own.
  ///   - reformer: Converts a response into the content of a page, on the main actor.
  ///   - size: The number of items of a page; 20 by default, at least 1.
  ///   - limits: The bounds of the list.
  ///   - params: Returns the params with which a page is requested.
  public convenience init<A: API, R: Reformer>(
    _ manager: APIManager<A>, reformer: R, size: Int = 20, limits: PageLimits = PageLimits(),
    params: @escaping @MainActor (PageRequest) -> A.Params
  ) where R.Output == PageContent<Item> {
    self.init(size: size, limits: limits) { page in
      try await manager.response(
        for: params(page), with: reformer, cacheMode: page.isReload ? .reload : nil)
    }
  }
}

/// What a call that starts to load a page did.
public enum PageStart: Sendable, Hashable {
  /// The page is being loaded.
  case started(PageRequest)
  /// Another page is being loaded; the call had no effect.
  case alreadyLoading
  /// There is no further page; the call had no effect. A screen stops its activity indicator.
  case lastPage
  /// The list is longer than allowed.
  case refused(PagingError)
}
