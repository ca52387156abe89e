import Mediation
import Navigation
import SwitchyardTesting
import Testing

/// What the app's host needs of a screen; an app would refine the protocol like this.
protocol LineScreen: Screen {
  var lines: [String] { get }
}

final class TextScreen: LineScreen {
  let title: String
  let lines: [String]

  init(_ title: String, _ lines: [String] = []) {
    self.title = title
    self.lines = lines
  }
}

@MainActor final class RecordingHost: NavigationHost {
  var updates: [NavigationUpdate] = []
  var onRender: (NavigationUpdate) -> Void = { _ in }

  func render(_ update: NavigationUpdate) {
    updates.append(update)
    onRender(update)
  }

  var page: [String] { (updates.last?.topScreen as? any LineScreen)?.lines ?? [] }
}

struct DetailRoute: Route {
  static let pattern: RoutePattern = "estate://home/{id:int}"
  static let exposure: Exposure = .link([.scheme("estate")])
  let id: Int
  init(id: Int) { self.id = id }
  init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

struct PickRoute: ParameterlessRoute {
  typealias Output = String
  static let pattern: RoutePattern = "estate://pick"
  static let exposure: Exposure = .link([.scheme("estate")])
}

struct CountRoute: ParameterlessRoute {
  typealias Output = Int
  static let pattern: RoutePattern = "estate://count"
}

@MainActor final class Handles {
  var picked: [ScreenHandle<String>] = []
  var immediate: String?
  var counted: [Bool] = []
}

struct HomeModule: BusinessModule {
  let name = "Home"
  let handles: Handles

  func declare(into table: inout RouteTable) {
    table.screen(DetailRoute.self) { route, _ in
      TextScreen("House \(route.id)", ["house \(route.id)"])
    }
    table.screen(PickRoute.self, style: .present) { [handles] _, _, handle in
      if let immediate = handles.immediate {
        handles.counted = [handle.finish(immediate), handle.finish("second"), handle.isOpen]
      }
      handles.picked.append(handle)
      return TextScreen("Pick")
    }
    table.action(CountRoute.self) { _, _ in 3 }
  }
}

@MainActor @Suite(.timeLimit(.minutes(5))) struct NavigatorTests {
  let host = RecordingHost()
  let handles = Handles()
  let navigator: Navigator
  let mediator: Mediator

  init() throws {
    navigator = Navigator(host: host)
    mediator = try Mediator(
      schemes: ["estate"], modules: [HomeModule(handles: handles)],
      environment: RouteEnvironment(navigator: navigator),
      web: RouteFallback { url, context in
        try await context[NavigatorKey.self]?.show(TextScreen("Web", ["page \(url.text)"]), named: url.text)
      })
  }

  private func errorName(_ task: Task<String, any Error>) async -> String {
    switch await task.result {
    case .success(let value): value
    case .failure(RouteError.dismissed): "dismissed"
    case .failure(RouteError.cancelled): "cancelled"
    case .failure(let error): "\(error)"
    }
  }

  @Test("G5: A URL string opens a screen, an action with a typed result, or a web page")
  func urlToAnything() async throws {
    try await mediator.receive("estate://home/42", from: .scheme("estate"))
    #expect(host.page == ["house 42"])
    #expect(try await mediator.open("estate://count", returning: Int.self) == 3)
    #expect(host.updates.count == 1)
    try await mediator.open("https://elsewhere.example/page?x=100%")
    #expect(host.page == ["page https://elsewhere.example/page?x=100%"])
    #expect(
      navigator.state.entries.map(\.name) == ["estate://home/42", "https://elsewhere.example/page?x=100%"])
  }

