import AccountRoutes
import Switchyard
import SwitchyardTesting
import Synchronization
import Testing

@testable import Account
@testable import EstateNetwork

@Suite("The favourites over a simulated network", .timeLimit(.minutes(5)))
struct SimulatedFavouritesTests {
  private enum Step: Sendable {
    case list
    case add(Int)
    case forgetToken, outage, wait

    static func steps(_ random: inout SeededRandom) -> [Step] {
      (0..<Int.random(in: 1...12, using: &random)).map { _ in
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: .list
        case 4..<7: .add(Int.random(in: 1...50, using: &random))
        case 7: .forgetToken
        case 8: .outage
        default: .wait
        }
      }
    }
  }

  private static let host = Service.estateHost
  private static let rules = SimulationRules(trustedOrigins: [host], secrets: SimulatedFavourites.secrets)

  /// Simulates a member who looks at the favourites and adds some, with the chain's interceptors and others.
  private static func simulate(
    _ seeds: ClosedRange<UInt64>, adding others: [any Interceptor] = []
  ) async -> SimulationReport {
    await checkSimulation(seeds: seeds, rules: rules, steps: { Step.steps(&$0) }) { run, steps in
      let (server, time) = (SimulatedFavourites(), run.network.time)
      let known = Mutex<Set<Int>>([])
      run.network.serve(host) { server.response(to: $0) }
      let tokens = try OAuthTokenSource(
        "https://\(host)/v1/token", client: OAuthClient(id: "estate"), grant: .refreshToken,
        over: run.network, time: time)
      let session = Session(tokens: tokens, cookies: CookieStore(time: time))
      try session.begin(
        name: "demo", token: server.token, lifetime: 3_600, refreshToken: SimulatedFavourites.secrets[1])
      let authorization = try AuthorizationInterceptor(session.authorization, for: [host])
      let retry = RetryInterceptor(time: time, random: SeededRandom(seed: run.seed))
      let pipeline = try Pipeline(over: run.network, time: time) {
        SharingInterceptor()
        retry
        others
        authorization
      }
      let client = APIClient(dispatcher: pipeline, account: { session.name ?? "" })
      let members = Members(client: client, session: session, changes: nil, didLogIn: {})
      let favourites = Favourites(members: members, changes: nil, marks: FavouriteMarks())
      for step in steps {
        switch step {
        case .list:
          run.start("The list", within: .seconds(600)) {
            let before = known.withLock { $0 }
            let homes = try await favourites.list().known?.map(\.id) ?? []
            run.expect(before.isSubset(of: homes), "A list lacks \(before.subtracting(homes).sorted()).")
          }
        case .add(let home):
          run.start("Adding \(home)", within: .seconds(600)) {
            _ = try await favourites.add(home)
            known.withLock { _ = $0.insert(home) }
          }
        case .forgetToken: server.forgetToken()
        case .outage: run.network.takeDown(host, for: .seconds(8))
        case .wait: await run.pause(for: .seconds(30))
        }
        await run.pause(for: .milliseconds(70))
      }
    }
  }

  @Test("A list has what was added before, nothing is added twice, and tokens stay at the server")
  func favourites() async throws {
    let report = await Self.simulate(1...200)
    try report.check()
    #expect(report.historyCount == 200 && report.faultCounts.count > 8, "\(report)")
  }

  @Test("The simulation finds an interceptor that sends every request again that has failed")
  func carelessRetry() async throws {
    let careless = InlineInterceptor("Careless", stage: Stage(rank: 310, name: "careless")) { request, next in
      do { return try await next.dispatch(request) } catch { return try await next.dispatch(request) }
    }
    let failure = try #require(await Self.simulate(1...200, adding: [careless]).failure)
    #expect(
      failure.violations.contains { $0.contains("POST /v1/favourites was performed 2 times") }, "\(failure)")
    #expect(failure.steps.count < 4, "\(failure)")
  }
}
