import Mediation
import Navigation
import SwitchyardTesting
import Testing

private struct LeafRoute: ParameterlessRoute {
  typealias Output = String
  static let pattern: RoutePattern = "estate://leaf"
}

@MainActor private final class Census {
  var made = 0
  var gone = 0
  var handles: [ScreenHandle<String>] = []
  weak var last: CountedScreen?
}

/// Stores its handle and its context, as real screens do, and counts its instances.
private final class CountedScreen: LineScreen {
  let title = "Leaf"
  let lines: [String] = []
  let handle: ScreenHandle<String>
  let context: RouteContext
  private let census: Census

  init(_ census: Census, _ handle: ScreenHandle<String>, _ context: RouteContext) {
    self.census = census
    self.handle = handle
    self.context = context
    census.made += 1
    census.last = self
  }

  isolated deinit { census.gone += 1 }
}

private struct LeafModule: BusinessModule {
  let name = "Leaf"
  let census: Census

  func declare(into table: inout RouteTable) {
    table.screen(LeafRoute.self) { [census] _, context, handle in
      census.handles.append(handle)
      return CountedScreen(census, handle, context)
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(5))) struct ScreenLifetimeTests {
  enum Leaving: CaseIterable {
    case pop, popToRoot, dismissAll, replace, root, tab, close, closeAll, finish, fail, cancel
  }

  @Test(
    "F19: After leaving, nothing retains the screen: no host, update, handle, caller or snapshot",
    arguments: Leaving.allCases)
  func released(leaving: Leaving) async throws {
    let host = RecordingHost()
    let census = Census()
    let navigator = Navigator(host: host, state: try NavigationState(tabs: ["a", "b"]))
    let mediator = try Mediator(
      schemes: ["estate"], modules: [LeafModule(census: census)],
      environment: RouteEnvironment(navigator: navigator))
    try navigator.show(TextScreen("bottom"), named: "bottom")
    let style: Presentation = [.dismissAll, .tab].contains(leaving) ? .present : .push
    let call = Task { try await mediator.call(LeafRoute(), as: style) }
    try await waitUntil("the second screen is shown") {
      navigator.snapshot().tabs[0].stack.count + navigator.snapshot().modals.count == 2
    }
    // The caller waits by now, so the host has the update, the test the handle, and the mediator the call.
    for _ in 0..<3 { await Task.yield() }
    let id = try #require(navigator.state.top).id
    #expect(census.last != nil && census.gone == 0)
    #expect(host.updates.last?.screen(id) != nil)

    switch leaving {
    case .pop: try navigator.perform(.pop)
    case .popToRoot: try navigator.perform(.popToRoot)
    case .dismissAll: try navigator.perform(.dismissAll)
    case .replace: try navigator.show(TextScreen("other"), named: "other", style: .replace)
    case .root: try navigator.show(TextScreen("other"), named: "other", style: .root)
    case .tab: try navigator.show(TextScreen("other"), named: "other", style: .tab("b"))
    case .close: try navigator.perform(.close(id))
    case .closeAll: try navigator.perform(.closeAll)
    case .finish: #expect(census.handles[0].finish("leaf"))
    case .fail: #expect(census.handles[0].fail(CancellationError()))
    case .cancel: call.cancel()
    }
    let result = await call.result
    #expect(navigator.screen(id) == nil)
    #expect(host.updates.allSatisfy { $0.screen(id) == nil })
    try await waitUntil("the screen is released") { census.gone > 0 }
    #expect(census.last == nil)
    #expect((census.made, census.gone) == (1, 1))
    #expect(!census.handles[0].finish("late") && !census.handles[0].isOpen)
    switch (leaving, result) {
    case (.finish, .success("leaf")): break
    case (.fail, .failure(RouteError.cancelled)), (.cancel, .failure(RouteError.cancelled)): break
    case (_, .failure(RouteError.dismissed)): #expect(![.finish, .fail, .cancel].contains(leaving))
    default: Issue.record("\(leaving): \(result)")
    }
  }

  @Test("F19: Neither a screen nor an update retains the navigator")
  func navigatorReleased() async throws {
    let host = RecordingHost()
    let census = Census()
    weak var gone: Navigator?
    var handle: ScreenHandle<String>?
    do {
      let navigator = Navigator(host: host)
      gone = navigator
      let mediator = try Mediator(
        schemes: ["estate"], modules: [LeafModule(census: census)],
        environment: RouteEnvironment(navigator: navigator))
      try await mediator.open("estate://leaf")
      handle = census.handles.first
      #expect(navigator.state.count == 1)
      // A screen that stores its context retains the mediator and thereby the navigator; closing breaks the
      // cycle.
      try navigator.perform(.closeAll)
    }
    #expect(gone == nil)
    #expect(census.gone == 1)
    #expect(handle?.finish("into the void") == false)
    #expect(host.updates.last?.topScreen == nil)
  }
}
