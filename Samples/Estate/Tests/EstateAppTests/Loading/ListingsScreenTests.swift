import ListingsRoutes
import Screens
import Switchyard
import SwitchyardTesting
import Testing

@testable import Listings

@Suite("The screen of a list", .timeLimit(.minutes(5)))
@MainActor struct ListingsScreenTests {
  private let houses = ScriptedHouses()

  private func cities(_ dispatcher: ScriptedDispatcher) -> [String] {
    dispatcher.requests.compactMap { request in
      request.head.path?.firstMatch(of: /city=(\w+)/).map { String($0.1) }
    }
  }

  @Test("Each letter of a search cancels the load before it, also one that the server has already received")
  func typing() async throws {
    let dispatcher = houses.dispatcher()
    let screen = ListingsScreen(
      HomeListing(
        ListingsRoute(kind: .house, city: ScriptedHouses.heldCity, page: 2),
        client: APIClient(dispatcher: dispatcher)))
    let first = Task { try await screen.listing.load() }
    await houses.holding()
    try await screen.listing.type("GALT")
    #expect(screen.title == "Houses in GALT: page 1 of 3, 25 in all")
    #expect(screen.lines.last == "4 loads before this one were cancelled.")
    // The first caller gets the list that replaced its own.
    try await first.value
    // The request that the server held ends only by its cancellation.
    try await waitUntil("the held request is cancelled") { houses.cancellations > 0 }
    #expect(cities(dispatcher).first == ScriptedHouses.heldCity && cities(dispatcher).contains("GALT"))
  }

  @Test("The next page replaces the page, and after the last one there is none")
  func nextPage() async throws {
    let screen = ListingsScreen(
      HomeListing(ListingsRoute(kind: .house), client: APIClient(dispatcher: houses.dispatcher())))
    let changes = Count()
    screen.onChange = { changes.value += 1 }
    try await screen.listing.load()
    try await screen.listing.showNextPage()
    try await screen.listing.showNextPage()
    #expect(screen.title == "Houses: page 3 of 3, 25 in all")
    #expect(screen.lines.map { $0.prefix(2) } == ["#3"])
    #expect(changes.value == 3)
    await #expect(throws: BrowsingFault.lastPage(3)) { try await screen.listing.showNextPage() }
  }

  @Test("Without a network the page stays, and the next one is loaded when the network returns")
  func reconnecting() async throws {
    let network = ReachabilityState()
    let screen = ListingsScreen(
      HomeListing(
        ListingsRoute(kind: .house),
        client: APIClient(
          dispatcher: houses.dispatcher(), reachability: network, storedState: { _ in .absent })))
    try await screen.listing.load()
    network.update(.offline)
    let failure = await #expect(throws: APIError.self) { try await screen.listing.showNextPage() }
    #expect(failure?.kind == .offline)
    #expect(screen.title == "Houses: page 1 of 3, 25 in all")
    await withCheckedContinuation { continuation in
      screen.onChange = { continuation.resume() }
      network.update(.online)
    }
    #expect(screen.title == "Houses: page 2 of 3, 25 in all")
  }

  @Test("A hook of the manager refuses late pages to guests, and not to members")
  func guestLimit() async throws {
    let route = ListingsRoute(kind: .house, page: GuestPageLimit.pages + 1)
    let guest = HomeListing(route, client: APIClient(dispatcher: houses.dispatcher()))
    let failure = await #expect(throws: APIError.self) { try await guest.load() }
    #expect(failure?.kind == .vetoed(by: "GuestPageLimit"))
    let member = ListingsScreen(
      HomeListing(route, client: APIClient(dispatcher: houses.dispatcher(), account: { "demo" })))
    try await member.listing.load()
    #expect(member.lines.count == 1)
  }

  @Test("Cancelling the caller cancels the load")
  func cancelling() async throws {
    let listing = HomeListing(
      ListingsRoute(kind: .house, city: ScriptedHouses.heldCity),
      client: APIClient(dispatcher: houses.dispatcher()))
    let load = Task { try await listing.load() }
    await houses.holding()
    load.cancel()
    let failure = await #expect(throws: APIError.self) { try await load.value }
    #expect(failure?.kind == .cancelled)
  }
}
