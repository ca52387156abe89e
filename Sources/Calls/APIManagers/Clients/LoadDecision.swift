import HTTPTypes
import Interception

/// The decision whether and how a load is sent, once its params have become a request.
struct LoadDecision: Hashable, Sendable {
  /// Whether and how a load is sent.
  enum Action: Hashable, Sendable {
    /// The request is sent into the pipeline.
    ///
    /// - Parameters:
    ///   - isFromStore: Whether only stored responses are used, because there is no network.
    ///   - isStored: Whether a stored response is known to exist that serves the request.
    case send(isFromStore: Bool, isStored: Bool)
    /// An equal request is in flight; its response serves this load too.
    case join(RequestID)
    /// Nothing is sent.
    case refuse(LoadOutcome)
  }

  /// Whether and how the load is sent.
  var action: Action
  /// The earlier requests that are cancelled before.
  var superseded: [RequestID] = []

  /// What a manager contributes to the decision; nothing for a load without a manager.
  struct ManagerState {
    /// The name of the hook that refuses the load, if any.
    var veto: String?
    /// The earlier requests in flight that count for the strategy, the latest one first.
    var inFlight: [Request] = []
    /// Whether the caller reports that a stored response serves the load.
    var reportsStored = false
  }

  /// Decides on a request, in the order veto, downgrade switch, in-flight strategy, reachability.
  ///
  /// - Parameters:
  ///   - downgrade: Why the API is switched off, if it is.
  ///   - strategy: How the load is handled while earlier ones are in flight.
  ///   - stored: Returns what is known about a stored response. A cache forms a key for it, so it is called
  ///     only if the decision depends on it.
  static func decide(
    on request: Request, of manager: ManagerState, downgrade: String?, strategy: InFlightStrategy,
    network: NetworkStatus, stored: () -> CacheRule.StoredState
  ) -> LoadDecision {
    if let name = manager.veto { return LoadDecision(action: .refuse(.vetoed(by: name))) }
    if let downgrade { return LoadDecision(action: .refuse(.downgraded(reason: downgrade))) }

    let earlier = manager.inFlight
    var superseded: [RequestID] = []
    switch strategy {
    case .parallel: break
    case .cancelPrevious: superseded = earlier.map(\.id)
    case .ignoreNew:
      if let other = earlier.first(where: { !$0.isEquivalent(to: request) }) {
        return LoadDecision(action: .refuse(.ignored(inFlight: other.id)))
      }
      if let joined = earlier.first(where: { $0.demand >= request.demand }) {
        return LoadDecision(action: .join(joined.id))
      }
    }

    let isOffline = network == .offline
    let rule = request.context.cacheRule
    let stored = rule.permitsStored && (isOffline || manager.reportsStored) ? stored() : .absent
    if isOffline, stored == .absent {
      return LoadDecision(action: .refuse(.offline), superseded: superseded)
    }
    let isStored =
      switch isOffline ? .onlyStored : rule.mode {
      case .useFresh: stored == .fresh
      case .onlyStored, .preferStored: stored == .fresh || stored == .stale
      case .reload, .revalidate, .noStore: false
      }
    return LoadDecision(
      action: .send(isFromStore: isOffline, isStored: isStored), superseded: superseded)
  }
}

extension CacheRule {
  /// Whether a stored response may serve the request, unless the cache's default rule says otherwise.
  fileprivate var permitsStored: Bool { (limit != nil || isInherited) && mode != .noStore }
}

extension Request {
  /// How much the request asks for: a stored response, any response, or one of the server.
  fileprivate var demand: Int {
    switch context.cacheRule.mode {
    case .onlyStored: 0
    case .useFresh, .preferStored: 1
    case .reload, .revalidate, .noStore: 2
    }
  }

  /// Whether the request only reads, so that it can be sent again: by its method, or because its response may
  /// be stored.
  var isRead: Bool {
    head.method.isSafe || context.cacheRule.limit != nil && context.cacheRule.mode != .noStore
  }

  /// Whether the response to either request is also valid for the other.
  func isEquivalent(to other: Request) -> Bool {
    guard permits(.joining), other.permits(.joining) else { return false }
    return head.method == other.head.method && head.scheme == other.head.scheme
      && head.authority == other.head.authority && head.path == other.head.path
      && body.bytes == other.body.bytes
      && context.partition == other.context.partition
      && head.headerFields.withoutTracing == other.head.headerFields.withoutTracing
  }
}

extension HTTPFields {
  /// The fields that may affect the response.
  fileprivate var withoutTracing: HTTPFields {
    var fields = self
    for name in HTTPField.Name.tracing where fields.contains(name) { fields[name] = nil }
    return fields
  }
}

extension LoadOutcome {
  /// Returns the error that the caller or the delegate receives if no request is sent for the load.
  func error(of api: APIIdentity) -> APIError {
    switch self {
    case .invalid(let error): APIError(error, api)
    case .vetoed(let name): APIError(vetoedBy: name, api, "before a request was sent")
    case .downgraded(let reason): APIError(.downgraded, api, reason: reason)
    case .ignored(let request), .joined(let request), .sent(let request), .cached(let request):
      APIError(
        .ignored(inFlight: request), api,
        reason:
          "Request \(request) is in flight, and the API allows one at a time; load again when it has finished."
      )
    case .offline: APIError(.offline, api, reason: APIError.offlineReason)
    }
  }
}
