import Mediation
import Navigation
import SwitchyardTesting
import Testing

private struct StartRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://root"
}

private struct ListRoute: Route, Codable {
  static let pattern: RoutePattern = "estate://list/{name}"
  let name: String
  var parents: [any Route] { [StartRoute()] }
}

private struct ItemRoute: Route, Codable {
  static let pattern: RoutePattern = "estate://list/{name}/{id:int}"
  static let exposure: Exposure = .link([.push])
  let name: String
  let id: Int
  var parents: [any Route] { [ListRoute(name: name)] }
}

private struct SingleRoute: Route, Codable {
  static let pattern: RoutePattern = "estate://once?at={second:int?}"
  static let exposure: Exposure = .link([.push])
  var second: Int?
  var parents: [any Route] { [StartRoute()] }
}

/// A screen whose parent exists once.
private struct AboveRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://above"
  static let exposure: Exposure = .link([.push])
  var parents: [any Route] { [SingleRoute()] }
}

/// Screens that take time to make.
private struct SlowModule: BusinessModule {
  let name = "Slow"
  let style: Presentation
  let once: TextScreen

  @MainActor init(_ style: Presentation) {
    self.style = style
    once = TextScreen("Once")
  }

  /// Suspends, so that other links run.
  private static func suspend() async { for _ in 0..<3 { await Task.yield() } }

  func declare(into table: inout RouteTable) {
    table.screen(StartRoute.self) { _, _ in
      await Self.suspend()
      return TextScreen("Root")
    }
    table.screen(ListRoute.self, style: style) { route, _ in
      await Self.suspend()
      return TextScreen(route.name)
    }
    table.screen(ItemRoute.self) { route, _ in
      await Self.suspend()
      return TextScreen("\(route.id)")
    }
    table.screen(SingleRoute.self, instance: once, style: style)
    table.screen(AboveRoute.self) { _, _ in
      await Self.suspend()
      return TextScreen("Above")
    }
  }
}

/// Links and calls that run at the same time, hundreds of times.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ArrivingTogetherTests {
  private static func app(_ style: Presentation) throws -> (Navigator, Mediator, SlowModule) {
    let navigator = Navigator(state: try NavigationState(tabs: ["one", "two"]))
    let module = SlowModule(style)
    let mediator = try Mediator(
      schemes: ["estate"], modules: [module], environment: RouteEnvironment(navigator: navigator))
    return (navigator, mediator, module)
  }

  /// Opens links from tasks that are not on the main actor, all at once.
  nonisolated private static func receive(_ urls: [String], _ mediator: Mediator) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for url in urls { group.addTask { try await mediator.receive(url, from: .push) } }
      try await group.waitForAll()
    }
  }

  @Test(
    "Links that arrive together show each parent once, in every round",
    arguments: [Presentation.push, .present, .tab("two"), .tab("one")])
  func parents(_ style: Presentation) async throws {
    for round in 0..<100 {
      let (navigator, mediator, _) = try Self.app(style)
      // Another spelling of the same list, another list, and the same item twice.
      let urls = [
        "estate://list/a/1", "ESTATE://List/%61/2?x=y", "estate://list/b/3", "estate://list/a/1",
        "estate://list/a/4",
      ]
      try await Self.receive(Array(urls.prefix(2 + round % 4)), mediator)
      let names = navigator.state.entries.map(\.name)
      #expect(names.count { $0 == "estate://root" } == 1, "\(names)")
      for list in ["estate://list/a", "estate://list/b"] {
        #expect(names.count { $0 == list } <= 1, "\(names)")
      }
      // In a tab of their own the lists of earlier links stay below, as after links that arrive one by one.
      if style != .tab("two") { #expect(names.count == 3, "\(names)") }
    }
  }

  @Test(
    "The stack after links that arrive together is that of one of them",
    arguments: [Presentation.push, .present])
  func whole(_ style: Presentation) async throws {
    for _ in 0..<100 {
      let (navigator, mediator, _) = try Self.app(style)
      try await Self.receive(["estate://list/a/1", "estate://list/b/2", "estate://list/c/3"], mediator)
      let stacks = ["a/1", "b/2", "c/3"].map { item in
        ["estate://root", "estate://list/\(item.prefix(1))", "estate://list/\(item)"]
      }
      #expect(stacks.contains(navigator.state.entries.map(\.name)), "\(navigator.state.entries.map(\.name))")
    }
  }

  @Test(
    "A screen that exists once is shown once, however it is reached at the same time",
    arguments: [Presentation.push, .present, .tab("two"), .root])
  func instance(_ style: Presentation) async throws {
    for _ in 0..<200 {
      let (navigator, mediator, module) = try Self.app(style)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await mediator.receive("estate://once", from: .push) }
        group.addTask { try await mediator.receive("ESTATE://once/?at=7", from: .push) }
        group.addTask { try await mediator.receive("estate://above", from: .push) }
        group.addTask { try await mediator.call(SingleRoute(second: 3)) }
        group.addTask { try await mediator.open("estate://once", as: .push) }
        try await group.waitForAll()
      }
      let shown = navigator.state.entries.filter { navigator.screen($0.id) as? TextScreen === module.once }
      #expect(shown.count == 1)
      #expect(navigator.state.entries.count { $0.name == "estate://root" } <= 1)
    }
  }

  @Test("A parent that is left while another link is prepared is shown again below it")
  func leftMeanwhile() async throws {
    for round in 0..<100 {
      let (navigator, mediator, _) = try Self.app(.push)
      try await mediator.receive("estate://list/a/1", from: .push)
      let link = Task.detached { try await mediator.receive("estate://list/a/2", from: .push) }
      for _ in 0..<round % 12 { await Task.yield() }
      try navigator.perform(.closeAll)
      try await link.value
      let names = navigator.state.entries.map(\.name)
      // The user left before the link was shown, or has left the link as well.
      #expect(
        names == ["estate://root", "estate://list/a", "estate://list/a/2"] || names.isEmpty, "\(names)")
    }
  }

  @Test("If there is no room for a screen and its parents, none of them is shown")
  func full() async throws {
    let navigator = Navigator(state: NavigationState(limit: 2))
    let mediator = try Mediator(
      schemes: ["estate"], modules: [SlowModule(.push)], environment: RouteEnvironment(navigator: navigator))
    await #expect(throws: RouteError.self) { try await mediator.receive("estate://list/a/1", from: .push) }
    #expect(navigator.state.count == 0)
  }

  @Test("A link shows its screen and its parents in one update")
  func oneUpdate() async throws {
    let host = RecordingHost()
    let navigator = Navigator(host: host)
    let mediator = try Mediator(
      schemes: ["estate"], modules: [SlowModule(.push)], environment: RouteEnvironment(navigator: navigator))
    try await mediator.receive("estate://list/a/1", from: .push)
    #expect(host.updates.map(\.changes.count) == [3])
    #expect(host.updates.first?.topScreen?.title == "1")
  }
}
