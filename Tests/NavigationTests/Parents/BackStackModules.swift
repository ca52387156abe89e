import Mediation
import Navigation
import SwitchyardTesting

struct RootRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://home"
}

struct DistrictRoute: Route, Codable {
  static let pattern: RoutePattern = "estate://home/{district}"
  let district: String
  var parents: [any Route] { [RootRoute()] }
}

struct VillaRoute: Route, Codable {
  static let pattern: RoutePattern = "estate://home/{district}/{id:int}"
  static let aliases: [RoutePattern] = ["https://estate.example/houses/{id:int}/{district}"]
  static let exposure: Exposure = .link([.push, .web(host: "estate.example")])
  let district: String
  let id: Int
  var parents: [any Route] { [DistrictRoute(district: district)] }
}

struct VideoRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://video"
  static let exposure: Exposure = .link([.push])
  var parents: [any Route] { [RootRoute()] }
}

struct PrivateRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://private"
  static let exposure: Exposure = .moduleOnly
}

/// Screens with a back stack; the district "closed" refuses every caller, and the villa 0 does not exist.
struct VillaModule: BusinessModule {
  private struct ClosedGuard: RouteGuard {
    let id = "closed"
    func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
      target.parameters["district"] == "closed" ? .reject("closed") : .proceed
    }
  }

  private struct NoSuchVilla: Error {}

  let name = "Villas"
  private let video: TextScreen

  @MainActor init() { video = TextScreen("Video") }

  func declare(into table: inout RouteTable) {
    table.screen(RootRoute.self) { _, _ in TextScreen("Home") }
    table.screen(DistrictRoute.self, guards: [ClosedGuard()]) { route, _ in TextScreen(route.district) }
    table.screen(VillaRoute.self) { route, _ in
      if route.id == 0 { throw NoSuchVilla() }
      return TextScreen("Villa \(route.id)")
    }
    table.screen(PrivateRoute.self) { _, _ in TextScreen("Private") }
    table.screen(VideoRoute.self, instance: video)
  }
}

struct LoopRoute: Route, Codable {
  static let pattern: RoutePattern = "estate://loop/{name:a|b}"
  static let exposure: Exposure = .link([.push])
  let name: String
  var parents: [any Route] { [LoopRoute(name: name == "a" ? "b" : "a")] }
}

struct DeepRoute: Route, Codable {
  static let pattern: RoutePattern = "estate://deep/{level:int}"
  static let exposure: Exposure = .link([.push])
  let level: Int
  var parents: [any Route] { [DeepRoute(level: level + 1)] }
}

struct ActionRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://action"
}

struct OrphanRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://orphan"
  static let exposure: Exposure = .link([.push])
  var parents: [any Route] { [RootRoute(), ActionRoute()] }
}

struct UndeclaredRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://undeclared"
}

struct StrayRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://stray"
  static let exposure: Exposure = .link([.push])
  var parents: [any Route] { [UndeclaredRoute()] }
}

struct TrespassRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://trespass"
  static let exposure: Exposure = .link([.push])
  var parents: [any Route] { [PrivateRoute()] }
}

/// Screens whose parents are mistakes.
struct LoopModule: BusinessModule {
  let name = "Loops"

  func declare(into table: inout RouteTable) {
    table.screen(LoopRoute.self) { route, _ in TextScreen(route.name) }
    table.screen(DeepRoute.self) { route, _ in TextScreen("\(route.level)") }
    table.action(ActionRoute.self) { _, _ in }
    table.screen(OrphanRoute.self) { _, _ in TextScreen("Orphan") }
    table.screen(StrayRoute.self) { _, _ in TextScreen("Stray") }
    table.screen(TrespassRoute.self) { _, _ in TextScreen("Trespass") }
  }
}

struct SlowParentRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://slow"
}

struct OnceRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://once"
  static let exposure: Exposure = .link([.push])
  var parents: [any Route] { [SlowParentRoute()] }
}

/// A screen that exists once, above one that is shown when the test says so.
struct SlowParentModule: BusinessModule {
  let name = "Slow"
  let opening = WaitableValue(false)
  let mayShow = WaitableValue(false)
  private let once: TextScreen

  @MainActor init() { once = TextScreen("Once") }

  func declare(into table: inout RouteTable) {
    table.screen(SlowParentRoute.self) { [opening, mayShow] _, _ in
      opening.update { $0 = true }
      try await mayShow.wait { $0 }
      return TextScreen("Slow")
    }
    table.screen(OnceRoute.self, instance: once)
  }
}
