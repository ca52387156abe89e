import Foundation
import Mediation
import Navigation
import SwitchyardTesting
import Testing

private struct MembersRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://members"
}
private struct LoginRoute: ParameterlessRoute {
  typealias Output = Bool
  static let pattern: RoutePattern = "estate://login"
}
private struct LogoutRoute: ParameterlessRoute {
  typealias Output = Bool
  static let pattern: RoutePattern = "estate://logout"
}
private struct SplashRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://splash"
}
private struct EditRoute: NativeRoute {}

/// Called by value, as by a fallback.
private struct ArticleRoute: NativeRoute {
  let url: String
}
private final class ArticleScreen: AddressedScreen {
  let title = "Article"
  let address: String
  init(_ address: String) { self.address = address }
}

@MainActor private final class Facts {
  var isMember = true
  var logouts = 0
  var made: [String] = []
  var gate: (@MainActor () async -> Void)?
}

private struct MembersOnly: RouteGuard {
  let id = "members"
  let facts: Facts
  func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
    await facts.isMember ? .proceed : .detour("estate://login")
  }
}

private struct ShopModule: BusinessModule {
  let name = "Shop"
  let facts: Facts

  func declare(into table: inout RouteTable) {
    table.screen(DetailRoute.self) { [facts] route, context in
      facts.made.append(context.url?.text ?? "")
      await facts.gate?()
      return TextScreen("House \(route.id)")
    }
    table.screen(MembersRoute.self, guards: [MembersOnly(facts: facts)]) { _, _ in TextScreen("Members") }
    table.screen(LoginRoute.self, style: .present) { _, _, _ in TextScreen("Login") }
    table.screen(EditRoute.self) { _, _, _ in TextScreen("Edit") }
    table.screen(SplashRoute.self) { _, _, handle in
      handle.finish()
      return TextScreen("Splash")
    }
    table.action(LogoutRoute.self) { [facts] _, _ in
      await MainActor.run { facts.logouts += 1 }
      return true
    }
    table.screen(ArticleRoute.self) { route, _, _ in ArticleScreen(route.url) }
    table.screen(under: "https://news.example") { url, _ in TextScreen("News \(url.text)") }
  }
}

