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
    case refuse(LoadRefusal)
  }

  /// Whether and how the load is sent.
  var action: Action
  /// The earlier requests that are cancelled before.
  var superseded: [RequestID] = []

  /// Decides on a request, in the order veto, downgrade switch, in-flight strategy, reachability.
  ///
  /// The steps before, param source, reform and validation, produce the request. The closures read the
  /// state that the decision depends on, in the order of the steps and no earlier than it is needed.
  ///
  /// - Parameters:
  ///   - veto: Returns the name of the hook that refuses the load, if any.
  ///   - downgrade: Returns why the API is switched off, if it is.
  ///   - strategy: How the load is handled while earlier ones are in flight.
  ///   - inFlight: Returns the earlier requests in flight that count for the strategy, the latest one first.
  ///   - network: Returns the status of the network.
  ///   - reportsStored: Whether the caller reports that a stored response serves the load.
  ///   - stored: Returns what is known about a stored response. The cache forms a key for it, as it does
  ///     again for the request that arrives there, so it is called only if something depends on it.
  static func decide(
    on request: Request, veto: () -> String?, downgrade: () -> String?, strategy: InFlightStrategy,
    inFlight: () -> [Request], network: () -> NetworkStatus, reportsStored: Bool,
    stored: () -> CacheRule.StoredState
  ) -> LoadDecision {
    if let name = veto() { return LoadDecision(action: .refuse(.vetoed(by: name))) }
    if let reason = downgrade() { return LoadDecision(action: .refuse(.downgraded(reason: reason))) }

    var superseded: [RequestID] = []
    switch strategy {
    case .parallel: break
    case .cancelPrevious: superseded = inFlight().map(\.id)
    case .ignoreNew:
      let earlier = inFlight()
      if let other = earlier.first(where: { !$0.isEquivalent(to: request) }) {
        return LoadDecision(action: .refuse(.ignored(inFlight: other.id)))
      }
      if let joined = earlier.first(where: { $0.demand >= request.demand }) {
        return LoadDecision(action: .join(joined.id))
      }
    }

    let isOffline = network() == .offline
    let rule = request.context.cacheRule
    let stored = rule.permitsStored && (isOffline || reportsStored) ? stored() : .absent
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
    guard let content = body.bytes, let otherContent = other.body.bytes else { return false }
    return head.method == other.head.method && head.scheme == other.head.scheme
      && head.authority == other.head.authority && head.path == other.head.path && content == otherContent
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

/// Why a load sends no request.
enum LoadRefusal: Error, Hashable, Sendable {
  /// The params cannot be sent.
  case invalid(ParamsError)
  /// A hook refused the load.
  case vetoed(by: String)
  /// The API is switched off.
  case downgraded(reason: String)
  /// A different request is in flight, and the API allows one at a time.
  case ignored(inFlight: RequestID)
  /// There is no network and no stored response.
  case offline

  /// The outcome that `load` returns.
  var outcome: LoadOutcome {
    switch self {
    case .invalid(let error): .invalid(error)
    case .vetoed(let name): .vetoed(by: name)
    case .downgraded(let reason): .downgraded(reason: reason)
    case .ignored(let request): .ignored(inFlight: request)
    case .offline: .offline
    }
  }

  /// Returns the error that the caller or the delegate receives.
  func error(of api: APIIdentity) -> APIError {
    switch self {
    case .invalid(let error): APIError(error, api)
    case .vetoed(let name): APIError(vetoedBy: name, api, "before a request was sent")
    case .downgraded(let reason): APIError(.downgraded, api, reason: reason)
    case .ignored(let request):
      APIError(
        .ignored(inFlight: request), api,
        reason:
          "Request \(request) is in flight, and the API allows one at a time; load again when it has finished."
      )
    case .offline: APIError(.offline, api, reason: APIError.offlineReason)
    }
  }
}
