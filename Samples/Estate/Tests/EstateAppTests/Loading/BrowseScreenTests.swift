import ListingsRoutes
import Screens
import Switchyard
import SwitchyardTesting
import Testing

@testable import Listings

@Suite("The screen of a list that grows page by page", .timeLimit(.minutes(5)))
@MainActor struct BrowseScreenTests {
  private func screen(_ dispatcher: ScriptedDispatcher, city: String? = nil) -> BrowseScreen {
    BrowseScreen(
      BrowseRoute(city: city), client: APIClient(dispatcher: dispatcher), showsAllPlaces: false)
  }

  /// The numbers of the homes that a screen shows.
  private func homes(_ screen: BrowseScreen) -> [Int] {
    screen.lines.compactMap { $0.prefixMatch(of: /#(\d+)/).flatMap { Int($0.1) } }
  }

  @Test("The next page is added below the others, and after the last one there is none")
  func nextPage() async throws {
    let screen = screen(ListedHouses(1...25).dispatcher())
    let changes = Count()
    screen.onChange = { changes.value += 1 }
    try await screen.load()
    #expect(screen.title == "Houses" && homes(screen) == Array(1...10))
    #expect(screen.lines.last == "10 of 25 homes, page 1")
    try await screen.showMore()
    #expect(screen.lines.first == "… and 10 above" && homes(screen) == Array(11...20))
    #expect(screen.lines.last == "20 of 25 homes, page 2")
    try await screen.showMore()
    #expect(screen.lines.first == "… and 15 above" && homes(screen) == Array(16...25))
    #expect(screen.lines.suffix(2) == ["25 of 25 homes, page 3", "This is the last page."])
    #expect(changes.value == 3)
    await #expect(throws: BrowsingFault.lastPage(3)) { try await screen.showMore() }
  }

  @Test("A home that the server moves to the next page is shown once, and a refresh shows the list as it is")
  func changedList() async throws {
    let houses = ListedHouses(1...25)
    let dispatcher = houses.dispatcher()
    let screen = screen(dispatcher)
    try await screen.load()
    houses.add(100)
    try await screen.showMore()
    #expect(homes(screen) == Array(10...19))
    #expect(
      screen.lines.suffix(2) == [
        "19 of 26 homes, page 2", "The list has changed meanwhile; homes received twice and shown once: 1",
      ])
    try await screen.refresh()
    #expect(homes(screen) == [100] + Array(1...9))
    #expect(screen.lines.last == "10 of 26 homes, page 1")
    houses.add(101)
    houses.add(102)
    try await screen.showMore()
    #expect(screen.lines.first == "… and 8 above" && homes(screen) == Array(8...17))
    #expect(screen.lines.last == "The list has changed meanwhile; homes received twice and shown once: 2")
    #expect(dispatcher.requests.map(\.context.cacheRule.mode) == [.useFresh, .useFresh, .reload, .reload])
  }

  @Test("A filter cancels the request before it, also one that the server has already received")
  func filter() async throws {
    let houses = ScriptedHouses()
    let dispatcher = houses.dispatcher()
    let screen = screen(dispatcher)
    try await screen.load()
    let first = Task { try await screen.filter(FilterHomesRoute(city: ScriptedHouses.heldCity)) }
    await houses.holding()
    try await screen.filter(FilterHomesRoute(city: "GALT", beds: 3))
    #expect(screen.title == "Houses in GALT with 3 bedrooms or more")
    #expect(homes(screen) == [1])
    // The first caller gets the list that replaced its own.
    try await first.value
    // The request that the server held ends only by its cancellation.
    try await waitUntil("the held request is cancelled") { houses.cancellations > 0 }
    #expect(screen.title == "Houses in GALT with 3 bedrooms or more" && homes(screen) == [1])
    #expect(dispatcher.requests.last?.head.path?.contains("beds=3") == true)
  }

  @Test("A page that fails leaves the list as it is, and the next call loads it again")
  func failure() async throws {
    let houses = ListedHouses(1...15)
    let screen = screen(houses.dispatcher())
    try await screen.load()
    houses.setDown(true)
    for _ in 0..<2 {
      let failure = await #expect(throws: APIError.self) { try await screen.showMore() }
      #expect(failure?.kind == .status(503))
      #expect(homes(screen) == Array(1...10))
      #expect(screen.lines.dropFirst(10).first == "10 of 15 homes, page 1")
      #expect(screen.lines.last == "Say estate://browse/more to try again.")
    }
    houses.setDown(false)
    try await screen.showMore()
    #expect(screen.lines.suffix(2) == ["15 of 15 homes, page 2", "This is the last page."])
  }

  @Test("After a refresh that fails the next call refreshes again")
  func failedRefresh() async throws {
    let houses = ListedHouses(1...15)
    let screen = screen(houses.dispatcher())
    try await screen.load()
    houses.setDown(true)
    await #expect(throws: APIError.self) { try await screen.refresh() }
    #expect(homes(screen) == Array(1...10))
    houses.setDown(false)
    houses.add(100)
    try await screen.showMore()
    #expect(homes(screen) == [100] + Array(1...9))
  }

  @Test("A search without a match says so")
  func noMatch() async throws {
    let screen = screen(ListedHouses(nil).dispatcher())
    try await screen.load()
    #expect(screen.lines == ["No home matches; ask for less."])
  }

  @Test("Cancelling the caller cancels the page")
  func cancelling() async throws {
    let houses = ScriptedHouses()
    let screen = screen(houses.dispatcher(), city: ScriptedHouses.heldCity)
    let load = Task { try await screen.load() }
    await houses.holding()
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    try await waitUntil("the held request is cancelled") { houses.cancellations > 0 }
  }
}
