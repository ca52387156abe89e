import Foundation
import Mediation
import Navigation
import SwitchyardTesting
import Testing

private struct HomesRoute: Route {
  static let pattern: RoutePattern = "shop://homes?city={city?}&page={page:int?}&sort={sort?}"
  static let aliases: [RoutePattern] = ["https://shop.example/all"]
  static let exposure: Exposure = .link([.push])
  var city: String?
  var page = 1
  var sort: String?
  init(city: String? = nil) { self.city = city }
  init(from input: RouteInput) throws(RouteError) {
    city = try input.optional("city")
    page = try input.optional("page") ?? 1
    sort = try input.optional("sort")
  }
  func write(to output: inout RouteOutput) {
    output.set("city", to: city)
    output.set("page", to: page)
    output.set("sort", to: sort)
  }
}

private struct HomeRoute: Route, Codable {
  static let pattern: RoutePattern = "shop://home/{id:int}"
  static let exposure: Exposure = .link([.push])
  let id: Int
  var parents: [any Route] { [HomesRoute()] }
}

/// Below it is the list of one city.
private struct FlatRoute: Route, Codable {
  static let pattern: RoutePattern = "shop://flat/{city}"
  static let exposure: Exposure = .link([.push])
  let city: String
  var parents: [any Route] { [HomesRoute(city: city)] }
}

private struct ListRoute: NativeRoute {}

private struct PlayerRoute: Route, Codable {
  static let pattern: RoutePattern = "shop://player?at={second:int?}"
  static let aliases: [RoutePattern] = ["https://shop.example/player"]
  static let exposure: Exposure = .link([.push])
  var second: Int?
}

/// A list that was called by value and knows the URL that shows it again.
private final class ListScreen: AddressedScreen {
  let title = "List"
  let address = "SHOP://Homes/?page=01"
}

private struct HomesModule: BusinessModule {
  let name = "Homes"
  let style: Presentation
  let player: TextScreen

  func declare(into table: inout RouteTable) {
    table.screen(HomesRoute.self, style: style) { _, context in TextScreen(context.url?.text ?? "") }
    table.screen(HomeRoute.self) { route, _ in TextScreen("Home \(route.id)") }
    table.screen(FlatRoute.self) { route, _ in TextScreen("Flat \(route.city)") }
    table.screen(ListRoute.self) { _, _, _ in ListScreen() }
    table.screen(PlayerRoute.self, instance: player)
  }
}

