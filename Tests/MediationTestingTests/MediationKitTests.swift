import Mediation
import MediationTesting
import Navigation
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct MediationKitTests {
  private struct FixedPrices: Prices {
    func price(of home: Int) -> Int { home + 500 }
  }

  static func kit() -> MediationKit {
    var kit = MediationKit(schemes: ["estate"], modules: [ListModule()])
    kit.stub(provider: (any Prices).self) { FixedPrices() }
    kit.stub(HomeRoute.self) { _, _ in }
    return kit
  }

  @Test("A module is tested with stubs, which record their calls")
  func stubs() async throws {
    var kit = MediationKit(schemes: ["estate"], modules: [ListModule()])
    kit.stub(provider: (any Prices).self) { FixedPrices() }
    let homes = kit.stub(HomeRoute.self) { _, context in #expect(context.opener == "estate://best") }
    let ratings = kit.stub(RatingRoute.self) { route, _ in route.judge(4) }
    let run = try kit.start()
    #expect(try await run.mediator.open("estate://best", returning: [Int].self) == [501, 40])
    #expect(homes.routes == [HomeRoute(id: 40)] && ratings.routes.count == 1)
    #expect(
      run.events.lines == [
        "opened BestRoute", "loaded Stubs.Prices", "opened RatingRoute by estate://best",
        "answered RatingRoute",
        "opened HomeRoute by estate://best", "answered HomeRoute", "answered BestRoute",
      ])
  }

  @Test("A need that no module and no stub provides is a fault")
  func unmetNeeds() throws {
    let kit = MediationKit(schemes: ["estate"], modules: [ListModule()])
    let issue = #expect(throws: RouteTableIssue.self) { _ = try kit.start() }
    #expect(
      issue?.faults.map(\.description) == [
        "Module Lists needs provider Prices, which is missing; list the module that provides it.",
        "Module Lists needs route HomeRoute, which is missing; list the module that declares it.",
      ])
    #expect(throws: Never.self) { _ = try Self.kit().start() }
  }

  @Test("A route that is stubbed and declared is a fault with the test's line")
  func stubbedTwice() throws {
    var kit = Self.kit()
    kit.stub(BestRoute.self, file: "T.swift", line: 5) { _, _ in [] }
    let issue = #expect(throws: RouteTableIssue.self) { _ = try kit.start() }
    #expect(issue?.description.contains("BestRoute \"estate://best\" in module Stubs (T.swift:5)") == true)
  }

  @Test(
    "F13: several URLs open one screen",
    arguments: ["estate://list/hot", "estate://questions/hot", "estate://newest"])
  func severalURLs(_ url: String) async throws {
    let run = try Self.kit().start()
    try await run.mediator.receive(url, from: .scheme("estate"))
    #expect(run.host.titles == ["\(url.hasSuffix("hot") ? "hot" : "all") at \(url)"])
    #expect(run.host.state?.currentStack.count == 1)
  }

  @Test("F14: a screen gets the URL, its parameters and the query's strings, and objects by a native route")
  func inputs() async throws {
    let run = try Self.kit().start()
    let url = "estate://list/a%20b?sort=up&x=1&x="
    try await run.mediator.open(url)
    let top = try #require(run.navigator.state.top)
    let screen = try #require(run.navigator.screen(top.id) as? ListScreen)
    #expect(screen.title == "a b at \(url)" && screen.query == ["sort=up", "x=1", "x="])
    try await run.mediator.call(ShownListRoute(homes: [3, 4]))
    #expect(run.host.titles.last == "[3, 4]")
  }

  @Test("The recording host does not retain screens")
  func recordingHost() async throws {
    let run = try Self.kit().start()
    try await run.mediator.open("estate://newest")
    try await run.mediator.open("estate://list/x")
    let top = try #require(run.navigator.state.top)
    weak let screen = run.navigator.screen(top.id) as? ListScreen
    #expect(screen != nil)
    try run.navigator.perform(.pop)
    #expect(screen == nil)
    #expect(run.host.renderings.count == 3 && run.host.state == run.navigator.state)
  }

  @Test("A test can wait for an event, and failures are recorded by name")
  func recorder() async throws {
    let run = try Self.kit().start()
    async let line = run.events.line { $0.hasPrefix("failed") }
    await #expect(throws: RouteError.self) { try await run.mediator.open("estate://nowhere") }
    #expect(await line.hasPrefix("failed estate://nowhere: No route matches estate://nowhere"))
    #expect(await run.events.line { _ in true } == run.events.lines[0])
    await run.mediator.deliver(.launch)
    #expect(run.events.moduleEvents.isEmpty && run.events.events.count == 1)
    run.events.clear()
    #expect(run.events.lines.isEmpty && run.events.events.isEmpty)
  }

  @Test("A provider that a screen uses is created when the screen is first shown")
  func lazyScreen() async throws {
    struct Album { let pictures: [String] }
    struct AlbumModule: BusinessModule {
      let name = "Albums"
      func declare(into table: inout RouteTable) {
        table.provide(Album.self) { _ in Album(pictures: ["a", "b"]) }
        table.screen(ListRoute.self) { route, context in
          ListScreen(title: "\(route.kind): \(try await context.provider(Album.self).pictures.count)")
        }
      }
    }
    let run = try MediationKit(schemes: ["estate"], modules: [AlbumModule()]).start()
    #expect(run.mediator.loadedObjects.isEmpty)
    try await run.mediator.open("estate://list/album")
    #expect(run.host.titles == ["album: 2"] && run.mediator.loadedObjects == ["Albums.Album"])
  }
}
