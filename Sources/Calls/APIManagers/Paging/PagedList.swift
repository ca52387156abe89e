public import Interception

/// The state of a list that a ``Pager`` loads page by page: the items, what is being loaded, and what failed.
///
/// * A page is loaded only when no other page is.
/// * A page that failed leaves the list unchanged; it can be requested again.
/// * An item with the ID of an earlier item is dropped.
/// * A repeated page, a repeated cursor, and a list that exceeds its ``PageLimits`` end in a ``PagingError``.
public struct PagedList<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// Which page is or was being loaded.
  package enum Position: Sendable, Hashable {
    /// The first one, after which the items are replaced.
    case first
    /// The one after the items.
    case next
  }

  /// What the list is doing.
  package enum Phase: Sendable {
    /// Nothing.
    case idle
    /// A page is being loaded.
    case loading(Position)
    /// A page could not be loaded.
    case failed(Position, any Error)
  }

  /// The items, in order, each ID once.
  public private(set) var items: [Item] = []
  /// What the list is doing.
  package private(set) var phase = Phase.idle
  private var progress: PageProgress<Item.ID>
  /// How current the oldest one of the pages was when it was received.
  private var currency = ResponseCurrency()
  /// The position after a refresh, until its first page has been received.
  private var pending: PageProgress<Item.ID>?
  private var lastGeneration: UInt64 = 0

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - size: The number of items of a page; 20 by default, at least 1.
  ///   - limits: The bounds of the list.
  package init(size: Int = 20, limits: PageLimits = PageLimits()) {
    self.init(PageProgress(size: size, limits: limits))
  }

  init(_ start: PageProgress<Item.ID>) { progress = start }

  /// The number of pages that the items come from.
  public var pageCount: Int { progress.pageCount }
  /// The number of all items according to the server; nil if it was not reported.
  public var total: Int? { progress.total }
  /// Whether the last page was received; false while the list is being refreshed.
  public var isLastPage: Bool {
    if case .loading(.first) = phase { false } else { progress.isComplete }
  }
  /// Whether a page is being loaded.
  public var isLoading: Bool { if case .loading = phase { true } else { false } }
  /// The error of the page that failed last; nil after a success and while a page is being loaded.
  public var failure: (any Error)? { if case .failed(_, let error) = phase { error } else { nil } }

  /// The items, how current they are, and what is being loaded, as a screen binds to them.
  ///
  /// The age is that of the oldest page when it was received. A page that is loaded without a response of an
  /// ``APIClient`` or an ``APIManager`` has none.
  public var state: LoadState<[Item], any Error> {
    let loaded: LoadState<[Item], any Error>.Loaded? =
      pageCount == 0 ? nil : LoadState<[Item], any Error>.Loaded(items, currency)
    return switch phase {
    case .idle: loaded.map { .loaded($0) } ?? .idle
    case .loading: .loading(before: loaded)
    case .failed(_, let error): .failed(error, before: loaded)
    }
  }
}

extension PagedList {
  /// Starts with the first page again, and keeps the items until it has been received.
  ///
  /// A page that is being loaded is superseded. Its loader should be cancelled; its result is dropped.
  package mutating func refresh() -> PageStart { startOver(isReload: true) }

  /// Removes all items and starts with the first page, for another search or another account.
  ///
  /// A page that is being loaded is superseded, as by ``refresh()``.
  package mutating func restart() -> PageStart {
    items = []
    progress = emptyProgress(isReload: false)
    return startOver(isReload: false)
  }

  /// Starts to load the page after the items, which is the first one if there are none.
  package mutating func loadNext() -> PageStart {
    guard !isLoading else { return .alreadyLoading }
    // After the last page nothing is requested, so that retry() can still repeat the refresh.
    if pending != nil, !progress.isComplete {
      // After a failed refresh: results from before it stay outdated.
      pending = nil
      lastGeneration += 1
      progress.generation = lastGeneration
    }
    return start(progress)
  }

  /// Starts to load the page that failed again; without a failure, the next one.
  package mutating func retry() -> PageStart {
    guard case .failed(.first, _) = phase, let pending else { return loadNext() }
    return start(pending)
  }

  /// Stops to load; the result of a page that is being loaded is dropped.
  package mutating func cancel() {
    guard isLoading else { return }
    lastGeneration += 1
    pending = nil
    phase = .idle
    progress.generation = lastGeneration
  }

  /// Takes the result of a page.
  ///
  /// - Returns: Whether it was taken; false for a page that a refresh or restart has superseded.
  @discardableResult package mutating func receive(
    _ result: Result<PageContent<Item>, any Error>, for request: PageRequest
  ) -> Bool {
    guard case .loading(let position) = phase else { return false }
    var updated = pending ?? progress
    guard request.generation == updated.generation, request.index == updated.pageCount else { return false }
    do {
      let content = try result.get()
      let newItems = try updated.accept(content)
      if position == .first {
        (items, currency) = (newItems, content.currency)
      } else {
        items += newItems
        currency.add(content.currency)
      }
      (progress, pending, phase) = (updated, nil, .idle)
    } catch {
      phase = .failed(position, error)
    }
    return true
  }

  private mutating func startOver(isReload: Bool) -> PageStart {
    let first = emptyProgress(isReload: isReload)
    pending = first
    return start(first)
  }

  private mutating func start(_ progress: PageProgress<Item.ID>) -> PageStart {
    let position: Position = progress.pageCount == 0 ? .first : .next
    do throws(PagingError) {
      guard let request = try progress.next() else { return .lastPage }
      phase = .loading(position)
      return .started(request)
    } catch {
      phase = .failed(position, error)
      return .refused(error)
    }
  }

  private mutating func emptyProgress(isReload: Bool) -> PageProgress<Item.ID> {
    lastGeneration += 1
    return PageProgress(
      size: progress.size, limits: progress.limits, isReload: isReload, generation: lastGeneration)
  }
}
