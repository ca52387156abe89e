public import Interception

/// Loads APIs from any actor, and has the app's configuration for its managers; the app creates it once, at
/// startup, and passes it to its modules.
///
/// Everything but the dispatcher has a safe default: the release environment, an unknown network status, no
/// API switched off, no account.
///
/// ```swift
/// let client = APIClient(dispatcher: pipeline, environments: EnvironmentSwitch(.develop))
/// let page = try await client.load(HouseList(), HouseList.Params(city: "Lodi"))
/// ```
///
/// Use the client itself where code awaits an output: in services, in view models, on other actors. Use an
/// ``APIManager`` for a screen that has a delegate, several loads at a time, or reformers of the last
/// response.
public struct APIClient: Sendable {
  /// The dispatcher that sends requests: the pipeline, or a test double.
  public var dispatcher: any Dispatcher
  /// The environment in which each service is used.
  public var environments: EnvironmentSwitch
  /// The status of the network.
  public var reachability: ReachabilityState
  /// The APIs that are switched off.
  public var downgrades: DowngradeList
  /// Returns, without waiting, what the cache knows about the response to a request; nil if no cache reports
  /// it.
  ///
  /// With it a load distinguishes ``LoadOutcome/cached(_:)`` and ``LoadOutcome/offline`` from
  /// ``LoadOutcome/sent(_:)``. It is called for loads that report their outcome, and for all loads without a
  /// network. `CachingInterceptor.storedState(for:)` of `ResponseCaching` is such a function.
  public var storedState: (@Sendable (Request) -> CacheRule.StoredState)?
  /// The hooks of every load of every manager; they run after the manager's own hooks.
  ///
  /// Hooks concern managers: ``load(_:_:cacheMode:reportingTo:)`` doesn't call them.
  public var hooks: [any APIHooks]
  /// The account on whose behalf requests are sent, or an empty string.
  ///
  /// Responses are never shared between accounts.
  public var account: @Sendable () -> String
  /// The params and header fields of every request, whichever the service; none by default.
  public var common = CommonFields()

  /// Creates a client with a dispatcher and defaults for everything else.
  public init(
    dispatcher: any Dispatcher, environments: EnvironmentSwitch = EnvironmentSwitch(),
    reachability: ReachabilityState = ReachabilityState(), downgrades: DowngradeList = DowngradeList(),
    storedState: (@Sendable (Request) -> CacheRule.StoredState)? = nil, hooks: [any APIHooks] = [],
    account: @escaping @Sendable () -> String = { "" }
  ) {
    self.dispatcher = dispatcher
    self.environments = environments
    self.reachability = reachability
    self.downgrades = downgrades
    self.storedState = storedState
    self.hooks = hooks
    self.account = account
  }
}

extension APIClient {
  /// Returns a client whose requests also pass further interceptors, each behind the app's interceptors up to
  /// its own stage.
  ///
  /// Use it for what concerns one manager or one module:
  ///
  /// ```swift
  /// let houses = APIManager(HouseList(), client: try client.inserting { Tracing(screen: "houses") })
  /// ```
  ///
  /// The app's interceptors and their state are shared. If the client's dispatcher is no `Pipeline`,
  /// such as a test double, the interceptors precede it.
  ///
  /// - Throws: `PipelineIssue`, which lists all faults of multiplicity and requirements.
  public func inserting(
    @PipelineBuilder _ interceptors: () -> [any Interceptor]
  ) throws(PipelineIssue) -> APIClient {
    try inserting(interceptors())
  }

  /// Returns a client whose requests also pass further interceptors, some of which are created by
  /// initializers that throw.
  ///
  /// - Throws: The first error of the list, or `PipelineIssue`.
  public func inserting(@PipelineBuilder _ interceptors: () throws -> [any Interceptor]) throws -> APIClient {
    try inserting(interceptors())
  }

  private func inserting(_ interceptors: [any Interceptor]) throws(PipelineIssue) -> APIClient {
    var client = self
    if let pipeline = dispatcher as? Pipeline {
      client.dispatcher = try pipeline.inserting { interceptors }
    } else {
      client.dispatcher = try Pipeline(over: dispatcher) {}.inserting { interceptors }
    }
    return client
  }
}

