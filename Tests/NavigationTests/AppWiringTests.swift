import Mediation
import Navigation
import SwitchyardTesting
import Testing

// The contract target of a module contains routes only.

private struct HouseRoute: Route {
  static let pattern: RoutePattern = "estate://home/{id:int}"
  static let exposure: Exposure = .link([.scheme("estate")])
  let id: Int
  init(id: Int) { self.id = id }
  init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

private struct PriceRoute: Route {
  typealias Output = Int
  static let pattern: RoutePattern = "estate://price/{id:int}"
  let id: Int
  init(id: Int) { self.id = id }
  init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

private struct LoginRoute: ParameterlessRoute {
  typealias Output = Bool
  static let pattern: RoutePattern = "estate://login"
}

// The modules.

private struct HouseModule: BusinessModule {
  let name = "House"
  let prices: [Int: Int]

  func declare(into table: inout RouteTable) {
    table.screen(HouseRoute.self, guards: [LoginGuard()]) { route, context in
      let price = try await context.call(PriceRoute(id: route.id))
      return TextScreen("House \(route.id)", ["costs \(price)"])
    }
    table.action(PriceRoute.self) { [prices] route, _ in prices[route.id] ?? 0 }
  }
}

private struct LoginGuard: RouteGuard {
  let id = "login"
  func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
    .detour("estate://login")
  }
}

private struct AccountModule: BusinessModule {
  let name = "Account"
  let handles: LoginHandles

  func declare(into table: inout RouteTable) {
    table.screen(LoginRoute.self, style: .present) { [handles] _, _, handle in
      handles.login = handle
      return TextScreen("Log in")
    }
  }
}

@MainActor private final class LoginHandles {
  var login: ScreenHandle<Bool>?
}

@MainActor @Suite(.timeLimit(.minutes(5))) struct AppWiringTests {
  @Test(
    "F16: A link that needs a login opens its screen after the login, or fails if that is dismissed",
    arguments: [true, false])
  func loginGate(agrees: Bool) async throws {
    let host = RecordingHost()
    let handles = LoginHandles()
    let navigator = Navigator(host: host)
    let mediator = try Mediator(
      schemes: ["estate"], modules: [HouseModule(prices: [7: 450_000]), AccountModule(handles: handles)],
      environment: RouteEnvironment(navigator: navigator))

    let link = Task { try await mediator.receive("estate://home/7", from: .scheme("estate")) }
    try await waitUntil("the login is shown") { navigator.state.top?.name == "estate://login" }
    #expect(host.updates.last?.topScreen?.title == "Log in")
    if agrees {
      handles.login?.finish(true)
      try await link.value
      #expect(host.page == ["costs 450000"])
      #expect(navigator.state.entries.map(\.name) == ["estate://home/7"])
    } else {
      try navigator.perform(.dismiss)
      await #expect(throws: RouteError.self) { try await link.value }
      #expect(navigator.state.entries.isEmpty)
    }
  }

  @Test("A style chosen by the caller does not apply to a login that a guard requires")
  func chosenStyle() async throws {
    let handles = LoginHandles()
    let navigator = Navigator(host: RecordingHost())
    let mediator = try Mediator(
      schemes: ["estate"], modules: [HouseModule(prices: [:]), AccountModule(handles: handles)],
      environment: RouteEnvironment(navigator: navigator))
    let call = Task { try await mediator.call(HouseRoute(id: 7), as: .root) }
    try await waitUntil("the login is presented") { handles.login != nil && !navigator.state.modals.isEmpty }
    #expect(navigator.state.modals.map { $0.map(\.name) } == [["estate://login"]])
    handles.login?.finish(true)
    try await call.value
    #expect(navigator.state.entries.map(\.name) == ["estate://home/7"])
    #expect(navigator.state.modals.isEmpty)
  }

  private struct MovedModule: BusinessModule {
    let name = "Moved"
    func declare(into table: inout RouteTable) {
      table.screen(OldHouseRoute.self, guards: [MovedGuard()]) { _, _ in TextScreen("Old") }
      table.screen(TourRoute.self) { _, context in
        try await context.call(PageRoute(number: 2))
        return TextScreen("Tour")
      }
      table.screen(PageRoute.self) { route, _ in TextScreen("Page \(route.number)") }
    }
  }

  private struct MovedGuard: RouteGuard {
    let id = "moved"
    func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
      switch target.parameters["id"] {
      case "7": .redirect("estate://old/70")
      case "8": .redirect("estate://page/80")
      default: .proceed
      }
    }
  }

  @Test("A style chosen by the caller applies neither after a redirect nor to a screen on the way")
  func styleOfOthers() async throws {
    let navigator = Navigator(host: RecordingHost())
    let mediator = try Mediator(
      schemes: ["estate"], modules: [MovedModule()], environment: RouteEnvironment(navigator: navigator))
    try await mediator.call(OldHouseRoute(id: 7), as: .present)
    try await mediator.open("estate://old/8", as: .present)
    #expect(navigator.state.modals.isEmpty)
    #expect(navigator.state.currentStack.map(\.name) == ["estate://old/70", "estate://page/80"])

    try await mediator.call(TourRoute(), as: .present)
    #expect(navigator.state.modals.map { $0.map(\.name) } == [["estate://tour"]])
    #expect(navigator.state.tabs[0].stack.last?.name == "estate://page/2")
  }
}

private struct OldHouseRoute: Route {
  static let pattern: RoutePattern = "estate://old/{id:int}"
  let id: Int
  init(id: Int) { self.id = id }
  init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

private struct PageRoute: Route {
  static let pattern: RoutePattern = "estate://page/{number:int}"
  let number: Int
  init(number: Int) { self.number = number }
  init(from input: RouteInput) throws(RouteError) { number = try input.value("number") }
  func write(to output: inout RouteOutput) { output.set("number", to: number) }
}

private struct TourRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://tour"
}
