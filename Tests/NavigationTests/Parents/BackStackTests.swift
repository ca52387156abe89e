import Mediation
import Navigation
import SwitchyardTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct BackStackTests {
  private let navigator = Navigator()
  private let mediator: Mediator

  init() throws { mediator = try Self.mediator(navigator) }

  private static func mediator(_ navigator: Navigator) throws -> Mediator {
    try Mediator(
      schemes: ["estate"], hosts: ["estate.example"], modules: [VillaModule(), LoopModule()],
      environment: RouteEnvironment(navigator: navigator))
  }

  private var stack: [String] { navigator.state.currentStack.map(\.name) }

  @Test(
    "H13: One link builds the back stack below its screen, from the parents and their parents",
    arguments: ["estate://home/north/7", "https://estate.example/houses/7/north"])
  func link(_ url: String) async throws {
    try await mediator.receive(url, from: .push)
    #expect(stack == ["estate://home", "estate://home/north", url])
  }

  @Test("A parent that is shown already is revealed, and not shown twice")
  func revealed() async throws {
    try await mediator.receive("estate://home/north/7", from: .push)
    let first = navigator.state.currentStack.map(\.id)
    try await mediator.receive("estate://home/north/8", from: .push)
    #expect(stack == ["estate://home", "estate://home/north", "estate://home/north/8"])
    #expect(navigator.state.currentStack.map(\.id).prefix(2) == first.prefix(2))
    try await mediator.receive("estate://home/south/9", from: .push)
    #expect(stack == ["estate://home", "estate://home/south", "estate://home/south/9"])
    #expect(navigator.state.currentStack.first?.id == first.first)
  }

  @Test("Code of the app and a link of a page in the app open the screen alone")
  func fromScreens() async throws {
    try await mediator.open("estate://home/north/7")
    try await mediator.call(VillaRoute(district: "north", id: 8))
    try await mediator.receive("estate://home/north/9", from: .web(host: "estate.example"))
    #expect(stack == ["estate://home/north/7", "estate://home/north/8", "estate://home/north/9"])
  }

  @Test("A restored navigation has the back stack that the link built")
  func restored() async throws {
    try await mediator.receive("estate://home/north/7", from: .push)
    let other = Navigator()
    let restoration = try await other.restore(navigator.snapshot(), through: try Self.mediator(other))
    #expect(restoration.faults.isEmpty)
    #expect(other.state.currentStack.map(\.name) == stack)
  }

  @Test("A parent that a guard refuses is left out")
  func refused() async throws {
    try await mediator.receive("estate://home/closed/7", from: .push)
    #expect(stack == ["estate://home", "estate://home/closed/7"])
  }

  @Test("If the screen itself cannot be made, none of its parents is shown")
  func ownFailure() async throws {
    await #expect(throws: RouteError.self) {
      try await mediator.receive("estate://home/north/0", from: .push)
    }
    #expect(stack == [])
  }

  @Test(
    "Parents that cannot be shown are an error that names the routes, and nothing is shown",
    arguments: [
      ("estate://loop/a", "The parents of routes form a cycle: LoopRoute → LoopRoute → LoopRoute"),
      ("estate://deep/0", "More than 16 screens would be below DeepRoute: DeepRoute → DeepRoute"),
      ("estate://orphan", "ActionRoute, a parent of OrphanRoute, is not a screen; declare it"),
      ("estate://stray", "UndeclaredRoute, a parent of StrayRoute, is not a screen"),
    ])
  func misconfigured(_ url: String, _ message: String) async throws {
    let error = await #expect(throws: RouteError.self) { try await mediator.receive(url, from: .push) }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    #expect(stack == [])
  }

  @Test("A parent that only its own module may open is not shown by another module's link")
  func unexposed() async throws {
    let error = await #expect(throws: RouteError.self) {
      try await mediator.receive("estate://trespass", from: .push)
    }
    #expect(error?.description.contains("estate://private is not exposed to module Loops") == true)
    #expect(stack == [])
  }

  @Test("A screen that exists once is shown above its parents")
  func instance() async throws {
    try await mediator.receive("estate://video", from: .push)
    try await mediator.receive("estate://video", from: .push)
    #expect(stack == ["estate://home", "estate://video"])
  }

  @Test("A screen that exists once is shown once, even if another call shows it while its parents are opened")
  func instanceMeanwhile() async throws {
    let module = SlowParentModule()
    let mediator = try Mediator(
      schemes: ["estate"], modules: [module], environment: RouteEnvironment(navigator: navigator))
    let link = Task { try await mediator.receive("estate://once", from: .push) }
    try await module.opening.wait { $0 }
    try await mediator.call(OnceRoute())
    #expect(stack == ["estate://once"])
    let id = navigator.state.top?.id
    module.mayShow.update { $0 = true }
    try await link.value
    #expect(navigator.state.currentStack.map(\.id) == [id].compactMap(\.self))
  }
}