extension APIClient {
  /// Loads an API and returns its output.
  ///
  /// ```swift
  /// let page = try await client.load(HouseList(), HouseList.Params(city: "Lodi"))
  /// ```
  ///
  /// The steps are those of an ``APIManager``, without what only managers have: a param source, hooks, a
  /// delegate, and the ``InFlightStrategy``, because a client doesn't relate one load to another. It can be
  /// called from any actor: the caller's actor is left once, and the params are encoded, the interceptors
  /// run and the response is decoded away from it. Cancelling the caller's task cancels the request.
  ///
  /// - Parameters:
  ///   - cacheMode: How this load uses stored responses; nil for the endpoint's mode.
  ///   - meter: Receives the progress of the request's body, and of the response's if the endpoint's
  ///     delivery is streamed.
  /// - Throws: The error that the delegate of a manager would receive.
  @concurrent public func load<A: API>(
    _ api: A, _ params: A.Params, cacheMode: CacheRule.Mode? = nil, reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> A.Output {
    defer { meter?.finish() }
    let (request, stored, isFromStore) = try start(api, params, cacheMode: cacheMode)
    let response = try await respond(
      to: request, of: A.endpoint.details.identity, isFromStore: isFromStore, reportingTo: meter)
    return try api.read(response, to: request, stored: stored)
  }

  /// Loads an API that takes no params and returns its output, as ``load(_:_:cacheMode:reportingTo:)`` does.
  @concurrent public func load<A: API>(
    _ api: A, cacheMode: CacheRule.Mode? = nil, reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> A.Output where A.Params == NoParams {
    try await load(api, NoParams(), cacheMode: cacheMode, reportingTo: meter)
  }

  /// Prepares a load whose request may be sent.
  func start<A: API>(
    _ api: A, _ initial: A.Params, cacheMode: CacheRule.Mode?
  ) throws(APIError) -> (request: Request, stored: StoredOutput?, isFromStore: Bool) {
    guard !Task.isCancelled else {
      throw APIError(.cancelled, A.identity, reason: "The caller's task was already cancelled.")
    }
    var params = initial
    var request: Request
    let stored: StoredOutput?
    do throws(ParamsError) {
      (request, stored) = try prepare(api, &params, cacheMode: cacheMode)
    } catch {
      throw LoadRefusal.invalid(error).error(of: A.identity)
    }
    switch decide(on: &request, to: A.endpoint.details).action {
    case .refuse(let refusal): throw refusal.error(of: A.identity)
    case .send(let isFromStore, _): return (request, stored, isFromStore)
    case .join(let earlier):
      // Without requests in flight there is none to join.
      throw LoadRefusal.ignored(inFlight: earlier).error(of: A.identity)
    }
  }
}

/// The status of the network, as set by the app's network monitor, or by a test.
///
/// It rules out only requests that cannot succeed: while the status is ``NetworkStatus/unknown``, requests
/// are sent.
public final class ReachabilityState: Sendable {
  private let broadcast: Broadcast<NetworkStatus>

  /// Creates a state; by default ``NetworkStatus/unknown``, with which every request is sent.
  public init(_ status: NetworkStatus = .unknown) { broadcast = Broadcast(startingWith: status) }

  /// The current status.
  public var status: NetworkStatus { broadcast.latest ?? .unknown }

  /// The current status and every later one, until the state is released.
  ///
  /// Each access returns a separate stream. A slow reader misses intermediate values and receives the latest
  /// one.
  public var changes: AsyncStream<NetworkStatus> { broadcast.values() }

  /// The number of active streams of changes.
  var listenerCount: Int { broadcast.readerCount }

  /// Sets the status; listeners are notified only if it changed.
  public func update(_ status: NetworkStatus) { broadcast.update(status) }
}

/// The status of the network.
public enum NetworkStatus: Sendable, Hashable {
  /// Not known; requests are sent.
  case unknown
  /// There is a network.
  case online
  /// There is no network; only stored responses are available.
  case offline
}