@MainActor @Suite(.timeLimit(.minutes(5))) struct EntryIdentityTests {
  private func app(_ style: Presentation = .push) throws -> (Navigator, Mediator) {
    let navigator = Navigator(state: try NavigationState(tabs: ["one", "two"]))
    let mediator = try Mediator(
      schemes: ["shop"], hosts: ["shop.example"],
      modules: [HomesModule(style: style, player: TextScreen("Player"))],
      environment: RouteEnvironment(navigator: navigator))
    return (navigator, mediator)
  }

  nonisolated private static let spellings = [
    "SHOP://Homes", "shop://homes/", "shop://HOMES/?", "https://shop.example/all",
    "HTTPS://SHOP.example/all/",
    "https://shop.example./all", "shop://homes?utm_source=mail", "shop://homes?city",
    "shop://homes?city=&sort=",
    "shop://homes#top", "shop://%68omes", "shop://homes?page=1", "shop://homes?sort=&page=001",
    "shop://homes?page=",
  ]

  @Test(
    "A parent that is shown under another spelling is revealed, and keeps the URL that was typed",
    arguments: spellings, [Presentation.push, .present, .tab("two")])
  func parents(_ url: String, _ style: Presentation) async throws {
    let (navigator, mediator) = try app(style)
    try await mediator.receive(url, from: .push)
    let list = try #require(navigator.state.top)
    for id in [7, 8] {
      try await mediator.receive("shop://home/\(id)", from: .push)
      #expect(navigator.state.currentStack.map(\.name) == [url, "shop://home/\(id)"])
      #expect(navigator.state.count == 2 && navigator.state.currentStack.first == list)
    }
  }

  @Test(
    "A parent with other values is not the one that is shown",
    arguments: ["shop://homes?city=x", "shop://homes?page=2", "shop://homes?sort=age", "shop://home/1"])
  func others(_ url: String) async throws {
    let (navigator, mediator) = try app()
    try await mediator.open(url)
    try await mediator.receive("shop://home/7", from: .push)
    #expect(navigator.state.currentStack.map(\.name) == [url, "shop://homes?page=1", "shop://home/7"])
  }

  @Test(
    "The value of a parent is compared in any spelling and any order",
    arguments: [
      "shop://homes?page=1&city=a+b", "SHOP://homes/?city=a%20b&x=y", "https://shop.example/all?city=%61+b#c",
    ])
  func values(_ url: String) async throws {
    let (navigator, mediator) = try app()
    try await mediator.open(url)
    try await mediator.receive("shop://flat/a%20b", from: .push)
    #expect(navigator.state.currentStack.map(\.name) == [url, "shop://flat/a%20b"])
  }

  @Test("A screen that was called by value, or shown without a route, is compared by its address")
  func addressed() async throws {
    let (navigator, mediator) = try app()
    try await mediator.call(ListRoute())
    try await mediator.receive("shop://home/7", from: .push)
    #expect(navigator.state.currentStack.map(\.name) == ["ListRoute", "shop://home/7"])
    try navigator.perform(.closeAll)
    try navigator.show(TextScreen("List"), named: "list", url: "https://shop.example/all/")
    try navigator.show(TextScreen("Other"), named: "other")
    try await mediator.receive("shop://home/7", from: .push)
    #expect(navigator.state.currentStack.map(\.name) == ["list", "shop://home/7"])
    try navigator.perform(.closeAll)
    try navigator.show(TextScreen("List"), named: "SHOP://homes")
    try await mediator.receive("shop://home/7", from: .push)
    #expect(navigator.state.currentStack.map(\.name) == ["SHOP://homes", "shop://home/7"])
  }

  @Test(
    "The typed URL is saved and restored, and the restored screen is still the parent", arguments: spellings)
  func restored(_ url: String) async throws {
    let (navigator, mediator) = try app()
    try await mediator.open(url)
    let saved = try JSONDecoder().decode(
      NavigationSnapshot.self, from: try JSONEncoder().encode(navigator.snapshot()))
    let (other, otherMediator) = try app()
    #expect(try await other.restore(saved, through: otherMediator).faults.isEmpty)
    #expect(other.state.entries.map(\.url) == [url])
    try await otherMediator.receive("shop://home/7", from: .push)
    #expect(other.state.entries.map(\.name) == [url, "shop://home/7"])
  }

  @Test(
    "A screen that exists once is returned to under every spelling and value",
    arguments: ["SHOP://Player/", "https://shop.example/player", "shop://player?at=7", "shop://player?x#y"])
  func instance(_ url: String) async throws {
    let (navigator, mediator) = try app()
    try await mediator.open("shop://player")
    let id = navigator.state.top?.id
    try await mediator.open("shop://homes", as: .present)
    try await mediator.receive(url, from: .push)
    #expect(navigator.state.entries.map(\.id) == [id].compactMap(\.self))
  }

  @Test("A screen that exists once is restored once, and not if it is shown meanwhile")
  func restoredInstance() async throws {
    let (navigator, mediator) = try app()
    let urls = ["shop://player", "SHOP://Player/?at=1", "shop://homes"]
    let saved = try NavigationSnapshot(
      tabs: [.init(name: "one", stack: urls.map { .init(name: $0, url: $0) })], selectedTab: "one",
      modals: [[.init(name: "modal", url: "https://shop.example/player")]])
    let restoration = try await navigator.restore(saved, through: mediator)
    #expect(navigator.state.entries.map(\.name) == ["shop://player", "shop://homes"])
    #expect(restoration.faults.map(\.name) == ["SHOP://Player/?at=1", "modal"])
    #expect(
      restoration.faults.first?.description.hasSuffix("its screen exists once and is shown already.") == true)
    // What is shown stays as it is.
    let (second, secondMediator) = try app()
    try await secondMediator.open("shop://player")
    try await secondMediator.open("shop://home/1")
    let shown = second.state.entries.map(\.id)
    #expect(try await second.restore(saved, through: secondMediator).faults.count == 3)
    #expect(second.state.entries.map(\.id).suffix(2) == shown[...])
    #expect(second.state.entries.map(\.name) == ["shop://homes", "shop://player", "shop://home/1"])
  }
}
