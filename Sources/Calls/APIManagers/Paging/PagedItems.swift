import Interception

/// The items of a list that is loaded page by page: an asynchronous sequence, which a ``Pager`` shows on a
/// screen.
///
/// ```swift
/// let houses = client.items(of: HouseList()) { page in
///   HouseList.Params(city: "Lodi", page: page.number)
/// } content: { list in
///   PageContent(list.houses, next: .total(list.count))
/// }
/// for try await house in houses { print(house.id) }  // all of them, such as for an export
/// let pager = Pager(houses)  // page by page, for a screen
/// ```
///
/// A page is loaded when the items before it have been read. With look-ahead, the next page is loaded while
/// the items of a page are read, and never more than one page ahead. An item with the ID of an earlier item
/// is dropped. The first error of the loader ends the sequence. So does a ``PagingError``: a repeated page, a
/// repeated cursor, or a list that exceeds its limits. Each iteration starts with the first page. Leaving the
/// loop cancels a page that is being loaded.
///
/// Each page is as current as its load. If the list changes between two loads, an item added at its head is
/// missing. If the server counts pages, an item that a removal has moved to an earlier page is missing, too.
public struct PagedItems<Item: Identifiable & Sendable>: AsyncSequence, Sendable where Item.ID: Sendable {
  /// The pages of the list: the items of each, without duplicates and without empty pages.
  package let pages: Pages

  /// Creates the sequence; nothing is loaded before the first item is requested.
  ///
  /// - Parameters:
  ///   - size: The number of items of a page; 20 by default, at least 1.
  ///   - looksAhead: Whether the next page is loaded while the items of a page are read; true by default.
  ///   - load: Loads a page; it may throw any error.
  public init(
    size: Int = 20, limits: PageLimits = PageLimits(), looksAhead: Bool = true,
    load: @escaping @Sendable (PageRequest) async throws -> PageContent<Item>
  ) {
    pages = Pages(progress: PageProgress(size: size, limits: limits), looksAhead: looksAhead, load: load)
  }

  /// Starts with the first page.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: pages.makeAsyncIterator()) }

  /// Returns the items one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var pages: Pages.AsyncIterator
    var items: [Item] = []
    var place = 0

    /// Returns the next item, for which it loads a page if necessary; nil at the end.
    ///
    /// - Throws: The loader's error, or a ``PagingError``.
    public mutating func next() async throws -> Item? {
      if place == items.count {
        guard let page = try await pages.next() else { return nil }
        (items, place) = (page, 0)
      }
      defer { place += 1 }
      return items[place]
    }
  }
}

extension PagedItems {
  /// The pages of a list as an asynchronous sequence; see `pages`.
  package struct Pages: AsyncSequence, Sendable {
    /// The items of a page.
    package typealias Element = [Item]

    let progress: PageProgress<Item.ID>
    let looksAhead: Bool
    let load: @Sendable (PageRequest) async throws -> PageContent<Item>

    /// Starts with the first page.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Returns the pages one by one.
    package struct AsyncIterator: AsyncIteratorProtocol {
      let list: Pages
      var progress: PageProgress<Item.ID>
      private var ahead: PageAhead<Item>?
      private var hasFailed = false

      init(_ list: Pages) {
        self.list = list
        progress = list.progress
      }

      /// Loads the next page that has items; nil at the end.
      ///
      /// - Throws: The loader's error, or a ``PagingError``.
      package mutating func next() async throws -> [Item]? {
        guard !hasFailed else { return nil }
        do {
          while let request = try progress.next() {
            let content: PageContent<Item>
            if let ahead {
              self.ahead = nil
              content = try await ahead.content()
            } else {
              content = try await list.load(request)
            }
            let items = try progress.accept(content)
            guard !items.isEmpty else { continue }
            // An error of the next page's bounds is thrown when that page is requested.
            if list.looksAhead, let next = try? progress.next() { ahead = PageAhead(next, list.load) }
            return items
          }
          return nil
        } catch {
          hasFailed = true
          throw error
        }
      }
    }
  }
}

extension APIClient {
  /// Returns the items of a list that an API loads page by page; see ``PagedItems``.
  ///
  /// ``load(_:_:cacheMode:reportingTo:)`` loads each page.
  ///
  /// - Parameters:
  ///   - params: Returns the params with which a page is requested.
  ///   - content: Returns the items of an output, and whether there is a next page.
  public func items<A: API, Item: Identifiable & Sendable>(
    of api: A, size: Int = 20, limits: PageLimits = PageLimits(), looksAhead: Bool = true,
    params: @escaping @Sendable (PageRequest) -> A.Params,
    content: @escaping @Sendable (A.Output) throws -> PageContent<Item>
  ) -> PagedItems<Item> where Item.ID: Sendable {
    PagedItems(size: size, limits: limits, looksAhead: looksAhead) { page in
      let loaded = try await loadWhole(api, params(page), cacheMode: page.isReload ? .reload : nil)
      var result = try content(loaded.output)
      result.currency = loaded.response.currency
      return result
    }
  }
}

extension APIManager {
  /// Returns the items of a list that the manager loads page by page, for a ``Pager``.
  ///
  /// The pager retains the manager.
  ///
  /// Give each list a manager of its own. The manager's delegate is not called.
  ///
  /// - Parameters:
  ///   - reformer: Converts a response into the content of a page, on the main actor.
  ///   - params: Returns the params with which a page is requested.
  public func items<Item: Identifiable & Sendable>(
    by reformer: some Reformer<PageContent<Item>>, size: Int = 20, limits: PageLimits = PageLimits(),
    params: @escaping @MainActor (PageRequest) -> A.Params
  ) -> PagedItems<Item> where Item.ID: Sendable {
    PagedItems(size: size, limits: limits, looksAhead: false) { @MainActor page in
      let response = try await self.load(
        .response, for: params(page), cacheMode: page.isReload ? .reload : nil)
      var result = try response.reformed(by: reformer, from: self.identity)
      result.currency = response.currency
      return result
    }
  }
}

/// A page that is loaded ahead; releasing it cancels its request.
private final class PageAhead<Item: Sendable>: Sendable {
  private let task: Task<PageContent<Item>, any Error>

  init(
    _ request: PageRequest, _ load: @escaping @Sendable (PageRequest) async throws -> PageContent<Item>
  ) {
    task = Task { try await load(request) }
  }

  deinit { task.cancel() }

  /// Returns the content as soon as it has been received.
  func content() async throws -> PageContent<Item> {
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
