public import Interception

/// Loads one API for one caller, and delivers the raw data to a delegate or to an `async` caller.
///
/// ```swift
/// let houses = APIManager(HouseList(), client: client)
/// houses.delegate = self
/// houses.paramSource = ParamSource(self, \.search)
/// houses.load()
/// // later, in managerDidSucceed(_:with:)
/// let items = try houses.lastResponse(as: ListItemReformer())
/// ```
///
/// The steps of a load are: param source, `reform`, `validate(params)`, veto by hooks, downgrade switch,
/// in-flight strategy, reachability, pipeline. If one of them ends it early, its ``LoadOutcome`` says so, and
/// the failure is delivered too.
///
/// The code that needs the responses retains the manager. Releasing a manager cancels its requests; nothing
/// is delivered afterwards.
@MainActor public final class APIManager<A: API>: APIManaging {
  /// The API and the name of this manager.
  public nonisolated let identity: ManagerIdentity
  /// The delegate that receives responses and failures; held weakly.
  public weak var delegate: (any APIManagerDelegate)?
  /// The source of the params for ``load()``.
  public var paramSource: ParamSource<A.Params>?
  /// The hooks of this manager, which run before the app's hooks; held strongly.
  public var hooks: [any APIHooks] = []
  /// The raw data of the last successful load; kept when a later load fails.
  public internal(set) var lastResponse: APIResponse?
  /// The error of the last load; nil after a success.
  public internal(set) var lastError: APIError?

  let api: A
  let client: APIClient
  var inFlight: [RequestID: InFlightRequest] = [:]
  var lastWaiter: UInt64 = 0

  /// Creates a manager of an API.
  ///
  /// - Parameter name: Distinguishes this manager from others of the same API, for reformers that need to.
  public init(_ api: A, client: APIClient, name: String? = nil) {
    self.api = api
    self.client = client
    identity = ManagerIdentity(api: A.identity, name: name)
  }

  deinit {
    guard !inFlight.isEmpty else { return }
    for entry in inFlight.values { entry.task?.cancel() }
    let requests = inFlight.keys.sorted { $0.number < $1.number }
    Task { @MainActor [identity, hooks = hooks + client.hooks] in
      for hook in hooks { hook.didRelease(identity, cancelling: requests) }
    }
  }

  /// Whether a request is in flight.
  public var isLoading: Bool { !inFlight.isEmpty }

  /// Loads with params from ``paramSource``, which an API without params doesn't need.
  @discardableResult public func load() -> LoadOutcome { load(cacheMode: nil) }

  /// Loads with params from ``paramSource`` and a cache mode.
  ///
  /// - Parameter cacheMode: How this load uses stored responses; nil for the endpoint's mode.
  @discardableResult public func load(cacheMode: CacheRule.Mode?) -> LoadOutcome {
    switch sourcedParams() {
    case .success(let params): load(params, cacheMode: cacheMode)
    case .failure(let error): refuse(.invalid(error), APIError(error, identity.api))
    }
  }

  /// Loads with the given params.
  ///
  /// - Parameter cacheMode: How this load uses stored responses, for example `CacheRule.Mode.reload` for
  ///   pull-to-refresh; nil for the endpoint's mode.
  @discardableResult public func load(_ params: A.Params, cacheMode: CacheRule.Mode? = nil) -> LoadOutcome {
    switch start(params, cacheMode: cacheMode, isForDelegate: true) {
    case .inFlight(_, let outcome): outcome
    case .ignored(let outcome, _): outcome
    case .refused(let outcome, let failure): refuse(outcome, failure)
    }
  }

  /// Loads with params from ``paramSource`` and returns the response; the delegate is not called.
  public func response() async throws(APIError) -> APIResponse {
    switch sourcedParams() {
    case .success(let params): return try await response(for: params)
    case .failure(let error):
      return try deliver(.failure(APIError(error, identity.api)), toDelegate: false).get()
    }
  }

  /// Loads with the given params and returns the response; the delegate is not called.
  ///
  /// Cancelling the caller's task cancels the request, unless another caller or the delegate waits for it
  /// too.
  ///
  /// - Throws: The error that the delegate would receive.
  public func response(
    for params: A.Params, cacheMode: CacheRule.Mode? = nil
  ) async throws(APIError) -> APIResponse {
    guard !Task.isCancelled else {
      return try deliver(
        .failure(cancelled("The caller's task was already cancelled.", nil)), toDelegate: false
      )
      .get()
    }
    switch start(params, cacheMode: cacheMode, isForDelegate: false) {
    case .inFlight(let request, _): return try await result(of: request).get()
    case .ignored(_, let error): throw error
    case .refused(_, let failure): return try deliver(.failure(failure), toDelegate: false).get()
    }
  }

  /// Loads with the given params and returns the response converted by a reformer; the delegate is not
  /// called.
  ///
  /// The reformer runs on the main actor.
  ///
  /// - Throws: The error that the delegate would receive, or ``APIError/Kind/malformed(field:)`` if the
  ///   reformer could not convert the response.
  public func response<R: Reformer>(
    for params: A.Params, with reformer: R, cacheMode: CacheRule.Mode? = nil
  ) async throws(APIError) -> R.Output {
    try await response(for: params, cacheMode: cacheMode).reformed(by: reformer, from: identity)
  }

  /// Cancels one request, which ends with ``APIError/Kind/cancelled``.
  ///
  /// It has no effect on a request that has finished or belongs to another manager.
  public func cancel(_ request: RequestID) { cancel(request, because: "The request was cancelled.") }

  /// Cancels all requests of this manager, each of which ends with ``APIError/Kind/cancelled``.
  public func cancelAll() {
    for request in inFlight.keys { cancel(request) }
  }

  /// Clears the last response and the last error; in-flight requests continue.
  public func clear() {
    lastResponse = nil
    lastError = nil
  }

  private func sourcedParams() -> Result<A.Params, ParamsError> {
    if let paramSource {
      guard let params = paramSource.read() else {
        return .failure(
          ParamsError("the owner of the manager's param source was released; set paramSource again."))
      }
      return .success(params)
    }
    if let none = NoParams() as? A.Params { return .success(none) }
    return .failure(
      ParamsError("the manager has no param source; set paramSource, or call load(_:) with params."))
  }
}