@MainActor @Suite(.timeLimit(.minutes(5))) struct NavigatorRestoringTests {
  private let facts = Facts()

  private func app(
    tabs: [String] = ["search", "mine"], limit: Int = 1_000
  ) throws -> (Navigator, Mediator, RecordingHost) {
    let host = RecordingHost()
    let navigator = Navigator(host: host, state: try NavigationState(tabs: tabs, limit: limit))
    let mediator = try Mediator(
      schemes: ["estate"], modules: [ShopModule(facts: facts)],
      environment: RouteEnvironment(navigator: navigator),
      web: .screen { url, _ in TextScreen("Web \(url.text)") })
    return (navigator, mediator, host)
  }

  private func snapshot(_ urls: String..., tab: String = "search") throws -> NavigationSnapshot {
    try NavigationSnapshot(
      tabs: [.init(name: tab, stack: urls.map { .init(name: $0, url: $0) })], selectedTab: tab, modals: [])
  }

  private func shape(_ state: NavigationState) -> [[String]] {
    state.tabs.map { $0.stack.map(\.name) } + state.modals.map { $0.map(\.name) }
  }

  @Test("F18: Tabs, stacks and presented screens are restored from an encoded snapshot through the mediator")
  func roundTrip() async throws {
    let (navigator, mediator, _) = try app()
    try await mediator.open("estate://home/1")
    try await mediator.open("estate://home/2")
    try navigator.perform(.select(tab: "mine"))
    try await mediator.open("estate://members")
    try await mediator.open("https://elsewhere.example/a?b=c", as: .present)
    try await mediator.open("https://news.example/today")
    let bytes = try JSONEncoder().encode(navigator.snapshot())

    facts.made = []
    let (second, secondMediator, host) = try app()
    let saved = try JSONDecoder().decode(NavigationSnapshot.self, from: bytes)
    let restoration = try await second.restore(saved, through: secondMediator)
    #expect(restoration.faults.map(\.description) == [])
    #expect(shape(second.state) == shape(navigator.state))
    #expect(
      shape(second.state) == [
        ["estate://home/1", "estate://home/2"], ["estate://members"],
        ["https://elsewhere.example/a?b=c", "https://news.example/today"],
      ])
    #expect(second.state.selectedTab == "mine")
    #expect(restoration.restored == second.state.entries)
    #expect(facts.made == ["estate://home/1", "estate://home/2"])
    // A single render shows all of it.
    #expect(
      host.updates.map(\.changes) == [[.selected(tab: "mine"), .restored(second.state.entries)]])
    #expect(host.updates[0].topScreen?.title == "News https://news.example/today")
    #expect(second.state.entries.allSatisfy { second.screen($0.id) != nil })
    try second.perform(.pop)
    #expect(second.state.top?.name == "https://elsewhere.example/a?b=c")
    #expect(try JSONEncoder().encode(second.snapshot()) != bytes)
  }

  @Test("Restoring evaluates guards again and asks the user nothing")
  func guards() async throws {
    let (navigator, mediator, host) = try app()
    facts.isMember = false
    let restoration = try await navigator.restore(
      snapshot("estate://home/1", "estate://members", "estate://home/2"), through: mediator)
    #expect(shape(navigator.state) == [["estate://home/1", "estate://home/2"], []])
    let fault = try #require(restoration.faults.first)
    #expect(restoration.faults.count == 1 && fault.name == "estate://members")
    guard case .refused(.rejected(by: "members", reason: let reason)) = fault.reason else {
      Issue.record("\(fault)")
      return
    }
    #expect(reason.contains("cannot return a result"))
    #expect(host.updates.count == 1)
    #expect(navigator.state.modals.isEmpty)
  }

  @Test("Every entry that is not restored is reported with its reason, and no action is run")
  func faults() async throws {
    let (navigator, mediator, _) = try app()
    let urls = [
      "estate://home/1", "estate://logout", "estate://hoem/1", "estate://home/x",
      "estate://home/%zz?token=secret",
      "estate://splash", "", "ftp://x", "estate://home/2",
    ]
    let saved = try NavigationSnapshot(
      tabs: [
        .init(name: "search", stack: urls.map { .init(name: $0, url: $0) } + [.init(name: "Edit", url: nil)]),
        .init(name: "old", stack: [.init(name: "estate://home/3", url: "estate://home/3")]),
      ],
      selectedTab: "old", modals: [[.init(name: "Login", url: nil)], []])
    let restoration = try await navigator.restore(saved, through: mediator)
    #expect(shape(navigator.state) == [["estate://home/1", "estate://home/2"], []])
    let reasons = restoration.faults.map { fault -> String in
      switch fault.reason {
      case .unsaved: "unsaved"
      case .unknownTab(let name): "tab \(name)"
      case .notAScreen: "action"
      case .refused(.notFound): "not found"
      case .refused(.parameter): "parameter"
      case .refused(.malformedURL): "malformed"
      case .refused(let error): "\(error)"
      case .nothingShown: "nothing shown"
      case .alreadyShown: "already shown"
      case .covered: "covered"
      case .full: "full"
      }
    }
    #expect(
      reasons == [
        "action", "not found", "parameter", "malformed", "nothing shown", "malformed", "not found",
        "unsaved",
        "tab old", "unsaved",
      ])
    #expect(restoration.restored.count + restoration.faults.count == 12)
    #expect(facts.logouts == 0)
    #expect(!restoration.faults.contains { $0.description.contains("secret") })
    #expect(navigator.state.selectedTab == "search")
  }

  @Test("A screen whose result is awaited and one without a URL are saved by name only")
  func savedByName() async throws {
    let (navigator, mediator, _) = try app()
    try await mediator.open("estate://home/1")
    try await mediator.call(EditRoute())
    try await mediator.open("estate://home/2")
    let login = Task { try await mediator.call(LoginRoute()) }
    try await waitUntil("the login is presented") { !navigator.state.modals.isEmpty }
    for _ in 0..<3 { await Task.yield() }
    let saved = navigator.snapshot()
    #expect(saved.tabs[0].stack.map(\.url) == ["estate://home/1", nil, "estate://home/2"])
    #expect(saved.tabs[0].stack[1].name == "EditRoute")
    #expect(saved.modals == [[.init(name: "estate://login", url: nil)]])
    try navigator.perform(.closeAll)
    await #expect(throws: RouteError.self) { try await login.value }
    let restoration = try await navigator.restore(saved, through: mediator)
    #expect(shape(navigator.state)[0] == ["estate://home/1", "estate://home/2"])
    #expect(restoration.faults.map(\.name) == ["EditRoute", "estate://login"])
    // Opened by a link, its result is not awaited, so it is restored.
    try await mediator.open("estate://login")
    #expect(navigator.snapshot().modals == [[.init(name: "estate://login", url: "estate://login")]])
  }

  @Test("A screen shown during a restoration stays on top")
  func shownMeanwhile() async throws {
    let (navigator, mediator, host) = try app()
    // Shown by a task other than the restoring one, like a link that arrives in the meantime.
    let saved = try NavigationSnapshot(
      tabs: [
        .init(name: "search", stack: [.init(name: "1", url: "estate://home/1")]),
        .init(name: "mine", stack: [.init(name: "2", url: "estate://home/2")]),
      ],
      selectedTab: "search", modals: [[.init(name: "3", url: "estate://home/3")]])
    var link: Task<Void, any Error>?
    facts.gate = { [facts] in
      facts.gate = nil
      let arrived = Task.detached {
        _ = try await navigator.show(TextScreen("Link"), named: "link", style: .tab("mine"))
      }
      link = arrived
      _ = await arrived.result
    }
    let restoration = try await navigator.restore(saved, through: mediator)
    try await link?.value
    #expect(shape(navigator.state) == [["estate://home/1"], ["estate://home/2", "link"]])
    #expect(navigator.state.selectedTab == "mine")
    #expect(host.updates.last?.topScreen?.title == "Link")
    #expect(restoration.restored.map(\.name) == ["estate://home/1", "estate://home/2"])
    guard case .covered? = restoration.faults.first?.reason, restoration.faults.count == 1 else {
      Issue.record("\(restoration.faults)")
      return
    }
    #expect(restoration.faults[0].name == "3")
  }

  @Test("A screen that was called by value is restored if it knows its URL")
  func addressed() async throws {
    let (navigator, mediator, _) = try app()
    try await mediator.call(ArticleRoute(url: "https://news.example/1"))
    try navigator.show(ArticleScreen("https://news.example/2"), named: "shown")
    #expect(navigator.state.entries.map(\.name) == ["ArticleRoute", "shown"])
    let saved = navigator.snapshot()
    try navigator.perform(.closeAll)
    let restoration = try await navigator.restore(saved, through: mediator)
    #expect(restoration.faults.isEmpty)
    #expect(shape(navigator.state)[0] == ["https://news.example/1", "https://news.example/2"])
  }

  @Test("A screen shown later by a restored screen is shown")
  func shownLater() async throws {
    let (navigator, mediator, _) = try app()
    var later: Task<Void, any Error>?
    let (isRestored, restored) = AsyncStream.makeStream(of: Void.self)
    facts.gate = { [facts] in
      facts.gate = nil
      // The task starts during the restoration and inherits its task-local value.
      later = Task {
        for await _ in isRestored {}
        try await mediator.open("estate://home/2")
        try navigator.show(TextScreen("hint"), named: "hint")
      }
    }
    let restoration = try await navigator.restore(snapshot("estate://home/1"), through: mediator)
    #expect(restoration.restored.count == 1 && navigator.state.count == 1)
    restored.finish()
    try await later?.value
    #expect(shape(navigator.state)[0] == ["estate://home/1", "estate://home/2", "hint"])
  }

  @Test("A full state takes the lowest entries and reports the others")
  func full() async throws {
    let (navigator, mediator, _) = try app(limit: 3)
    let restoration = try await navigator.restore(
      snapshot("estate://home/1", "estate://home/2", "estate://home/3", "estate://home/4"), through: mediator)
    #expect(shape(navigator.state)[0] == ["estate://home/1", "estate://home/2", "estate://home/3"])
    #expect(
      restoration.faults.map(\.description) == [
        "estate://home/4 was not restored: 3 screens are open, which is the limit."
      ])
  }

  @Test("A cancelled restoration restores nothing, and a concurrent one is refused")
  func cancelled() async throws {
    let (navigator, mediator, host) = try app()
    let saved = try snapshot("estate://home/1", "estate://home/2")
    var second: (any Error)?
    var task: Task<NavigationSnapshot.Restoration, any Error>?
    facts.gate = { [facts] in
      facts.gate = nil
      do { _ = try await navigator.restore(saved, through: mediator) } catch { second = error }
      task?.cancel()
    }
    task = Task { try await navigator.restore(saved, through: mediator) }
    await #expect(throws: CancellationError.self) { try await task?.value }
    #expect(second as? NavigationError == .restoring)
    #expect(navigator.state.count == 0 && host.updates.isEmpty)
    #expect(try await navigator.restore(saved, through: mediator).restored.count == 2)
  }

  @Test("A restored screen can be popped like any other, and its identity is not reused")
  func popped() async throws {
    let (navigator, mediator, _) = try app(tabs: [])
    _ = try await navigator.restore(
      snapshot("estate://home/1", "estate://home/2", tab: ""), through: mediator)
    try navigator.perform(.pop)
    #expect(shape(navigator.state) == [["estate://home/1"]])
    try await mediator.open("estate://home/3")
    #expect(Set(navigator.state.entries.map(\.id)).count == 2)
  }
}
