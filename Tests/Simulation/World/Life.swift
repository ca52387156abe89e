import APIManagers
import ActivityReporting
import CookieKeeping
import DNSBypass
import Deployment
import HTTPTypes
import Interception
import Logging
import OfflineMutations
import RequestAuthorization
import RequestLogging
import RequestRetry
import RequestSharing
import RequestSigning
import RequestTelemetry
import ResponseCaching
import Switchyard
import SwitchyardTesting

/// The app from its start to the end of its process.
final class Life: @unchecked Sendable {
  let port: NetworkPort
  let pipeline: Pipeline
  let member: BearerAuthorization
  let cache: CachingInterceptor
  let memory: MemoryStore
  let sharing: SharingInterceptor
  let cookies: CookieStore
  let mutations: MutationQueue?
  let activities: ActivityLog?
  let archive: HARRecorder?
  let tracer: BaggageTracer?
  let client: APIClient
  /// What deployment documents have changed; nil in a history without them.
  let deployed: DeployedState?
  /// Removes the stored responses that the app's own changes make stale.
  let tags: TagRegistry
  let world: World
  private let login: Login
  /// The calls in flight.
  var tasks: [Int: Task<Void, Never>] = [:]
  /// The lists that are being read for the account.
  var exports: [Task<Void, Never>] = []
  /// The screen that shows a list; accessed on the main actor.
  var screen: ListScreen?

  init(_ world: World, account: String?) throws {
    self.world = world
    let login = Login(account)
    self.login = login
    let settings = world.plan.settings
    let time = world.clock.source
    port = NetworkPort(world, canRace: settings.canRace)
    let token = try account.map { try world.accessToken(world.tokens.issue(to: $0), of: $0) }
    member = BearerAuthorization(
      from: SimulatedTokenSource(world: world, port: port, account: { nil }), starting: token,
      account: account,
      leeway: .seconds(5), time: time)
    memory = MemoryStore(limits: settings.storeLimits)
    sharing = SharingInterceptor(ignoring: SharingInterceptor.tracingFields + [World.callField])
    cache = CachingInterceptor(
      memory: memory, store: settings.hasDisk ? world.disk : nil,
      volatile: World.volatile, defaultRule: .stated(), time: time)
    cookies = CookieStore(time: time)
    let bypass =
      try settings.hasBypass
      ? DNSBypassInterceptor(
        AddressTable([APIServer.origin: ["10.0.0.1", "10.0.0.2"]], allowing: [.private]),
        prober: nil, time: time) : nil
    let watch = InlineInterceptor("Watch", stage: Stage(rank: 150, name: "watch")) { request, next in
      world.checks.entered(request)
      return try await next.dispatch(request)
    }
    let attempts = InlineInterceptor("Attempts", stage: Stage(rank: 301, name: "attempts")) {
      [port] request, next in
      do throws(NetworkError) {
        let response = try await next.dispatch(request)
        world.checks.attemptEnded(request, .success(response), by: port)
        return response
      } catch {
        world.checks.attemptEnded(request, .failure(error), by: port)
        throw error
      }
    }
    let returns: @Sendable () async -> Void = { await world.connectivity.returns() }
    let retry = RetryInterceptor(
      RetryPolicy(attemptLimit: settings.attempts),
      budget: settings.hasBudget ? RetryBudget(capacity: AttemptOracle.budgetCapacity) : nil,
      circuitBreaker: settings.hasBreaker ? CircuitBreaker(failureLimit: AttemptOracle.failureLimit) : nil,
      hedging: settings.hasHedging ? HedgingPolicy() : nil,
      waitForNetwork: settings.waitsForNetwork ? returns : nil, time: time, random: world.fork())
    var logger = Logger(label: "app") { _ in SecretFinder(checks: world.checks) }
    logger.logLevel = .trace
    archive = settings.isRecording ? HARRecorder() : nil
    tracer = settings.isRecording ? BaggageTracer() : nil
    let telemetry = tracer.map {
      TelemetryInterceptor(
        metrics: SearchingMetrics(checks: world.checks), tracer: $0,
        sendingBaggageTo: .authority(APIServer.origin), time: time)
    }
    let others =
      [watch, attempts] + (archive.map { [$0] as [any Interceptor] } ?? [])
      + (telemetry.map { [$0] as [any Interceptor] } ?? [])
    pipeline = try Pipeline.standard(
      over: port,
      sharing: sharing,
      retry: retry,
      cookies: CookieInterceptor(cookies),
      authorization: settings.hasOwnField
        ? AuthorizationInterceptor(MemberFieldScheme(base: member), for: [APIServer.origin])
        : AuthorizationInterceptor(member, for: [APIServer.origin]),
      signing: SigningInterceptor(
        keys: SigningKeys(world.signingKey, identity: .app), sealingTo: world.platform?.publicKey,
        verifierWindow: settings.verifierWindow, time: time
      ).only(for: .authority(APIServer.origin)),
      caching: cache, routing: bypass,
      logging: settings.isRecording ? LoggingInterceptor(logger: logger, time: time) : nil, adding: others,
      time: time)
    client = APIClient(
      dispatcher: pipeline, reachability: ReachabilityState(world.network.isUp ? .online : .offline),
      storedState: settings.hasStoredState ? cache.storedState(for:) : nil,
      account: { login.account ?? "" })
    deployed = settings.hasDeployments ? try DeployedState(client) : nil
    do throws(DeploymentError) { try deployed?.restore(world.deploymentFile) } catch {
      world.checks.fail(.signatures, "the stored document is refused: \(error)")
    }
    tags = TagRegistry { [cache, sharing] stale in
      await cache.wipe(tags: stale)
      sharing.closeFlights()
    }
    guard settings.hasQueues else {
      (mutations, activities) = (nil, nil)
      return
    }
    let random = RandomNumbers(world.fork())
    mutations = try MutationQueue(
      path: world.mutationFile.path, over: pipeline, limits: MutationLimits(count: settings.queueLimit),
      time: time,
      random: random.next, executor: world.mutationFile.run, account: { login.account ?? "" })
    let upload = ActivityUpload(
      Request(method: .post, authority: ActivityServer.origin, path: "/events"), batchCount: 3,
      interval: .seconds(20), encode: { Array($0.events.map(\.name).joined(separator: ",").utf8) })
    activities = try ActivityLog(
      path: world.activityFile.path, uploading: upload, over: try Pipeline(over: port, time: time) {},
      limits: ActivityLimits(), durability: .processKill, maximumPages: nil, time: time,
      random: random.next, executor: world.activityFile.run, account: { "" })
    mutations?.start()
    activities?.start()
  }

