import Testing

@testable import APIManagers

@Suite struct PagedListTests {
  /// Loads the next page of a list, with the given content.
  func load(
    _ list: inout PagedList<Row>, _ items: [Row], _ next: NextPage,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let request = try #require(list.loadNext().request, sourceLocation: sourceLocation)
    #expect(
      list.receive(.success(PageContent(items, next: next)), for: request) == true,
      sourceLocation: sourceLocation)
  }

  @Test(
    "A19: Pages are loaded one at a time up to the last; a refresh starts over, a failed page can be repeated, and a total of 0 is the last page"
  )
  func row() throws {
    var list = PagedList<Row>(size: 2)
    #expect(list.pageCount <= 1 && !list.isLastPage && !list.isLoading)

    let first = try #require(list.loadNext().request)
    #expect((first.number, first.index, first.offset, first.size) == (1, 0, 0, 2))
    #expect(list.isLoading)
    #expect(list.loadNext() == .alreadyLoading)
    list.receive(.success(page(first, total: 5)), for: first)
    #expect(list.items == [0, 1])
    #expect(list.pageCount <= 1 && !list.isLastPage && !list.isLoading)
    #expect(list.total == 5)

    // A page that fails leaves the list unchanged, and can be repeated in two ways.
    let second = try #require(list.loadNext().request)
    #expect((second.number, second.offset) == (2, 2))
    list.receive(.failure(PageFailure()), for: second)
    #expect(list.failure as? PageFailure == PageFailure())
    #expect(list.items == [0, 1] && list.pageCount == 1 && !list.isLoading)
    let repeated = try #require(list.retry().request)
    #expect(repeated == second)
    list.receive(.failure(PageFailure()), for: repeated)
    #expect(list.loadNext().request == second)
    list.receive(.success(page(second, total: 5)), for: second)
    #expect(list.failure == nil)
    #expect(list.items == [0, 1, 2, 3] && list.pageCount > 1 && !list.isLastPage)

    let third = try #require(list.loadNext().request)
    list.receive(.success(page(third, total: 5)), for: third)
    #expect(list.items == [0, 1, 2, 3, 4] && list.isLastPage)
    #expect(list.loadNext() == .lastPage)

    let refreshed = try #require(list.refresh().request)
    #expect((refreshed.number, refreshed.offset, refreshed.isReload) == (1, 0, true))
    #expect(!list.isLastPage, "The end is unknown again.")
    #expect(list.items == [0, 1, 2, 3, 4], "The items stay until the first page has been received.")
    list.receive(.success(page(refreshed, total: 3)), for: refreshed)
    #expect(list.items == [0, 1] && list.pageCount <= 1 && !list.isLastPage && list.total == 3)
    #expect(list.loadNext().request?.isReload == true, "No page comes from before the refresh.")

    let empty = try #require(list.refresh().request)
    list.receive(.success(page(empty, total: 0)), for: empty)
    #expect(list.items.isEmpty && list.isLastPage && list.total == 0)
    #expect(list.loadNext() == .lastPage)
  }

  @Test("A refresh that fails leaves the list as it was, and can be repeated or ignored")
  func failedRefresh() throws {
    var list = PagedList<Row>(size: 2)
    try load(&list, [1, 2], .whileFull)
    try load(&list, [3], .whileFull)
    let refresh = try #require(list.refresh().request)
    list.receive(.failure(PageFailure()), for: refresh)
    #expect(list.items == [1, 2, 3] && list.isLastPage && list.pageCount == 2)
    #expect(list.loadNext() == .lastPage)
    #expect(list.failure != nil)
    let repeated = try #require(list.retry().request)
    #expect(repeated == refresh, "The page that failed is the first one, also after loadNext().")
    list.receive(.failure(PageFailure()), for: repeated)

    let again = try #require(list.refresh().request)
    list.receive(.failure(PageFailure()), for: again)
    let retried = try #require(list.retry().request)
    #expect(retried.index == 0 && retried.isReload)
    list.receive(.success(PageContent([9], next: .whileFull)), for: retried)
    #expect(list.items == [9] && list.failure == nil)
  }

  @Test("The result of a page from before a refresh, a restart or a cancellation is dropped")
  func outdated() throws {
    var list = PagedList<Row>(size: 2)
    try load(&list, [1, 2], .whileFull)
    let second = try #require(list.loadNext().request)
    let refresh = try #require(list.refresh().request)
    #expect(list.receive(.success(PageContent([3, 4], next: .whileFull)), for: second) == false)
    #expect(list.receive(.failure(PageFailure()), for: second) == false)
    #expect(list.items == [1, 2] && list.isLoading)
    let restart = try #require(list.restart().request)
    #expect(list.items.isEmpty && !restart.isReload)
    #expect(list.receive(.success(PageContent([5, 6], next: .whileFull)), for: refresh) == false)
    #expect(list.receive(.success(PageContent([7, 8], next: .whileFull)), for: restart) == true)
    #expect(list.items == [7, 8])

    let next = try #require(list.loadNext().request)
    list.cancel()
    #expect(!list.isLoading && list.failure == nil)
    #expect(list.receive(.success(PageContent([9], next: .whileFull)), for: next) == false)
    let later = try #require(list.loadNext().request)
    #expect(later.index == 1)
    #expect(
      list.receive(.success(PageContent([9], next: .whileFull)), for: next) == false,
      "It is still the outdated one.")
    #expect(list.receive(.success(PageContent([10], next: .whileFull)), for: later) == true)
    #expect(list.items == [7, 8, 10])
    #expect(
      list.receive(.success(PageContent([11], next: .whileFull)), for: later) == false,
      "A page is taken once.")
  }

  @Test("The result of a page that a failed refresh superseded is dropped, even if the page is loaded again")
  func outdatedAfterFailure() throws {
    var list = PagedList<Row>(size: 2)
    try load(&list, [1, 2], .whileFull)
    let superseded = try #require(list.loadNext().request)
    let refresh = try #require(list.refresh().request)
    list.receive(.failure(PageFailure()), for: refresh)
    let again = try #require(list.loadNext().request)
    #expect(again.index == superseded.index)
    #expect(list.receive(.success(PageContent([3], next: .whileFull)), for: superseded) == false)
    #expect(list.receive(.success(PageContent([4], next: .whileFull)), for: again) == true)
    #expect(list.items == [1, 2, 4])
  }

  @Test("A cancelled refresh leaves the list as it was")
  func cancelledRefresh() throws {
    var list = PagedList<Row>(size: 1)
    try load(&list, [1], .exists(false))
    _ = list.refresh()
    list.cancel()
    #expect(list.items == [1] && list.isLastPage)
  }

  @Test("An item is kept once, in its first place, and duplicates count for the offset")
  func duplicates() throws {
    var list = PagedList<Row>(size: 3)
    try load(&list, [1, 2, 2], .total(6))
    #expect(list.items == [1, 2])
    let second = try #require(list.loadNext().request)
    #expect(second.offset == 3)
    list.receive(.success(PageContent([2, 3, 1], next: .total(6))), for: second)
    #expect(list.items == [1, 2, 3] && list.isLastPage)
  }

  /// A way in which a server reports the last page, and whether the page of 2 items is the last.
  struct Ending: Sendable {
    let next: NextPage
    let count: Int
    let isLast: Bool
  }

  @Test(
    "The last page is recognized by each form of report",
    arguments: [
      Ending(next: .whileFull, count: 2, isLast: false), Ending(next: .whileFull, count: 3, isLast: false),
      Ending(next: .whileFull, count: 1, isLast: true), Ending(next: .whileFull, count: 0, isLast: true),
      Ending(next: .total(3), count: 2, isLast: false), Ending(next: .total(2), count: 2, isLast: true),
      Ending(next: .total(1), count: 2, isLast: true), Ending(next: .total(0), count: 0, isLast: true),
      Ending(next: .total(9), count: 0, isLast: true), Ending(next: .exists(true), count: 0, isLast: false),
      Ending(next: .exists(false), count: 2, isLast: true),
      Ending(next: .cursor("a"), count: 0, isLast: false),
      Ending(next: .cursor(nil), count: 2, isLast: true), Ending(next: .cursor(""), count: 2, isLast: true),
    ])
  func endings(ending: Ending) throws {
    var list = PagedList<Row>(size: 2)
    try load(&list, (0..<ending.count).map { Row(id: $0) }, ending.next)
    #expect(list.isLastPage == ending.isLast)
  }

  @Test("A size below 1 is raised to 1")
  func size() {
    var list = PagedList<Row>(size: 0)
    #expect(list.loadNext().request?.size == 1)
  }
}
