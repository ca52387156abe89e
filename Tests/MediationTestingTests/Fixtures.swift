import Mediation
import MediationTesting
import Navigation

/// A contract of another module, whose target this test does not depend on.
struct HomeRoute: Route, Equatable {
  static let pattern: RoutePattern = "estate://home/{id:int}?tab={tab?}"
  static let exposure: Exposure = .link([.scheme("estate")])
  let id: Int
  var tab: String?

  init(id: Int, tab: String? = nil) {
    self.id = id
    self.tab = tab
  }
  init(from input: RouteInput) throws(RouteError) {
    id = try input.value("id")
    tab = try input.optional("tab")
  }
  func write(to output: inout RouteOutput) {
    output.set("id", to: id)
    output.set("tab", to: tab)
  }
}

/// Another module's native action, with a value that no URL can carry.
struct RatingRoute: NativeRoute {
  typealias Output = Int
  let judge: @Sendable (Int) -> Int
}

protocol Prices: Sendable {
  func price(of home: Int) -> Int
}

/// A route of the module under test.
struct ListRoute: Route, Equatable {
  static let pattern: RoutePattern = "estate://list/{kind}?sort={sort?}"
  static let aliases: [RoutePattern] = ["estate://questions/{kind}"]
  static let exposure: Exposure = .link([.scheme("estate"), .push])
  let kind: String
  var sort: String?
  var query: [String] = []

  init(kind: String, sort: String? = nil) {
    self.kind = kind
    self.sort = sort
  }
  init(from input: RouteInput) throws(RouteError) {
    kind = try input.value("kind")
    sort = try input.optional("sort")
    query = input.query.map { "\($0.name)=\($0.value)" }
  }
  func write(to output: inout RouteOutput) {
    output.set("kind", to: kind)
    output.set("sort", to: sort)
  }
  static func == (left: ListRoute, right: ListRoute) -> Bool {
    (left.kind, left.sort) == (right.kind, right.sort)
  }
}

struct BestRoute: ParameterlessRoute {
  typealias Output = [Int]
  static let pattern: RoutePattern = "estate://best"
}

/// A list that the caller passes as a value.
struct ShownListRoute: NativeRoute {
  let homes: [Int]
}

@MainActor final class ListScreen: Screen {
  let title: String
  let query: [String]

  init(title: String, query: [String] = []) {
    self.title = title
    self.query = query
  }
}

/// A typical business module: it uses another module's screen, action and provider.
struct ListModule: BusinessModule {
  let name = "Lists"
  var needs: [ModuleNeed] { [.provider((any Prices).self), .route(HomeRoute.self).unordered] }

  func declare(into table: inout RouteTable) {
    table.screen(ListRoute.self) { route, context in
      ListScreen(
        title: "\(route.kind) at \(context.url?.text ?? "-")", query: route.query)
    }
    table.alias("estate://newest", for: ListRoute.self) { _ in ListRoute(kind: "all", sort: "new") }
    table.screen(ShownListRoute.self) { route, _, _ in ListScreen(title: "\(route.homes)") }
    table.action(BestRoute.self) { _, context in
      let prices = try await context.provider((any Prices).self)
      let factor = try await context.call(RatingRoute { $0 * 10 })
      try await context.call(HomeRoute(id: factor))
      return [prices.price(of: 1), factor]
    }
  }
}
