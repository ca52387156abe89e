/// The items of a list that is loaded page by page, as an asynchronous sequence.
///
/// Use it to process a whole list, such as for an export; a screen uses ``Pager``. A page
/// is loaded when the items before it have been read or, with look-ahead, while those of the previous page
/// are read: never more than one page ahead.
///
/// ```swift
/// func ids(
///   of page: @escaping @Sendable (PageRequest) async throws -> PageContent<House>
/// ) async throws -> [Int] {
///   var ids: [Int] = []
///   for try await house in PagedItems(size: 100, load: page) { ids.append(house.id) }
///   return ids
/// }
/// ```
///
/// An item whose ID an earlier item has is dropped. The first error of the loader ends the sequence, as does
/// a ``PagingError`` for a page that repeats, a cursor that loops, or a list that exceeds its limits. Each
/// iteration starts with the first page. Leaving the loop cancels a page that is being loaded.
///
/// Each page is as current as its load. If the list changes between two loads, an item that was added at its
/// head is missing, and so is one that a removal has moved to an earlier page, if the server counts pages.
public struct PagedItems<Item: Identifiable & Sendable>: AsyncSequence, Sendable where Item.ID: Sendable {
  /// Loads a page.
  public typealias Load = @Sendable (PageRequest) async throws -> PageContent<Item>

  /// The pages of the list: the items of each, without duplicates and without empty pages.
  public let pages: Pages

  /// Creates the sequence; nothing is loaded before the first item is requested.
  ///
  /// - Parameters:
  ///   - size: The number of items of a page; 20 by default, at least 1.
  ///   - limits: The bounds of the list.
  ///   - looksAhead: Whether the next page is loaded while the items of a page are read; true by default.
  ///   - load: Loads a page.
  public init(
    size: Int = 20, limits: PageLimits = PageLimits(), looksAhead: Bool = true, load: @escaping Load
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
  /// The pages of a list as an asynchronous sequence; see ``PagedItems/pages``.
  public struct Pages: AsyncSequence, Sendable {
    /// The items of a page.
    public typealias Element = [Item]

    let progress: PageProgress<Item.ID>
    let looksAhead: Bool
    let load: Load

    /// Starts with the first page.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(progress: progress, looksAhead: looksAhead, load: load)
    }

    /// Returns the pages one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var progress: PageProgress<Item.ID>
      let looksAhead: Bool
      let load: Load
      var ahead: PageAhead<Item>?
      var hasFailed = false

      /// Loads the next page that has items; nil at the end.
      ///
      /// - Throws: The loader's error, or a ``PagingError``.
      public mutating func next() async throws -> [Item]? {
        guard !hasFailed else { return nil }
        do {
          while let request = try progress.next() {
            let content: PageContent<Item>
            if let ahead {
              self.ahead = nil
              content = try await ahead.content()
            } else {
              content = try await load(request)
            }
            let items = try progress.accept(content)
            guard !items.isEmpty else { continue }
            // An error of the next page's bounds is thrown when that page is requested.
            if looksAhead, let next = try? progress.next() { ahead = PageAhead(next, load) }
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

/// A page that is loaded ahead; releasing it cancels its request.
final class PageAhead<Item: Sendable>: Sendable {
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
