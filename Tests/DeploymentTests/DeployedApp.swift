import APIManagers
import CommandRunning
import DNSBypass
import Deployment
import FeatureFlags
import Foundation
import HTTPTypes
import Interception
import Mediation
import MediationFixtures
import RouteRedirects
import SwitchyardTesting
import Synchronization
import WebPages

extension Service {
  static let estate = Service("estate", at: ServiceAddress(authority: "api.estate.example"))
}

struct HouseList: API {
  static let endpoint = Endpoint<NoParams>(.estate, "houses.list", path: "/houses", cacheRule: .timed())
}

/// Its responses are sensitive.
struct Balance: API {
  static let endpoint = Endpoint<NoParams>(
    .estate, "balance", path: "/balance", cacheRule: .timed(.seconds(5)).inMemoryOnly())
}

/// Its responses must not be stored.
struct Statement: API {
  static let endpoint = Endpoint<NoParams>(.estate, "statement", path: "/statement", cacheRule: .off)
}

struct Offer: API {
  static let endpoint = Endpoint<NoParams>(.estate, "offer", method: .post, path: "/offer")
}

/// A screen of another module, which can be switched off.
struct MortgageRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://mortgage"
  static let aliases: [RoutePattern] = ["https://estate.example/mortgage"]
  static let exposure: Exposure = .link([
    .scheme("estate"), .universal(host: "estate.example"), .push,
  ])
  init() {}
}

enum Flags {
  static let express = FeatureFlag("checkout.express", default: false)
  static let attempts = FeatureFlag("checkout.attempts", default: 3, in: 1...5)
  static let factor = FeatureFlag("price.factor", default: 1.0, in: 0.5...2)
  static let label = FeatureFlag("price.label", default: "Asking price")
  static let all: [any AnyFeatureFlag] = [express, attempts, factor, label]
}

/// An app with a part of each kind.
struct DeployedApp {
  let flags: DeployedFlags
  let redirects = RedirectTables(.unsigned(webHosts: ["help.example"]))
  let mediator: Mediator
  let journal = Journal()
  let dispatcher = ScriptedDispatcher { _, _ in Response(status: .ok, bytes: Array("{}".utf8)) }
  let client: APIClient
  let bypass: DNSBypassInterceptor
  let store: PagePackageStore
  let folder: TemporaryFolder
  let own = OwnState()
  private let verifier: DeploymentVerifier
  /// Made once, because a part knows the state without a document from its creation.
  let parts: [DeploymentPart]

  init() throws {
    flags = try DeployedFlags(Flags.all)
    let journal = journal
    mediator = try Mediator(
      schemes: ["estate"], hosts: ["estate.example"],
      modules: [
        TestModule("Homes") { table in
          table.action(HouseRoute.self) { route, _ in journal.note("house \(route.id)") }
          table.action(LoginRoute.self) { _, _ in true }
          table.action(LedgerRoute.self) { _, _ in "ledger" }
        },
        TestModule("Mortgage") { table in
          table.action(MortgageRoute.self) { _, _ in journal.note("mortgage") }
        },
      ], observers: [journal], redirector: redirects)
    client = APIClient(dispatcher: dispatcher)
    bypass = DNSBypassInterceptor(try AddressTable(["api.estate.example": ["8.8.8.8"]]), prober: nil)
    folder = try TemporaryFolder(prefix: "deployment")
    store = try PagePackageStore(
      folder: folder.url.path, site: "www.estate.example", trusting: Array(Documents.publicKeys.values))
    verifier = try Documents.verifier()
    let own = own
    let note = DeploymentPart("note", maximumSize: 100) { content in
      guard let text = String(validating: content, as: UTF8.self), !text.contains("bad") else {
        throw DeploymentPart.Fault("should be a good text", line: 1)
      }
      return { own.note.withLock { $0 = text } }
    } reset: {
      own.note.withLock { $0 = "built in" }
    }
    parts = [
      .flags(flags), .routes(redirects),
      .downgrades(of: client, [HouseList.self, Offer.self]),
      .endpoints(of: client, [HouseList.self, Balance.self, Statement.self, Offer.self]),
      .addresses(of: bypass), .pages(store), note,
    ]
  }

  /// Verifies, checks and applies a document, as an app does.
  func apply(
    _ bytes: [UInt8], now: WallTime = Documents.now, _ record: inout DeploymentRecord
  ) throws(DeploymentError) {
    let document = try verifier.verify(bytes, now: now, after: record)
    let plan = try DeploymentPlan(document, parts: parts)
    record.accept(document)
    plan.apply()
  }

  /// Applies a document of some parts to an app that has accepted none.
  func apply(_ parts: [String: String]) throws {
    try DeploymentPlan(try Documents.document(parts: parts), parts: self.parts).apply()
  }

  /// All that documents can change, as text.
  func state() async -> String {
    var lines = [
      "flags \(flags[Flags.express]) \(flags[Flags.attempts]) \(flags[Flags.factor]) \(flags[Flags.label])",
      "redirects \(redirects.version.map { "\($0)" } ?? "none")",
      "addresses \(bypass.table.addresses(for: "api.estate.example", scheme: "https").map(\.address))",
      "pages \(store.version.map { "\($0)" } ?? "none")", "note \(own.note.withLock { $0 })",
    ]
    for url in ["estate://home/1", "estate://mortgage", "https://estate.example/mortgage"] {
      do {
        try await mediator.open(url)
        lines.append("\(url) opens")
      } catch { lines.append("\(url) is refused") }
    }
    do throws(APIError) {
      _ = try await client.load(HouseList())
      let request = dispatcher.requests.last
      lines.append("idle \(request?.options.timeouts.idle.map { "\($0)" } ?? "none")")
      lines.append("cache \(request?.context.cacheRule.limit.map { "\($0)" } ?? "none")")
    } catch { lines.append("houses \(error.kind)") }
    return lines.joined(separator: "\n")
  }
}

/// What an app's own part changes.
final class OwnState: Sendable {
  let note = Mutex("built in")
}
