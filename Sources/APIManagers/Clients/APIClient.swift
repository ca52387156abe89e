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
  /// ``LoadOutcome/sent(_:)``. `CachingInterceptor.storedState(for:)` of `ResponseCaching` is such a
  /// function.
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
