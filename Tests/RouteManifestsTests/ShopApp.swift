import Mediation
import RouteManifests

/// A small app whose routes have every feature that a manifest shows.
enum ShopApp {
  static let host = "shop.example"

  /// Returns the manifest of the app, whose modules are not listed in the order of their names.
  static func manifest(appIDs: [String] = ["ABCDE12345.example.shop"]) throws -> RouteManifest {
    RouteManifest(app: "Shop", appIDs: appIDs, mediator: try mediator())
  }

  static func mediator() throws -> Mediator {
    try Mediator(schemes: ["shop"], hosts: [host, "help.example"], modules: [Orders(), Catalogue()])
  }
}

struct Catalogue: BusinessModule {
  let name = "Catalogue"

  func declare(into table: inout RouteTable) {
    table.action(FrontRoute.self) { _, _ in }
    table.action(ItemRoute.self) { _, _ in }
    table.action(NewsRoute.self) { _, _ in }
    table.action(ReviewRoute.self) { _, _ in }
    table.action(NewItemsRoute.self) { _, _ in }
    table.action(SearchRoute.self) { _, _ in [] }
    table.action(ManualRoute.self) { _, _ in }
  }
}

struct Orders: BusinessModule {
  let name = "Orders"
  var needs: [ModuleNeed] { [.route(ItemRoute.self)] }

  func declare(into table: inout RouteTable) {
    table.action(OrderRoute.self, guards: [MembersOnly()]) { _, _ in "|" }
    table.action(BasketRoute.self) { _, _ in 0 }
    table.action(PackRoute.self) { _, _ in }
  }
}

struct MembersOnly: RouteGuard {
  let id = "members"

  func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict { .proceed }
}

struct FrontRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "https://shop.example"
  static let exposure = Exposure.link([.universal(host: ShopApp.host)])
}

struct ItemRoute: Route, Hashable {
  static let pattern: RoutePattern = "https://shop.example/items/{name}"
  static let aliases: [RoutePattern] = ["https://shop.example/i/{name}"]
  static let exposure = Exposure.link([.universal(host: ShopApp.host), .push])
  static let purpose = "One item, with its price | in euros."
  var name: String
  init(name: String) { self.name = name }
  init(from input: RouteInput) throws(RouteError) { name = try input.value("name") }
  func write(to output: inout RouteOutput) { output.set("name", to: name) }
}

struct ReviewRoute: Route, Hashable {
  static let pattern: RoutePattern = "https://shop.example/items/{name}/reviews/{number:int}"
  static let exposure = Exposure.link([.universal(host: ShopApp.host)])
  var name: String
  var number: Int
  init(name: String, number: Int) { (self.name, self.number) = (name, number) }
  init(from input: RouteInput) throws(RouteError) {
    name = try input.value("name")
    number = try input.value("number")
  }
  func write(to output: inout RouteOutput) {
    output.set("name", to: name)
    output.set("number", to: number)
  }
}

struct NewsRoute: Route, Hashable {
  static let pattern: RoutePattern = "https://shop.example/news/{page:int?}"
  static let exposure = Exposure.link([.universal(host: ShopApp.host)])
  var page: Int?
  init(page: Int?) { self.page = page }
  init(from input: RouteInput) throws(RouteError) { page = try input.optional("page") }
  func write(to output: inout RouteOutput) { output.set("page", to: page) }
}

struct NewItemsRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "https://shop.example/items/new%20ones"
  static let exposure = Exposure.link([.universal(host: ShopApp.host)])
}

struct SearchRoute: Route, Hashable {
  typealias Output = [String]
  static let pattern: RoutePattern =
    "https://shop.example/search?q={words}&page={page:int}&sort={sort?}"
  static let exposure = Exposure.link([.universal(host: ShopApp.host), .scheme("shop")])
  var words: String
  var page: Int
  var sort: String?
  init(words: String, page: Int, sort: String? = nil) {
    (self.words, self.page, self.sort) = (words, page, sort)
  }
  init(from input: RouteInput) throws(RouteError) {
    words = try input.value("words")
    page = try input.value("page")
    sort = try input.optional("sort")
  }
  func write(to output: inout RouteOutput) {
    output.set("words", to: words)
    output.set("page", to: page)
    output.set("sort", to: sort)
  }
}

struct ManualRoute: Route, Hashable {
  static let pattern: RoutePattern = "https://help.example/manuals/{path...}"
  static let exposure = Exposure.link([.universal(host: "help.example")])
  var path: [String]
  init(path: [String]) { self.path = path }
  init(from input: RouteInput) throws(RouteError) { path = try input.rest("path") }
  func write(to output: inout RouteOutput) { output.set("path", toRest: path) }
}

struct OrderRoute: Route, Hashable {
  typealias Output = String
  static let pattern: RoutePattern = "shop://orders/{id:uuid}"
  var id: String
  init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

struct BasketRoute: ParameterlessRoute {
  typealias Output = Int
  static let pattern: RoutePattern = "shop://basket"
  static let exposure = Exposure.moduleOnly
}

struct PackRoute: NativeRoute {}
