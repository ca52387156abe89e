package import Account
import AccountRoutes
package import EstateContract
package import EstateNetwork
import Faults
package import Foundation
import Help
import HelpRoutes
import HomeDetail
package import Inspection
import Listings
import Mortgage
import Photos
import ResourceLoading
import Settings
package import Switchyard

/// The app: it alone knows all modules, and connects them with the network and the screens.
@MainActor package final class EstateShell {
  package let mediator: Mediator
  package let navigator: Navigator
  /// Renders the screens while the app is visible.
  let host: any NavigationHost
  let redirects: RedirectTables
  let tally: Tally
  let telemetry = Telemetry()
  /// What changes without a release.
  let deployments: AppDeployments
  package let journal: ActivityJournal?
  let changes: ChangeQueue?
  package let data: KeptData?
  /// The pages of the web site for a web view, if the server has any.
  package let pages: SitePages?
  package let addresses: ServerAddresses
  /// The stored responses.
  let responses: ResponseCache
  let photos: ResourceLoader<PhotoDecoder>
  let session: Session
  private let dispatcher: CurlDispatcher
  let inspector: Inspector?
  private let console: any Console
  private let loginQuestion: LoginQuestion

  /// Creates the app.
  ///
  /// - Parameters:
  ///   - host: Renders the screens; by default the console does, which can show them at once. With another
  ///     host links from outside wait until `ready()` is called.
  ///   - start: The moment from which the time to the first answer is counted and printed.
  ///   - source: What reports that the machine has moved to another network.
  ///   - time: The clocks that determine the age of stored responses.
  /// - Throws: `PipelineIssue`, `RouteTableIssue` or `ScreenAspectIssue`, each with all its faults, or
  ///   `NavigationError`.
  package init(
    _ configuration: AppConfiguration, console: any Console, prompt: any CredentialPrompt,
    logger: Logger, host renderer: (any NavigationHost)? = nil, detail: TraceDetail = .line,
    startedAt start: Date? = nil, inspector: Inspector? = nil, interventions: InterventionInterceptor? = nil,
    networkSource source: any NetworkSource = SystemNetworkSource(), time: TimeSource = .system
  ) throws {
    let tally = Tally(since: start)
    let traces = TraceRecorder { [spans = telemetry.spans] trace in
      spans.collect()
      let first = tally.count(trace)
      for line in trace.lines(detail) + [first].compactMap(\.self) { console.write(line) }
    }
    let (busy, notes, question) = (BusyIndicator(), LoadNotes(), LoginQuestion())
    let network = try NetworkStack(
      port: configuration.port, authorities: configuration.authorities, keys: configuration.keys,
      files: configuration.files, environment: configuration.environment, logger: logger,
      hooks: [busy, question.hooks, notes], observers: [traces] + [inspector].compactMap(\.self),
      recorders: telemetry.recorders, interventions: [interventions].compactMap(\.self),
      network: source, time: time)
    let (client, session, switches) = (network.client, network.session, network.switches)
    let journal = Self.journal(configuration, network, console)
    let changes = Self.changes(configuration, network, console, inspector)
    let data = Self.data(configuration, session)
    let marks = FavouriteMarks()
    let photos = ResourceLoader(
      over: network.pipeline, decoder: PhotoDecoder(), limits: ResourceLimits(decodedBytes: 8 << 20))
    let host = renderer ?? TerminalHost(console: console)
    let navigator = try Navigator(
      host: host, state: NavigationState(tabs: ["homes", "members", "settings"], limit: 100),
      aspects: Self.aspects(journal))
    let redirects = RedirectTables(AppDeployments.policy(configuration))
    let deployments = try AppDeployments(configuration.deployments)
    mediator = try Mediator(
      schemes: ["estate"], hosts: ["www.estate.test"],
      modules: [
        ListingsModule(client: client, marks: marks),
        HomeDetailModule(
          client: client, marks: marks, notes: KeptNotes(data), data: data, flags: deployments.flags),
        MortgageModule(client: client),
        AccountModule(
          client: client, session: session, tags: network.tags, responses: network.responses,
          prompt: prompt, changes: changes, marks: marks, data: data
        ) { journal?.record("logged in") },
        HelpModule(client: client),
        PhotosModule(photos: photos),
        FaultsModule(client: client, stranger: CurlDispatcher(), port: configuration.port),
        SettingsModule(
          client: client, switches: switches, addresses: network.addresses, journal: journal,
          deployments: deployments, data: data
        ) {
          ["Loads: \(busy.count) in flight, at most \(busy.peak) at a time so far"] + notes.lines
        },
      ],
      guards: [MembersGuard(session: session), OfflineGuard(network: switches.network)],
      observers: Self.observers(console, journal, inspector),
      environment: RouteEnvironment(navigator: navigator).setting(DemonstrationKey.self, to: true),
      web: .webPage,
      // A link that arrives while many wait is more likely a mistake than what the user waits for.
      links: LinkQueuePolicy(limit: 8, dropsNewest: true),
      redirector: redirects)
    self.navigator = navigator
    self.host = host
    self.redirects = redirects
    self.deployments = deployments
    self.tally = tally
    self.journal = journal
    self.changes = changes
    self.data = data
    self.inspector = inspector
    pages = SitePages(configuration, over: network)
    addresses = network.addresses
    responses = network.responses
    self.photos = photos
    self.session = session
    self.console = console
    dispatcher = network.dispatcher
    loginQuestion = question
    question.ask = { [weak mediator] in
      session.end()
      changes?.update()
      return (try? await mediator?.call(LoginRoute())) ?? false
    }
    if renderer == nil { mediator.ready() }
    if configuration.worksInBackground { network.addresses.start() }
    // First of all what an earlier run has left.
    journal?.start()
    changes?.start()
    // The stream ends with the session, which the modules hold.
    Task { [events = session.events(), weak inspector] in
      for await event in events {
        console.write("  · session: \(event.word)")
        inspector?.note("Session: \(event.word)", about: .authorization)
      }
    }
    if let inspector { Self.inspect(network, mediator, with: inspector) }
    if let interventions { inspector?.showsInterventions(of: interventions) }
    try deployments.start(configuration, redirects: redirects, time: time) { [weak inspector] event in
      console.write("  · \(event)")
      inspector?.note("\(event)", about: .deployment, tone: event.tone)
    }
  }

  package var summary: String { tally.line }

  func metricsLines() async -> [String] { await telemetry.report(of: dispatcher) }

  var spanLines: [String] { telemetry.spans.lines }

  /// Ends the app: uploads what was recorded, and prints the metrics, the waterfall of the slowest request,
  /// if one was answered, and the summary.
  package func finish() async {
    await closeFiles()
    let report = [""] + (await metricsLines()) + (journal?.lines ?? []) + [""]
    let waterfall = tally.slowest.map { Waterfall($0).lines + [""] } ?? []
    for line in report + waterfall + [summary] { say(line) }
  }

  package var memberName: String? { session.name }

  /// Opens a URL as code of the app, and prints the answer or the error.
  @discardableResult package func open(_ url: String) async -> StepResult {
    await attempt(opening: url).result
  }

  /// Opens a URL as code of the app, and prints and returns its outcome.
  package func attempt(opening url: String) async -> Attempt {
    await attempt(url) { mediator in
      let answer = try await mediator.open(url, returning: (any Sendable).self)
      return answer is Void ? nil : "\(answer)"
    }
  }

  package func back() { perform(.pop) }

  /// Performs a command of the user, and prints why it is not possible.
  func perform(_ command: NavigationCommand) {
    do { try navigator.perform(command) } catch { say("  ! \(error)") }
  }

  package func say(_ line: String) { console.write(line) }

  /// Prints indented lines.
  func say(_ lines: [String]) { for line in lines { say("  " + line) } }

  func run(
    _ title: String, _ action: @Sendable (Mediator) async throws -> String?
  ) async -> StepResult {
    await attempt(title, action).result
  }

  /// Runs an action with the mediator, and prints and returns its outcome.
  package func attempt(
    _ title: String, _ action: @Sendable (Mediator) async throws -> String?
  ) async -> Attempt {
    console.write("")
    console.write("▶ \(title)")
    do {
      let answer = try await action(mediator)
      if let answer { console.write("  = \(answer)") }
      deployments.confirm()
      return Attempt(result: .done, text: answer)
    } catch {
      let shown = ShownError(error)
      tally.countError()
      console.write("  ! \(shown.label): \(shown.sentence)")
      if let isLoggedIn = await loginQuestion.answer() {
        console.write(isLoggedIn ? "  · logged in again; repeat the step" : "  · not logged in")
      }
      return Attempt(result: .failed(shown.label), text: shown.sentence)
    }
  }
}

extension AuthorizationEvent {
  fileprivate var word: String {
    switch self {
    case .refreshed: "the token was refreshed"
    case .refreshFailed(let error): "the token could not be refreshed, \(error.label)"
    case .needsLogin: "a login is needed"
    }
  }
}
