import Mediation
import MediationFixtures
import RouteRedirects

/// A screen that replaces the house's and has the same exposure.
struct VillaRoute: Route {
  static let pattern: RoutePattern = "estate://villa/{id:int}?tab={tab?}"
  static let exposure: Exposure = .link([.scheme("estate"), .universal(host: "estate.example"), .push])
  let id: Int
  let tab: String?

  init(from input: RouteInput) throws(RouteError) {
    id = try input.value("id")
    tab = try input.optional("tab")
  }

  func write(to output: inout RouteOutput) {
    output.set("id", to: id)
    output.set("tab", to: tab)
  }
}

/// A screen that only the app can open.
struct CellarRoute: Route {
  static let pattern: RoutePattern = "estate://cellar/{id:int}"
  let id: Int
  init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

/// A screen for all URLs under a prefix.
struct HelpRoute: Route {
  static let pattern: RoutePattern = "estate://help/{path...}"
  static let exposure: Exposure = .link([.push])
  let path: [String]
  init(from input: RouteInput) throws(RouteError) { path = try input.rest("path") }
  func write(to output: inout RouteOutput) { output.set("path", toRest: path) }
}

/// An app with routes that redirect tables can replace.
struct RedirectedApp {
  let mediator: Mediator
  let redirects: RedirectTables

  /// Creates the app with routes of all exposures.
  init(
    _ journal: Journal, _ policy: RedirectPolicy = .unsigned(webHosts: ["help.example"]), hasWeb: Bool = true
  ) throws {
    let module = TestModule { table in
      table.action(HouseRoute.self) { route, _ in journal.note("house \(route.id) \(route.tab ?? "-")") }
      table.action(VillaRoute.self) { route, _ in journal.note("villa \(route.id) \(route.tab ?? "-")") }
      table.action(CellarRoute.self) { route, _ in journal.note("cellar \(route.id)") }
      table.action(HelpRoute.self) { route, _ in journal.note("help \(route.path)") }
      table.action(PriceRoute.self) { route, _ in route.id }
      table.action(LedgerRoute.self) { _, _ in "ledger" }
      table.action(MapRoute.self) { _, context in
        try await context.open("estate://ledger", returning: String.self)
      }
    }
    redirects = RedirectTables(policy)
    mediator = try Mediator(
      schemes: ["estate"], hosts: ["estate.example"], modules: [module], observers: [journal],
      web: hasWeb ? RouteFallback { url, _ in journal.note("web \(url.text)") } : nil, redirector: redirects)
  }

  /// Creates an app of one module that accepts unsigned tables.
  init(
    _ module: TestModule, guards: [any RouteGuard] = [], observers: [any RouteObserver] = [],
    notFound: RouteFallback? = nil
  ) throws {
    redirects = RedirectTables(.unsigned())
    mediator = try Mediator(
      schemes: ["estate"], modules: [module], guards: guards, observers: observers, notFound: notFound,
      redirector: redirects)
  }

  /// Returns the faults of a table with these rules.
  func faults(_ rules: [RedirectRule]) -> [RedirectFault] {
    do throws(RedirectTableError) {
      try redirects.apply(RedirectTable(version: 1, rules: rules))
      return []
    } catch {
      guard case .invalid(let faults) = error.kind else { return [] }
      return faults
    }
  }

  static func errorName(_ operation: () throws(RedirectTableError) -> Void) -> String? {
    do throws(RedirectTableError) {
      try operation()
      return nil
    } catch {
      return switch error.kind {
      case .refused: "refused"
      case .unsigned: "unsigned"
      case .noVerifier: "noVerifier"
      case .notConnected: "notConnected"
      case .badSignature: "badSignature"
      case .undecodable: "undecodable"
      case .tooLarge(let limit): "tooLarge \(limit)"
      case .notNewer(let version, let minimum): "notNewer \(version) \(minimum)"
      case .invalid(let faults): "invalid \(faults.map(\.rule))"
      }
    }
  }
}
