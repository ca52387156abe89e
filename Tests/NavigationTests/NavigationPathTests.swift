import Mediation
import Navigation
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct NavigationPathTests {
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

  @Test("F18: Push, present, pop, tab and slide by path")
  func steps() async throws {
    func follow(_ path: String) async throws -> String {
      try await navigator.follow(path, through: mediator)
      return shape()
    }
    #expect(try await follow("estate://home/1 push/estate://home/2") == "search:1,2 | mine: | 0/1:")
    #expect(try await follow("back") == "search:1 | mine: | 0/1:")
    #expect(try await follow("tab/mine push/estate://home/3") == "search:1 | mine:3 | 0/1:")
    #expect(navigator.state.selectedTab == "mine")
    #expect(try await follow("slide/0/1 estate://home/4") == "search:1 | mine:3 | 0/1:4")
    #expect(navigator.state.selectedTab == "0/1")
    #expect(try await follow("present/estate://home/5") == "search:1 | mine:3 | 0/1:4 | 5")
    #expect(
      try await follow("present/estate://home/6 replace/estate://home/7")
        == "search:1 | mine:3 | 0/1:4 | 5 | 7")
    #expect(try await follow("dismiss") == "search:1 | mine:3 | 0/1:4 | 5")
    #expect(
      try await follow("dismiss/all  estate://home/8 estate://home/9") == "search:1 | mine:3 | 0/1:4,8,9")
    #expect(try await follow("back/estate://home/8") == "search:1 | mine:3 | 0/1:4,8")
    #expect(try await follow("back/root") == "search:1 | mine:3 | 0/1:4")
    #expect(try await follow("root/estate://home/10") == "search:1 | mine:3 | 0/1:10")
    #expect(try await follow("close/all") == "search: | mine: | 0/1:")
    #expect(try await follow("present/https://a.example/x") == "search: | mine: | 0/1: | https://a.example/x")
  }

  @Test(
    "F18: An invalid step is an error that lists the valid ones, and no step is performed",
    arguments: [
      "tap/mine", "tab", "tab/", "back/", "push", "push/", "/", "close", "dismiss/most", "present/",
      "TAB/mine",
    ])
  func unknown(step: String) async {
    await #expect(throws: NavigationPathError.unknown(step)) {
      try await navigator.follow("estate://home/1 \(step)", through: mediator)
    }
    #expect(navigator.state.count == 0)
    #expect(NavigationPathError.unknown(step).description.contains("slide/NAME"))
  }

  @Test("F18: A path to a place that does not exist is an error")
  func nowhere() async throws {
    await #expect(throws: NavigationError.unknownTab("orders", known: ["search", "mine", "0/1"])) {
      try await navigator.follow("tab/orders", through: mediator)
    }
    await #expect(throws: NavigationError.unknownName("estate://home/9")) {
      try await navigator.follow("back/estate://home/9", through: mediator)
    }
    await #expect(throws: NavigationError.nothingBelow) {
      try await navigator.follow("back", through: mediator)
    }
    await #expect {
      try await navigator.follow("push/estate://hoem/1", through: mediator)
    } throws: { error in
      if case RouteError.notFound = error { true } else { false }
    }
    #expect(navigator.state.count == 0)
  }

  @Test("The length and the number of steps are limited")
  func limits() {
    #expect(throws: NavigationPathError.empty) { try NavigationPath("   ") }
    #expect(throws: NavigationPathError.tooLong(limit: 8_192)) {
      try NavigationPath("tab/" + String(repeating: "a", count: 8_192))
    }
    #expect(throws: NavigationPathError.tooMany(limit: 16)) {
      try NavigationPath(Array(repeating: "back", count: 17).joined(separator: " "))
    }
    #expect(throws: Never.self) {
      try NavigationPath(Array(repeating: "back", count: 16).joined(separator: " "))
    }
  }

  @Test(
    "F18: Text from outside is never followed as a path",
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
