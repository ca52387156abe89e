public import Interception

/// What managers need of the app they run in; the app makes it once, at startup, and hands it to its modules.
///
/// Everything but the dispatcher has a safe default: the release environment, an unknown network, nothing
/// switched off, no account.
///
/// ```swift
/// let host = HostApp(dispatcher: pipeline, environments: EnvironmentSwitch(.develop))
/// ```
public struct HostApp: Sendable {
  /// What requests go into: the pipeline, or a test's double.
  public var dispatcher: any Dispatcher
  /// Which environment each service is used in.
  public var environments: EnvironmentSwitch
  /// Whether there is a network.
  public var reachability: any Reachability
  /// Which APIs are switched off.
  public var downgrades: any DowngradeSwitch
  /// What the cache knows at once; nil where there is no cache that could say.
  public var storedAnswers: (any StoredAnswers)?
  /// What is told of every load of every manager, after the manager's own hooks.
  public var hooks: [any APIHooks]
  /// The account on whose behalf requests are sent; empty for none.
  ///
  /// Answers of one account are never given to another one.
  public var account: @Sendable () -> String

  /// Makes a host of a dispatcher; everything else has a safe default.
  public init(
    dispatcher: any Dispatcher, environments: EnvironmentSwitch = EnvironmentSwitch(),
    reachability: any Reachability = ReachabilityState(), downgrades: any DowngradeSwitch = DowngradeList(),
    storedAnswers: (any StoredAnswers)? = nil, hooks: [any APIHooks] = [],
    account: @escaping @Sendable () -> String = { "" }
  ) {
    self.dispatcher = dispatcher
    self.environments = environments
    self.reachability = reachability
    self.downgrades = downgrades
    self.storedAnswers = storedAnswers
    self.hooks = hooks
    self.account = account
  }
}
