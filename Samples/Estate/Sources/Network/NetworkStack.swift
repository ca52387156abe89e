import MessageSignatures
package import Switchyard

/// The app's network layer: the pipeline with its interceptors, created once at startup.
package struct NetworkStack: Sendable {
  package let client: APIClient
  package let session: Session
  package let responses: ResponseCache
  /// Removes stored responses whose data has become stale, and notifies the screens that show it.
  package let tags: TagRegistry
  package let addresses: ServerAddresses
  package let switches: AppSwitches
  package let pipeline: Pipeline
  /// The interceptors of uploads in the background, over the same dispatcher.
  let uploads: Pipeline
  /// The dispatcher alone, which counts its requests and connections.
  package let dispatcher: CurlDispatcher

  /// Creates the pipeline.
  ///
  /// - Parameters:
  ///   - port: The port of the sample's server on this machine.
  ///   - authorities: A PEM file with the certificate authority of the server.
  ///   - environment: The environment in which the app starts, if no other choice was kept.
  ///   - recorders: Interceptors that record what is sent and change nothing.
  ///   - interventions: Interceptors that alter calls.
  /// - Throws: `PipelineIssue`, or the error of an invalid address.
  package init(
    port: Int, authorities: String, keys: EstateKeys, files: NetworkFiles = NetworkFiles(),
    environment: DeploymentEnvironment = .release, logger: Logger, hooks: [any APIHooks] = [],
    observers: [any PipelineObserver] = [], recorders: [any Interceptor] = [],
    interventions: [any Interceptor] = [], network: any NetworkSource = SystemNetworkSource(),
    time: TimeSource = .system
  ) throws {
    let dispatcher = CurlDispatcher(
      configuration: CurlDispatcher.Configuration(
        tls: TLSPolicy(authorityFile: authorities),
        alternativeServices: files.alternativeServices.map {
          AlternativeServiceFile($0) { logger.warning("\($0)") }
        }))
    let addresses = try ServerAddresses(
      port: port, file: files.addresses, key: keys.addresses, dispatcher: dispatcher, network: network,
      logger: logger)
    // One for all pipelines, so that each learns from the others' connections.
    let bypass = addresses.bypass
    let switches = AppSwitches(environment, keptIn: files.environments)
    if let error = switches.environments.storeError { logger.warning("\(error)") }
    let responses = ResponseCache(folder: files.responses, time: time, logger: logger)
    let cache = responses.interceptor
    // Not the app's pipeline, whose requests wait for the refresh.
    let tokens = try OAuthTokenSource(
      "https://\(Service.estateHost)/v1/token", client: OAuthClient(id: "estate"), grant: .refreshToken,
      over: Pipeline(over: dispatcher, observers: observers) { bypass })
    let cookies = files.cookies.map { CookieStore(file: $0) { logger.warning("\($0)") } } ?? CookieStore()
    let session = Session(tokens: tokens, cookies: cookies)
    let authorization = try AuthorizationInterceptor(
      session.authorization, for: [Service.estateHost, Service.stagingHost],
      isRefusal: { $0.status == .unauthorized && $0.head.isBearerChallenge })
    let signing = SigningInterceptor(
      keys: EstateKeySource(key: keys.signing, switches: switches), verifierWindow: keys.verifierWindow)
    let messageSigning = MessageSigningInterceptor(
      key: keys.message, identity: .app, verifying: ResponseVerification(keys: MessageKeys(keys.message))
    ).only(for: .where { switches.usesMessageSignature($0) })
    let limits = RequestLimits(schemes: ["https"])
    let notes = APIIdentity(service: "estate", name: "notes.add")
    let sharing = SharingInterceptor()
    pipeline = try Pipeline(over: dispatcher, observers: observers) {
      ValidationInterceptor(
        limits: limits, rules: [.requiringBody(of: notes)],
        // A portal of a wireless network answers with a web page.
        responseRules: [.requiringJSON(of: APIIdentity(service: "estate", name: "favourites.list"))])
      sharing
      RedirectInterceptor()
      // A server that is down is not asked again by each screen that the user opens meanwhile.
      // Once 200 responses have shown how long it takes, an unusually slow read is sent a second time.
      RetryInterceptor(
        circuitBreaker: CircuitBreaker(failureLimit: 10, pause: .seconds(5)),
        hedging: HedgingPolicy(sampleMinimum: 200))
      CookieInterceptor(cookies)
      authorization.only(for: .where { _ in session.name != nil })
      signing
      cache
      // An agent gets at most five notes a minute from one device; another one fails at once.
      RateLimitInterceptor(RateLimit(5, per: .seconds(60)), maximumWaiting: 0)
        .only(for: .api(notes))
      bypass
      interventions
      CompressionInterceptor()
      LoggingInterceptor(logger: logger)
      recorders
      messageSigning
      TamperingInterceptor()
    }
    // Not sent again here, not cached, logged or observed: the queue behind it does what is needed.
    uploads = try Pipeline(over: dispatcher) {
      ValidationInterceptor(limits: limits)
      NetworkCheckInterceptor(network: switches.network)
      signing
      bypass
      CompressionInterceptor()
      messageSigning
    }
    var client = APIClient(
      dispatcher: pipeline, environments: switches.environments, reachability: switches.network,
      downgrades: switches.downgrades, storedState: cache.storedState(for:), hooks: hooks,
      account: { session.name ?? "" })
    client.common = .estate
    self.client = client
    self.session = session
    self.responses = responses
    tags = TagRegistry { stale in
      await responses.remove(stale)
      // Screens that load again don't join a request from before.
      sharing.closeFlights()
    }
    self.addresses = addresses
    self.switches = switches
    self.dispatcher = dispatcher
  }
}

extension HTTPResponse {
  /// Whether a token is asked for; the server refuses a signature with the same status.
  fileprivate var isBearerChallenge: Bool { headerFields[.wwwAuthenticate]?.hasPrefix("Bearer ") == true }
}

extension CommonFields {
  /// What all services of the app expect.
  fileprivate static let estate = CommonFields(headerFields: { _ in [.acceptLanguage: "en-US"] })
}
