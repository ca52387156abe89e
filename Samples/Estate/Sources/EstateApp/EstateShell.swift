import APIManagers
public import Account
import CurlTransport
import EstateNetwork
import Faults
import Help
import HelpRoutes
import HomeDetail
import Interception
import Listings
public import Logging
package import Mediation
import Mortgage
public import Navigation

/// The app: the only place that knows all modules, and where everything is put together.
@MainActor public final class EstateShell {
  package let mediator: Mediator
  package let navigator: Navigator
  let tally: Tally
  private let console: any Console

  /// Puts the app together.
  ///
  /// - Parameter host: Renders the screens; by default the console does, which is there at once. Links from
  ///   outside wait until another host is there too and `ready()` was called.
  /// - Throws: `PipelineIssue` or `RouteTableIssue`, each with all its faults.
  public init(
    _ configuration: AppConfiguration, console: any Console, prompt: any CredentialPrompt,
    logger: Logger, host renderer: (any NavigationHost)? = nil
  ) throws {
    let session = Session()
    let tally = Tally()
    let traces = TraceRecorder { trace in
      tally.count(trace)
      for line in TraceReport(trace).lines { console.write(line) }
    }
    let network = try NetworkStack(
      port: configuration.port, authorities: configuration.authorities, key: configuration.key,
      session: session, logger: logger, observers: [traces])
    let client = network.client
    let navigator = Navigator(host: renderer ?? TerminalHost(console: console))
    mediator = try Mediator(
      schemes: ["estate"], hosts: ["www.estate.test"],
      modules: [
        ListingsModule(client: client),
        HomeDetailModule(client: client),
        MortgageModule(client: client),
        AccountModule(client: client, session: session, prompt: prompt),
        HelpModule(client: client),
        FaultsModule(client: client, stranger: CurlDispatcher(), port: configuration.port),
      ],
      guards: [MembersGuard(session: session)],
      observers: [RouteReport(console: console)],
      environment: RouteEnvironment(navigator: navigator),
      web: RouteFallback { unrouted, context in
        try await context.call(WebPageRoute(url: unrouted.text))
      },
      links: LinkQueueing(),
      redirects: configuration.redirectVerifier.map { .signed(by: $0) } ?? .refused)
    self.navigator = navigator
    self.tally = tally
    self.console = console
    if renderer == nil { mediator.ready() }
  }

  /// The last line of a run: what went over the wire, and what went wrong.
  public var summary: String { tally.line }

  /// Opens a URL as code of the app, and shows the answer or the error.
  @discardableResult public func open(_ url: String) async -> StepResult {
    await run(url) { mediator in
      let answer = try await mediator.open(url, returning: (any Sendable).self)
      return answer is Void ? nil : "\(answer)"
    }
  }

  /// Leaves the screen that is shown.
  public func back() {
    do {
      try navigator.perform(.pop)
    } catch {
      console.write("  ! \(error)")
    }
  }

  func say(_ line: String) { console.write(line) }

  /// Does something with the mediator, and shows what came of it.
  func run(
    _ title: String, _ action: @Sendable (Mediator) async throws -> String?
  ) async -> StepResult {
    await attempt(title, action).result
  }

  /// Does something with the mediator, writes what came of it, and returns that.
  package func attempt(
    _ title: String, _ action: @Sendable (Mediator) async throws -> String?
  ) async -> Attempt {
    console.write("")
    console.write("▶ \(title)")
    do {
      let answer = try await action(mediator)
      if let answer { console.write("  = \(answer)") }
      return Attempt(result: .done, text: answer)
    } catch {
      let shown = ShownError(error)
      tally.countError()
      console.write("  ! \(shown.label): \(shown.sentence)")
      return Attempt(result: .failed(shown.label), text: shown.sentence)
    }
  }
}
