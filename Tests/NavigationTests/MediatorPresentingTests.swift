import Mediation
import Navigation
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct MediatorPresentingTests {
  let host = RecordingHost()
  let navigator: Navigator
  let mediator: Mediator

  init() throws {
    navigator = Navigator(host: host, state: try NavigationState(tabs: ["search", "mine", "0/1"]))
    mediator = try Mediator(
      schemes: ["estate"], modules: [HomeModule(handles: Handles())],
      environment: RouteEnvironment(navigator: navigator), web: .screen { url, _ in TextScreen(url.text) })
  }

  private func shape() -> String {
    let tabs = navigator.state.tabs.map { $0.name + ":" + $0.stack.map(\.name).joined(separator: ",") }
    let modals = navigator.state.modals.map { $0.map(\.name).joined(separator: ",") }
    return (tabs + modals).joined(separator: " | ").split(separator: "estate://home/").joined()
  }

  @Test("F18: A URL opens its screen pushed, in another tab, presented, in place of the top or of the stack")
  func byURL() async throws {
    try await mediator.open("estate://home/1")
    try await mediator.open("estate://home/2", as: .push)
    #expect(shape() == "search:1,2 | mine: | 0/1:")
    try navigator.perform(.pop)
    try await mediator.open("estate://home/3", as: .tab("mine"))
    #expect(shape() == "search:1 | mine:3 | 0/1:")
    #expect(navigator.state.selectedTab == "mine")
    try await mediator.open("estate://home/5", as: .present)
    try await mediator.open("estate://home/6", as: .present)
    try await mediator.open("estate://home/7", as: .replace)
    #expect(shape() == "search:1 | mine:3 | 0/1: | 5 | 7")
    try navigator.perform(.dismissAll)
    try await mediator.open("estate://home/8")
    try await mediator.open("estate://home/10", as: .root)
    #expect(shape() == "search:1 | mine:10 | 0/1:")
    try await mediator.open("https://a.example/x", as: .present)
    #expect(shape() == "search:1 | mine:10 | 0/1: | https://a.example/x")
  }

  @Test(
    "F18: A URL without a screen and a tab that does not exist are errors, and change nothing",
    arguments: [.push, .present, .replace, .root] as [Presentation])
  func nowhere(style: Presentation) async throws {
    try navigator.show(TextScreen("one"), named: "one")
    let before = navigator.state
    await #expect {
      try await mediator.open("estate://hoem/1", as: style)
    } throws: { error in
      if case RouteError.notFound = error { true } else { false }
    }
    await #expect(throws: (any Error).self) {
      try await mediator.open("estate://home/1", as: .tab("orders"))
    }
    #expect(navigator.state == before)
  }

  @Test(
    "F18: A link from outside names no tab, no command and no style",
    arguments: [
      "tab/mine", "back", "push/estate://home/1", "estate://tab/mine", "estate://back",
      "estate://present/estate://home/1",
      "estate://home/1 back", "root/estate://home/1",
    ])
  func outside(text: String) async throws {
    try navigator.show(TextScreen("one"), named: "one")
    let before = navigator.state
    await #expect(throws: RouteError.self) { try await mediator.receive(text, from: .scheme("estate")) }
    #expect(navigator.state == before)
  }

  @Test("A caller can choose how a screen is presented, for that screen only")
  func chosenStyle() async throws {
    try await mediator.call(DetailRoute(id: 1), as: .present)
    #expect(navigator.state.modals.count == 1)
    try await mediator.open("estate://home/2", as: .root)
    #expect(shape() == "search:2 | mine: | 0/1:")
    try await mediator.open("estate://home/3")
    #expect(navigator.state.modals.isEmpty)
  }
}
