import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct PagerTests {
  let loader = PageLoader()

  func pager(size: Int = 2) -> Pager<Row> {
    Pager(PagedItems(size: size, load: loader.load))
  }

  /// Returns the first list that satisfies a condition.
  func list(
    of pager: Pager<Row>, _ condition: (PagedList<Row>) -> Bool
  ) async throws -> PagedList<Row> {
    for await list in pager.changes where condition(list) { return list }
    throw PageFailure()
  }

  @Test("Pages are loaded on request, and each change is reported")
  func pages() async throws {
    let pager = pager()
    var changes = pager.changes.makeAsyncIterator()
    #expect(await changes.next()?.items == [])
    pager.loadNext()
    #expect(await changes.next()?.isLoading == true)
    #expect(pager.loadNext() == .alreadyLoading)
    loader.finish(0, .success(PageContent([1, 2], next: .total(3))))
    #expect(await changes.next()?.items == [1, 2])
    pager.loadNext()
    loader.finish(1, .success(PageContent([3], next: .total(3))))
    #expect(try await list(of: pager, \.isLastPage).items == [1, 2, 3])
    #expect(pager.loadNext() == .lastPage)
    #expect(loader.state.value.requests.map(\.number) == [1, 2])
    #expect(loader.state.value.maximumRunning == 1)
  }

  @Test("A page that failed is repeated")
  func retry() async throws {
    let pager = pager()
    pager.refresh()
    loader.finish(0, .failure(PageFailure(number: 7)))
    #expect(try await list(of: pager) { $0.failure != nil }.failure as? PageFailure == PageFailure(number: 7))
    pager.retry()
    #expect(pager.list.failure == nil)
    loader.finish(1, .success(PageContent([1], next: .whileFull)))
    #expect(try await list(of: pager, \.isLastPage).items == [1])
    #expect(loader.state.value.requests.map(\.isReload) == [true, true])
  }

  @Test("A refresh and a new search cancel the request that they supersede")
  func supersede() async throws {
    let pager = pager()
    pager.loadNext()
    try await loader.waitForCalls(1)
    pager.refresh()
    try await loader.waitForCancellations(1)
    try await loader.waitForCalls(2)
    pager.restart()
    try await loader.waitForCancellations(2)
    try await loader.waitForCalls(3)
    loader.finish(2, .success(PageContent([5], next: .exists(false))))
    let list = try await list(of: pager) { !$0.isLoading }
    #expect(list.items == [5] && list.failure == nil)
    #expect(loader.state.value.cancelled.map(\.isReload) == [false, true])
  }

  @Test("The result of a superseded loader that ignores its cancellation is dropped")
  func stubborn() async throws {
    let gate = WaitableValue(0)
    let items = PagedItems<Row>(size: 2) { request in
      let isFirst = !request.isReload
      _ = await Task { try? await gate.wait { $0 >= (isFirst ? 2 : 1) } }.value
      if isFirst { gate.update { $0 = 3 } }
      return PageContent([isFirst ? 1 : 2], next: .exists(false))
    }
    let pager = Pager(items)
    pager.loadNext()
    await letOthersRun()
    pager.refresh()
    gate.update { $0 = 1 }
    _ = try await list(of: pager, \.isLastPage)
    gate.update { $0 = 2 }
    try await gate.wait { $0 == 3 }
    await letOthersRun()
    #expect(pager.list.items == [2])
  }

  @Test("Cancelling stops the request and leaves the list as it is")
  func cancel() async throws {
    let pager = pager()
    pager.cancel()
    pager.loadNext()
    loader.finish(0, .success(PageContent([1, 2], next: .whileFull)))
    _ = try await list(of: pager) { $0.items.count == 2 }
    pager.loadNext()
    try await loader.waitForCalls(2)
    pager.cancel()
    #expect(!pager.list.isLoading && pager.list.failure == nil && pager.list.items == [1, 2])
    try await loader.waitForCancellations(1)
    try await loader.waitUntilIdle()
    await letOthersRun()
    #expect(pager.list.failure == nil)
  }

  @Test("Releasing the pager cancels its request and ends the streams")
  func release() async throws {
    weak var released: Pager<Row>?
    var changes: AsyncStream<PagedList<Row>>.AsyncIterator?
    do {
      let pager = pager()
      released = pager
      changes = pager.changes.makeAsyncIterator()
      pager.loadNext()
      try await loader.waitForCalls(1)
    }
    try await loader.waitForCancellations(1)
    #expect(released == nil)
    _ = await changes?.next()
    #expect(await changes?.next() == nil)
  }

  @Test("A list that is longer than allowed is refused before anything is sent")
  func limit() async throws {
    let pager = Pager(PagedItems(size: 1, limits: PageLimits(pages: 1), load: loader.load))
    pager.loadNext()
    loader.finish(0, .success(PageContent([1], next: .exists(true))))
    _ = try await list(of: pager) { !$0.isLoading && $0.pageCount == 1 }
    #expect(pager.loadNext() == .refused(.tooManyPages(limit: 1)))
    #expect(pager.list.failure as? PagingError == .tooManyPages(limit: 1))
    #expect(loader.state.value.requests.count == 1)
  }

  struct RowPage: Reformer {
    func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> PageContent<Row> {
      PageContent(
        try response.json(as: [Int].self).map(Row.init(id:)),
        next: .link(in: response.headerFields, query: "page"))
    }
  }

  @Test(
    "A manager loads the pages; a refresh doesn't use stored responses, and a new search cancels the request")
  func manager() async throws {
    let gate = Gate()
    let dispatcher = ScriptedDispatcher { request, number throws(NetworkError) in
      if number == 4 { try await gate.pass(request) }
      let isFirst = request.head.path?.contains("page=1") == true
      var response = Response(status: .ok, bytes: Array((isFirst ? "[1, 2]" : "[2, 3]").utf8))
      if isFirst { response.head.headerFields[.init("Link")!] = "</houses?page=2>; rel=\"next\"" }
      return response
    }
    let manager = APIManager(HouseList(), client: APIClient(dispatcher: dispatcher))
    let pager = Pager(manager.items(by: RowPage(), size: 2) { Search(city: "Lyon", page: $0.number) })
    pager.loadNext()
    _ = try await list(of: pager) { $0.items == [1, 2] }
    pager.loadNext()
    #expect(try await list(of: pager, \.isLastPage).items == [1, 2, 3])
    pager.refresh()
    _ = try await list(of: pager) { $0.items == [1, 2] }
    #expect(dispatcher.requests.map(\.context.cacheRule.mode) == [.useFresh, .useFresh, .reload])
    pager.loadNext()
    try await gate.waitForHeld(1)
    pager.restart()
    try await gate.waitForCancellations(1)
    #expect(try await list(of: pager) { !$0.isLoading }.items == [1, 2])
    #expect(
      dispatcher.requests.map { $0.head.path?.suffix(6) } == [
        "page=1", "page=2", "page=1", "page=2", "page=1",
      ])
  }
}
