/// The position in a list that is loaded page by page: which page is next, and what was received before.
///
/// A value without I/O. A page that is not accepted leaves it unchanged.
struct PageProgress<ID: Hashable & Sendable>: Sendable {
  let size: Int
  let limits: PageLimits
  let isReload: Bool
  /// Distinguishes the requests before a refresh from those after it.
  var generation: UInt64
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
    var request = PageRequest(
      index: pageCount, offset: receivedCount, size: size, cursor: cursor, isReload: isReload)
    request.generation = generation
    return request
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
