public import Interception

/// The position in a list that is loaded page by page: which page is next, and what was received before.
///
/// A value without I/O. A page that is not accepted leaves it unchanged.
struct PageProgress<ID: Hashable & Sendable>: Sendable {
  let size: Int
  let limits: PageLimits
  let isReload: Bool
  private(set) var generation: UInt64
  /// The number of accepted pages.
  private(set) var pageCount = 0
  /// The number of all items of the list, if the server reported it.
  private(set) var total: Int?
  /// Whether the last page was accepted.
  private(set) var isComplete = false
  private var receivedCount = 0
  private var cursor: String?
  private var seenIDs: Set<ID> = []
  private var usedCursors: Set<String> = []
  /// The IDs of the page before the next one.
  private var previousIDs: Set<ID> = []
  /// The number of pages in a row with known items only, and whether the last one repeated the one before.
  private var staleCount = 0
  private var isRepeating = false

  init(size: Int, limits: PageLimits, isReload: Bool = false, generation: UInt64 = 0) {
    self.size = max(1, size)
    self.limits = limits
    self.isReload = isReload
    self.generation = generation
  }

  /// Returns the request for the next page; nil if the last one was accepted.
  func next() throws(PagingError) -> PageRequest? {
    guard !isComplete else { return nil }
    guard pageCount < limits.pages else { throw .tooManyPages(limit: limits.pages) }
    return PageRequest(
      index: pageCount, offset: receivedCount, size: size, cursor: cursor, isReload: isReload,
      generation: generation)
  }

  /// Returns the position with another generation, so that requests from before are recognized.
  func inGeneration(_ generation: UInt64) -> PageProgress {
    var copy = self
    copy.generation = generation
    return copy
  }

  /// Accepts the page that was requested, and returns those of its items that no page had before.
  mutating func accept<Item>(
    _ content: PageContent<Item>
  ) throws(PagingError) -> [Item] where Item: Identifiable, Item.ID == ID {
    var pageIDs: Set<ID> = []
    let newItems = content.items.filter { !seenIDs.contains($0.id) && pageIDs.insert($0.id).inserted }
    let received = receivedCount + content.items.count
    let (isLast, total, nextCursor) = try ending(content, received: received)
    // A list that grows at its head moves items to later pages, at most as many pages as had new items. A
    // server that ignores which page is requested sends the same one again and again.
    let isStale = newItems.isEmpty && !content.items.isEmpty
    let ids = Set(content.items.map(\.id))
    let repeats = isStale && ids == previousIDs
    if !isLast, isStale, repeats && isRepeating || staleCount >= pageCount - staleCount {
      throw .repeatedPage(number: pageCount + 1)
    }
    guard seenIDs.count + newItems.count <= limits.items else { throw .tooManyItems(limit: limits.items) }

    seenIDs.formUnion(pageIDs)
    if let cursor { usedCursors.insert(cursor) }
    cursor = nextCursor
    receivedCount = received
    pageCount += 1
    self.total = total
    isComplete = isLast
    previousIDs = ids
    staleCount = isStale ? staleCount + 1 : 0
    isRepeating = repeats
    return newItems
  }

  private func ending<Item>(
    _ content: PageContent<Item>, received: Int
  ) throws(PagingError) -> (isLast: Bool, total: Int?, cursor: String?) {
    switch content.next.rule {
    case .whileFull: return (content.items.count < size, nil, nil)
    case .exists(let exists): return (!exists, nil, nil)
    case .total(let total):
      guard total >= 0 else { throw .invalidTotal(total) }
      return (content.items.isEmpty || received >= total, total, nil)
    case .cursor(nil): return (true, nil, nil)
    case .cursor(let next?):
      guard next.utf8.count <= limits.cursorLength else { throw .cursorTooLong(limit: limits.cursorLength) }
      guard next != cursor, !usedCursors.contains(next) else {
        throw .repeatedCursor(number: pageCount + 1)
      }
      return (false, nil, next)
    case .missingParameter(let name): throw .missingParameter(name)
    }
  }
}

/// The error of a list whose pages don't lead to an end.
///
/// The list keeps the pages before the one at fault. The page can be requested again, and a refresh starts
/// over.
public enum PagingError: Error, LoggableError, Sendable, Hashable {
  /// The page has only items of earlier pages, like those before it, but the server reports a next one;
  /// `number` is counted from 1. A list that grows at its head is not at fault.
  case repeatedPage(number: Int)
  /// The page names a cursor that was already used, so that the pages form a loop; `number` is that of the
  /// page that names it, counted from 1.
  case repeatedCursor(number: Int)
  /// The cursor is longer than ``PageLimits/cursorLength``.
  case cursorTooLong(limit: Int)
  /// The server reported a negative number of items.
  case invalidTotal(Int)
  /// The link to the next page doesn't have the query parameter that should be its cursor.
  case missingParameter(String)
  /// The list has more pages than ``PageLimits/pages``.
  case tooManyPages(limit: Int)
  /// The list has more items than ``PageLimits/items``.
  case tooManyItems(limit: Int)
}

extension PagingError: CustomStringConvertible {
  /// A sentence that says what is wrong and what to do; it contains no cursor, which may be a secret.
  public var description: String {
    switch self {
    case .repeatedPage(let number):
      "Page \(number) has only items of earlier pages again; check that the request names the page as the server expects it."
    case .repeatedCursor(let number):
      "Page \(number) names a cursor that was already used; report it to the server's operator, or refresh the list."
    case .cursorTooLong(let limit):
      "The cursor of the next page is longer than \(limit) bytes; raise PageLimits.cursorLength if it is legitimate."
    case .invalidTotal(let total):
      "The server reported a total of \(total) items; a total is at least 0."
    case .missingParameter(let name):
      "The link to the next page has no query parameter \"\(name)\"; pass the name that the server uses."
    case .tooManyPages(let limit):
      "The list has more than \(limit) pages; narrow the search, or raise PageLimits.pages."
    case .tooManyItems(let limit):
      "The list has more than \(limit) items; narrow the search, or raise PageLimits.items."
    }
  }
}
