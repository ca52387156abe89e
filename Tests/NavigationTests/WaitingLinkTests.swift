import Mediation
import Navigation
import SwitchyardTesting
import Testing

private struct ListRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://list"
  static let exposure: Exposure = .link([.push])
}

private struct ItemRoute: Route, Codable {
  static let pattern: RoutePattern = "estate://item/{id:int}"
  static let exposure: Exposure = .link([.push])
  let id: Int
  var parents: [any Route] { [ListRoute()] }
}

/// Needs a sign-in.
private struct OrderRoute: Route, Codable {
  static let pattern: RoutePattern = "estate://order/{id:int}"
  static let exposure: Exposure = .link([.push])
  let id: Int
}

private struct LoginRoute: ParameterlessRoute {
  typealias Output = Bool
  static let pattern: RoutePattern = "estate://login"
}

private struct ChooseRoute: ParameterlessRoute {
  typealias Output = Int
  static let pattern: RoutePattern = "estate://pick"
}

/// Asks the user for an item and opens it.
private struct AskRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://ask"
  static let exposure: Exposure = .link([.push])
}

@MainActor private final class Questions {
  var logins: [ScreenHandle<Bool>] = []
  var picks: [ScreenHandle<Int>] = []
}

private struct MembersOnly: RouteGuard {
  let id = "members"
  func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
    .detour("estate://login")
  }
}

private struct ShopModule: BusinessModule {
  let name = "Shop"
  let questions: Questions

  func declare(into table: inout RouteTable) {
    table.screen(ListRoute.self) { _, _ in TextScreen("List") }
    table.screen(ItemRoute.self) { route, _ in TextScreen("Item \(route.id)") }
    table.screen(OrderRoute.self, guards: [MembersOnly()]) { route, _ in TextScreen("Order \(route.id)") }
    table.screen(LoginRoute.self, style: .present) { [questions] _, _, handle in
      questions.logins.append(handle)
      return TextScreen("Login")
    }
    table.screen(ChooseRoute.self, style: .present) { [questions] _, _, handle in
      questions.picks.append(handle)
      return TextScreen("Pick")
    }
    table.action(AskRoute.self) { _, context in
      let id = try await context.call(ChooseRoute())
      try await context.call(ItemRoute(id: id))
    }
  }
}

/// Links that wait for what the user does on a screen.
@MainActor @Suite(.timeLimit(.minutes(5))) struct WaitingLinkTests {
  private let questions = Questions()
  private let navigator = Navigator()
  private let mediator: Mediator

  init() throws {
    mediator = try Mediator(
      schemes: ["estate"], modules: [ShopModule(questions: questions)],
      environment: RouteEnvironment(navigator: navigator), links: LinkQueuePolicy())
  }

  /// Receives two links before the app is ready, and then lets them open.
  private func receive(_ first: String, _ second: String) async throws -> [Task<Void, any Error>] {
    let recorder = LinkRecorder()
    let mediator = try Mediator(
      schemes: ["estate"], modules: [ShopModule(questions: questions)], observers: [recorder],
      environment: RouteEnvironment(navigator: navigator), links: LinkQueuePolicy())
    var links: [Task<Void, any Error>] = []
    for url in [first, second] {
      links.append(Task { try await mediator.receive(url, from: .push) })
      let count = links.count
      try await recorder.waiting.wait { $0 == count }
    }
    mediator.ready()
    return links
  }

  private final class LinkRecorder: RouteObserver {
    let waiting = WaitableValue(0)
    func observe(_ event: RouteEvent) {
      if case .linkWaits = event { waiting.update { $0 += 1 } }
    }
  }

  private var names: [String] { navigator.state.entries.map(\.name) }

  @Test("While a link waits for a sign-in the next one opens, and afterwards the first")
  func signIn() async throws {
    let links = try await receive("estate://order/1", "estate://list")
    try await links[1].value
    try await waitUntil("the sign-in is shown") { questions.logins.count == 1 && navigator.state.count == 2 }
    #expect(Set(names) == ["estate://login", "estate://list"])
    questions.logins[0].finish(true)
    try await links[0].value
    #expect(names.filter { $0 != "estate://list" } == ["estate://order/1"])
  }

  @Test("A link that closes the sign-in of an earlier one refuses that one, which opens nothing later")
  func left() async throws {
    try await mediator.open("estate://list")
    let links = try await receive("estate://order/1", "estate://order/2")
    try await waitUntil("the sign-in is shown") { questions.logins.count == 1 && navigator.state.count == 2 }
    // Of the two the later one waits.
    let superseded = await #expect(throws: RouteError.self) { try await links[0].value }
    #expect(superseded == .linkSuperseded(waitingFor: "estate://login"))
    mediator.ready()
    try await mediator.receive("estate://item/7", from: .push)
    let left = await #expect(throws: RouteError.self) { try await links[1].value }
    guard case .rejected(by: "members", _)? = left else {
      Issue.record("\(String(describing: left))")
      return
    }
    #expect(names == ["estate://list", "estate://item/7"])
    #expect(questions.logins.count == 1 && !questions.logins[0].finish(true))
    #expect(names == ["estate://list", "estate://item/7"])
  }

  @Test("While the code of a link waits for the result of a screen the next link opens")
  func result() async throws {
    let links = try await receive("estate://ask", "estate://list")
    try await links[1].value
    try await waitUntil("the picker is shown") { questions.picks.count == 1 && navigator.state.count == 2 }
    questions.picks[0].finish(5)
    try await links[0].value
    #expect(names.contains("estate://item/5"))
    #expect(!names.contains("estate://pick"))
  }
}
