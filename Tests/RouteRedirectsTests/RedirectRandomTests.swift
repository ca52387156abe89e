import Mediation
import MediationFixtures
import RouteRedirects
import SwitchyardTesting
import Testing

/// Random tables of few patterns, so that rules interact with each other and with the routes.
@Suite(.timeLimit(.minutes(5))) struct RedirectRandomTests {
  private static let patterns = [
    "estate://home/{id:int}?tab={tab?}", "estate://home/{id:int}", "estate://home/{x}",
    "estate://home/{x...}",
    "estate://home/1", "estate://home/new", "estate://villa/{id:int}", "estate://villa/{id:int}?tab={tab?}",
    "estate://villa/2", "estate://cellar/{id:int}", "estate://cellar/{x...}", "estate://help/{x...}",
    "estate://help/{x}", "estate://price?id={id:int}", "estate://ledger", "estate://old/{id:int}",
    "estate://old/{x...}", "https://estate.example/{x...}", "https://estate.example/{id:int}",
    "https://help.example/{x}", "estate://old/{id:int}/{x}", "other://x", "estate://{x}",
  ]
  private static let urls = [
    "estate://home/1", "estate://home/2?tab=a", "estate://home/new", "estate://home/a/b", "estate://villa/2",
    "estate://villa/3?tab=%2F", "estate://cellar/1", "estate://cellar/x", "estate://help/a",
    "estate://help/a/b/c",
    "estate://price?id=1", "estate://ledger", "estate://old/1", "estate://old/x/y",
    "https://estate.example/1",
    "https://estate.example/a/b", "estate://nowhere", "estate://old/1/%2e", "estate://old/1/%FF",
  ]

  private static func table(_ random: inout SeededRandom, version: Int) -> RedirectTable {
    RedirectTable(
      version: version,
      rules: (0...random.below(3)).map { _ in
        let from = patterns[random.below(patterns.count)]
        if random.below(5) == 0 { return .disable(from) }
        let values = random.below(4) == 0 ? ["id": "7"] : [:]
        return .redirect(from, to: patterns[random.below(patterns.count)], values: values)
      })
  }

  private func result(_ work: () throws(RouteError) -> RouteSummary) -> Result<RouteSummary, RouteError> {
    Result(catching: work)
  }

  @Test(
    "F5: no accepted table leads a link beyond its exposure or into a loop",
    arguments: 0..<4)
  func rights(_ seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    let journal = Journal()
    let plain = try RedirectedApp(journal).mediator
    let app = try RedirectedApp(journal)
    var accepted = 0
    var moved = 0
    for version in 1...400 {
      do {
        try app.redirects.apply(Self.table(&random, version: version))
        accepted += 1
      } catch {
        continue
      }
      for url in Self.urls {
        for origin in [Origin.native(module: nil), .external(.push), .external(.shortcut)] {
          let before = result { () throws(RouteError) in try plain.resolve(url, origin: origin) }
          let after = result { () throws(RouteError) in try app.mediator.resolve(url, origin: origin) }
          switch after {
          case .success(let summary):
            if (try? before.get())?.name != summary.name { moved += 1 }
            #expect(summary.exposure != .moduleOnly)
            if case .external(let source) = origin {
              guard case .link(let sources)? = summary.exposure else {
                Issue.record("\(url) from outside reaches \(summary.name)")
                continue
              }
              #expect(sources.contains(source), "\(url) reaches \(summary.name)")
              if case .failure(.forbidden) = before {
                Issue.record("\(url) was closed and leads to \(summary.name)")
              }
            }
          case .failure(.redirectLoop(let trail)): Issue.record("\(trail)")
          case .failure: continue
          }
        }
      }
    }
    // The test would prove nothing if no table were accepted or none had an effect.
    #expect(accepted > 10)
    #expect(moved > 10)
  }
}