  /// The account that uses the app.
  var account: String? { login.account }

  @MainActor func login(_ account: String) throws {
    login.account = account
    for export in exports { export.cancel() }
    screen?.accountDidChange(to: account)
    mutations?.accountDidChange()
    member.replaceToken(
      with: try world.accessToken(world.tokens.issue(to: account), of: account), account: account)
  }

  @MainActor func logout() {
    login.account = nil
    for export in exports { export.cancel() }
    screen?.accountDidChange(to: nil)
    mutations?.accountDidChange()
    member.replaceToken(with: nil)
  }

  /// The device was connected or disconnected.
  func networkDidChange() {
    let isUp = world.network.isUp
    client.reachability.update(isUp ? .online : .offline)
    mutations?.networkDidChange(isAvailable: isUp)
  }

  /// Shows a list, and does something on its screen.
  @MainActor func show(_ list: Int, _ gesture: ListScreen.Gesture) {
    let shown =
      screen.flatMap { $0.list == list ? $0 : nil }
      ?? ListScreen(world, client, tags: tags, list: list, account: account)
    screen = shown
    shown.perform(gesture)
  }

  /// Ends the process.
  func die() {
    port.isDead = true
    for task in Array(tasks.values) + exports { task.cancel() }
    Task { @MainActor in screen = nil }
    close()
  }

  /// Ends the work in the background.
  func close() {
    let (mutations, activities) = (mutations, activities)
    Task {
      await mutations?.close()
      await activities?.close()
    }
    if let tracer { world.checks.written("a span", tracer.text) }
    if let archive { world.checks.written("HAR", String(decoding: archive.archive(), as: UTF8.self)) }
  }
}

/// Who uses the app.
private final class Login: @unchecked Sendable {
  // Accessed on the scheduler's thread only.
  var account: String?
  init(_ account: String?) { self.account = account }
}

/// The tokens of a login in a field of the app's own.
private struct MemberFieldScheme: AuthorizationScheme {
  let base: BearerAuthorization

  func identity(for request: Request) -> Request.Identity? { base.identity(for: request) }

  func credentials(for request: Request) async throws -> Credentials? {
    try await base.credentials(for: request).map { try Credentials($0.value, in: World.memberField) }
  }

  func canRenewCredentials(for request: Request, after refusal: Refusal) -> Bool {
    base.canRenewCredentials(for: request, after: Self.bearer(refusal))
  }

  func renewedCredentials(for request: Request, after refusal: Refusal) async throws -> Credentials {
    let renewed = try await base.renewedCredentials(for: request, after: Self.bearer(refusal))
    return try Credentials(renewed.value, in: World.memberField)
  }

  private static func bearer(_ refusal: Refusal) -> Refusal {
    Refusal(of: refusal.sent.flatMap { try? Credentials($0.value) }, head: refusal.head)
  }
}

/// Random numbers from 0 up to 1.
private final class RandomNumbers: @unchecked Sendable {
  private var generator: SeededRandom
  init(_ generator: SeededRandom) { self.generator = generator }
  func next() -> Double { Double.random(in: 0..<1, using: &generator) }
}

/// A log's destination, which looks for secrets.
private struct SecretFinder: LogHandler {
  let checks: Checks
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .trace

  init(checks: Checks) { self.checks = checks }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    checks.written("a log line", "\(event.message) \(event.metadata ?? [:])")
  }
}
