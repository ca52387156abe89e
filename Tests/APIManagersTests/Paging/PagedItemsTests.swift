import APIManagers
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct PagedItemsTests {
  @Test("All items are returned in order, once each", arguments: [true, false])
  func all(looksAhead: Bool) async throws {
    let items = PagedItems<Row>(size: 3, looksAhead: looksAhead) { request in
      // Each page begins with the last item of the one before, as if an item had been inserted meanwhile.
      let start = max(0, request.offset - request.index)
      let ids = Array(start..<min(10, start + 3))
      return PageContent(ids.map(Row.init(id:)), next: .exists(ids.last != 9))
    }
    var ids: [Int] = []
    for try await item in items { ids.append(item.id) }
    #expect(ids == Array(0..<10))
    ids = []
    for try await item in items { ids.append(item.id) }
    #expect(ids == Array(0..<10), "Each iteration starts with the first page.")
  }

  @Test("Pages are returned without duplicates, and empty ones are skipped")
  func pages() async throws {
    let contents: [PageContent<Row>] = [
      PageContent([1, 2], next: .cursor("a")), PageContent([], next: .cursor("b")),
      PageContent([2, 3], next: .cursor("c")), PageContent([], next: .cursor(nil)),
    ]
    let list = PagedItems<Row> { contents[$0.index] }
    var pages: [[Row]] = []
    for try await page in list.pages { pages.append(page) }
    #expect(pages == [[1, 2], [3]])
  }

  @Test("At most one page is loaded ahead, and without look-ahead none")
  func lookAhead() async throws {
    let loader = PageLoader()
    for call in 0..<9 {
      loader.finish(
        call, .success(PageContent([Row(id: call * 2), Row(id: call * 2 + 1)], next: .exists(true))))
    }
    var ahead = PagedItems(size: 2, load: loader.load).makeAsyncIterator()
    #expect(loader.state.value.requests.isEmpty)
    #expect(try await ahead.next() == 0)
    try await loader.waitForCalls(2)
    for _ in 0..<100 { await Task.yield() }
    #expect(loader.state.value.requests.count == 2)
    #expect(try await ahead.next() == 1)
    #expect(try await ahead.next() == 2)
    try await loader.waitForCalls(3)

    let lone = PageLoader()
    lone.finish(0, .success(PageContent([1, 2], next: .exists(true))))
    var items = PagedItems(size: 2, looksAhead: false, load: lone.load).makeAsyncIterator()
    #expect(try await items.next() == 1)
    for _ in 0..<100 { await Task.yield() }
    #expect(lone.state.value.requests.count == 1)
  }

  @Test("Leaving the loop cancels the page that is loaded ahead")
  func leaving() async throws {
    let loader = PageLoader()
    loader.finish(0, .success(PageContent([1, 2], next: .exists(true))))
    for try await _ in PagedItems(size: 2, load: loader.load) {
      try await loader.waitForCalls(2)
      break
    }
    try await loader.waitForCancellations(1)
    try await loader.waitUntilIdle()
  }

  @Test("Cancelling the reader's task cancels the page it waits for", arguments: [true, false])
  func cancellation(looksAhead: Bool) async throws {
    let loader = PageLoader()
    loader.finish(0, .success(PageContent([1], next: .exists(true))))
    let reader = Task {
      var count = 0
      for try await _ in PagedItems(size: 1, looksAhead: looksAhead, load: loader.load) { count += 1 }
      return count
    }
    try await loader.waitForCalls(2)
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    try await loader.waitUntilIdle()
  }

  @Test("An error is thrown after the items before it, and ends the sequence", arguments: [true, false])
  func failure(looksAhead: Bool) async throws {
    var items = PagedItems<Row>(size: 1, looksAhead: looksAhead) { request in
      guard request.index < 2 else { throw PageFailure(number: request.number) }
      return PageContent([Row(id: request.index)], next: .exists(true))
    }
    .makeAsyncIterator()
    #expect(try await items.next() == 0)
    #expect(try await items.next() == 1)
    await #expect(throws: PageFailure(number: 3)) { try await items.next() }
    #expect(try await items.next() == nil)
  }

  @Test("A server whose pages never end is stopped by a typed error", arguments: [true, false])
  func endless(looksAhead: Bool) async throws {
    func end(
      _ limits: PageLimits = PageLimits(), _ page: @escaping @Sendable (PageRequest) -> PageContent<Row>
    )
      async -> PagingError?
    {
      var count = 0
      do {
        for try await _ in PagedItems(size: 1, limits: limits, looksAhead: looksAhead, load: page) {
          count += 1
        }
        return nil
      } catch {
        #expect(count <= limits.items)
        return error as? PagingError
      }
    }
    #expect(await end { _ in PageContent([1], next: .exists(true)) } == .repeatedPage(number: 3))
    #expect(
      await end { PageContent([Row(id: $0.index)], next: .cursor($0.index % 2 == 0 ? "a" : "b")) }
        == .repeatedCursor(number: 3))
    #expect(
      await end(PageLimits(pages: 20)) { PageContent([], next: .cursor("\($0.index)")) }
        == .tooManyPages(limit: 20))
    #expect(
      await end(PageLimits(items: 20)) { PageContent([Row(id: $0.index)], next: .exists(true)) }
        == .tooManyItems(limit: 20))
  }
}
