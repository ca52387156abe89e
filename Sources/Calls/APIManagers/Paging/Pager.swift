import Interception
public import Observation

/// Shows the items of a list on a screen, and loads its pages on request.
///
/// ```swift
/// @MainActor final class HousesScreen {
///   var city = "Lyon" { didSet { pager.restart() } }
///   private(set) lazy var pager = Pager(
///     PagedItems<House>(size: 30) { @MainActor [weak self] page in
///       PageContent([House(id: (self?.city.count ?? 0) + page.offset)], next: .total(60))
///     })
///
///   func show() async {
///     pager.refresh()
///     for await list in pager.changes { print(list.items.count, list.isLoading, list.isLastPage) }
///   }
/// }
/// ```
///
/// ``PagedList`` has the rules. ``refresh()``, ``restart()`` and releasing the pager cancel the request of a
/// page that is being loaded. A pager loads pages only on request, even if its items look ahead.
@Observable @MainActor public final class Pager<Item: Identifiable & Sendable> where Item.ID: Sendable {
  /// The list as it is now, which `Observation` tracks; a screen binds to its ``PagedList/state``.
  public private(set) var list: PagedList<Item>
  private let load: @Sendable (PageRequest) async throws -> PageContent<Item>
  private let lists: Broadcast<PagedList<Item>>
  @ObservationIgnored private var task: Task<Void, Never>?

  /// Creates a pager of a list; nothing is loaded yet.
  ///
  /// The pager retains the loader of the items, which should hold the pager's owner weakly.
  public init(_ items: PagedItems<Item>) {
    let list = PagedList<Item>(items.pages.progress)
    load = items.pages.load
    self.list = list
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
  /// A client or a manager loads these pages from the server, not from a cache.
  @discardableResult public func refresh() -> PageStart { begin(list.refresh()) }

  /// Removes all items and loads the first page, for another search or another account.
  @discardableResult public func restart() -> PageStart { begin(list.restart()) }

  /// Loads the next page, or the first one if there are no items yet.
  ///
  /// Call it when the user scrolls to the end.
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
        let result = await Result(awaiting: { () async throws(any Error) in try await load(request) })
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