  @Test("The result of a screen reaches its caller once, and the screen closes")
  func result() async throws {
    let call = Task { try await mediator.call(PickRoute()) }
    try await waitUntil("the screen is shown") { handles.picked.count == 1 && navigator.state.top != nil }
    #expect(navigator.state.modals.count == 1)
    await Task.yield()
    #expect(handles.picked[0].finish("red"))
    #expect(!handles.picked[0].finish("blue"))
    #expect(try await call.value == "red")
    #expect(navigator.state.entries.isEmpty)
    #expect(
      host.updates.last?.changes == [
        .removed([NavigationEntry(id: handles.picked[0].id, name: "estate://pick", url: "estate://pick")])
      ])
  }

  @Test("Leaving a screen without a result dismisses it once")
  func leaving() async throws {
    let call = Task { try await mediator.open("estate://pick", returning: String.self) }
    try await waitUntil("a screen is shown") { navigator.state.top != nil }
    try navigator.perform(.pop)
    #expect(!handles.picked[0].finish("late"))
    #expect(await errorName(call) == "dismissed")
    #expect(throws: NavigationError.nothingBelow) { try navigator.perform(.pop) }
  }

  @Test("Closing an entry dismisses every waiting screen above it")
  func closingBelow() async throws {
    try await mediator.open("estate://home/1")
    let first = Task { try await mediator.call(PickRoute()) }
    try await waitUntil("the first screen is presented") {
      handles.picked.count == 1 && navigator.state.modals.count == 1
    }
    let second = Task { try await mediator.call(PickRoute()) }
    try await waitUntil("the second screen is presented") {
      handles.picked.count == 2 && navigator.state.modals.count == 2
    }
    let below = try #require(navigator.state.tabs[0].stack.first)
    try navigator.perform(.close(below.id))
    #expect(await errorName(first) == "dismissed")
    #expect(await errorName(second) == "dismissed")
    #expect(navigator.state.entries.isEmpty)
  }

  @Test("Cancelling the caller closes the screen")
  func cancelling() async throws {
    let call = Task { try await mediator.call(PickRoute()) }
    try await waitUntil("a screen is shown") { navigator.state.top != nil }
    call.cancel()
    #expect(await errorName(call) == "cancelled")
    #expect(navigator.state.entries.isEmpty)
    #expect(!handles.picked[0].finish("late"))
  }

  @Test("With a result given before the screen is shown, nothing is shown")
  func immediateResult() async throws {
    handles.immediate = "at once"
    #expect(try await mediator.call(PickRoute()) == "at once")
    #expect(handles.counted == [true, false, false])
    #expect(host.updates.isEmpty)
  }

  @Test("A host that dismisses a screen while rendering it dismisses the call")
  func dismissedWhileRendering() async throws {
    host.onRender = { [navigator] update in
      if case .presented? = update.changes.first { try? navigator.perform(.dismiss) }
    }
    let call = Task { try await mediator.call(PickRoute()) }
    #expect(await errorName(call) == "dismissed")
    #expect(navigator.state.entries.isEmpty)
  }

  @Test("A link does not wait for the result of its screen, which can still finish")
  func linkDoesNotWait() async throws {
    try await mediator.receive("estate://pick", from: .scheme("estate"))
    #expect(navigator.state.modals.count == 1)
    #expect(handles.picked[0].finish("not awaited"))
    #expect(navigator.state.entries.isEmpty)
    #expect(!handles.picked[0].finish("again"))
  }

  @Test("F5: The declaration decides the presentation, whatever the URL contains")
  func presentation() async throws {
    try await mediator.open("estate://home/1?style=present&presentation=root&jumpType=modal#present")
    try await mediator.open("estate://home/2#root")
    #expect(navigator.state.tabs[0].stack.count == 2)
    #expect(navigator.state.modals.isEmpty)
  }

  @Test("F19: A screen lives exactly as long as its entry")
  func lifetime() async throws {
    let id: EntryID
    weak var screen: TextScreen?
    do {
      let made = TextScreen("gone")
      screen = made
      _ = try navigator.show(TextScreen("first"), named: "first")
      id = try navigator.show(made, named: "second")
    }
    host.updates = []
    #expect(screen != nil)
    #expect(navigator.screen(id) != nil)
    try navigator.perform(.pop)
    host.updates = []
    #expect(screen == nil)
    #expect(navigator.screen(id) == nil)
  }

  @Test("An entry without a screen is not shown")
  func unknownEntry() {
    let stranger = NavigationEntry(id: EntryID(99), name: "stranger")
    #expect(throws: NavigationError.unknownEntry(EntryID(99))) {
      try navigator.perform(.show(stranger, .push))
    }
    #expect(host.updates.isEmpty)
  }

  @Test("A mediator without a navigator is refused with the remedy")
  func missingNavigator() throws {
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: [HomeModule(handles: handles)])
    }
    #expect(issue.faults.count == 2)
    #expect(issue.description.contains("DetailRoute \"estate://home/{id:int}\" in module Home"))
    #expect(issue.description.contains("build the mediator with environment: RouteEnvironment(navigator: …)"))
  }
}
