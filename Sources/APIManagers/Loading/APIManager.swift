public import Interception

/// Loads one API for one caller: params in, raw data out, told to a delegate or to an `async` caller.
///
/// ```swift
/// let houses = APIManager(HouseList(), in: host)
/// houses.delegate = self
/// houses.paramSource = ParamSource(self, \.search)
/// houses.load()
/// // later, in managerDidSucceed(_:with:)
/// let items = try houses.fetch(with: ListItemReformer())
/// ```
///
/// A load goes this way: param source, `reform`, `validate(params)`, veto by hooks, downgrade switch,
/// in-flight strategy, reachability, pipeline. What ends it early is its ``LoadOutcome``, and is delivered as
/// a failure besides.
///
/// Whoever needs the answers holds the manager: one that is released cancels its requests, and nothing is
/// delivered afterwards.
@MainActor public final class APIManager<A: API>: APIManaging {
  /// The API, and the name of this manager.
  public nonisolated let identity: ManagerIdentity
  /// Who is told of answers and failures; held weakly.
  public weak var delegate: (any APIManagerDelegate)?
  /// Where ``load()`` takes its params from.
  public var paramSource: ParamSource<A.Params>?
  /// What may refuse a load and is told of it, before the app's hooks; held strongly.
  public var hooks: [any APIHooks] = []
  /// The raw data of the last success; kept when a later load fails.
  public internal(set) var answer: RawAnswer?
  /// The last failure; nil again after a success.
  public internal(set) var failure: APIFailure?

  let api: A
  let host: HostApp
  var flights: [RequestID: Flight] = [:]
  var lastWaiter: UInt64 = 0

  /// Makes a manager of an API.
  ///
  /// - Parameter name: Tells this manager from others of the same API, where a reformer must know.
  public init(_ api: A, in host: HostApp, name: String? = nil) {
    self.api = api
    self.host = host
    identity = ManagerIdentity(api: A.identity, name: name)
  }

  deinit {
    for flight in flights.values { flight.task?.cancel() }
  }

  /// Whether a request is in flight; true until the last one has landed.
  public var isLoading: Bool { !flights.isEmpty }

  /// Loads with params from ``paramSource``; an API without params needs none.
  @discardableResult public func load() -> LoadOutcome { load(cacheMode: nil) }

  /// Loads with params from ``paramSource``, and its own way with what is stored.
  ///
  /// - Parameter cacheMode: What this load does with stored answers; nil for what the endpoint says.
  @discardableResult public func load(cacheMode: CacheRule.Mode?) -> LoadOutcome {
    switch sourcedParams() {
    case .success(let params): load(params, cacheMode: cacheMode)
    case .failure(let fault): refuse(.invalid(fault), APIFailure(fault, identity.api))
    }
  }

  /// Loads with params given right here.
  ///
  /// - Parameter cacheMode: What this load does with stored answers, as ``CacheRule/Mode/reload`` for a pull
  ///   to refresh; nil for what the endpoint says.
  @discardableResult public func load(_ params: A.Params, cacheMode: CacheRule.Mode? = nil) -> LoadOutcome {
    switch begin(params, cacheMode: cacheMode, isForDelegate: true) {
    case .flying(_, let outcome): outcome
    case .ignored(let outcome, _): outcome
    case .refused(let outcome, let failure): refuse(outcome, failure)
    }
  }

  /// Loads with params from ``paramSource``, and returns the answer; the delegate isn't told.
  public func response() async throws(APIFailure) -> RawAnswer {
    switch sourcedParams() {
    case .success(let params): return try await response(for: params)
    case .failure(let fault):
      return try settle(.failure(APIFailure(fault, identity.api)), toDelegate: false).get()
    }
  }

  /// Loads with params given right here, and returns the answer; the delegate isn't told.
  ///
  /// Cancelling the caller's task cancels the request, unless somebody else waits for it too.
  ///
  /// - Throws: What the delegate would be told as a failure.
  public func response(
    for params: A.Params, cacheMode: CacheRule.Mode? = nil
  ) async throws(APIFailure) -> RawAnswer {
    guard !Task.isCancelled else {
      return try settle(
        .failure(cancelled("The caller's task was cancelled before.", nil)), toDelegate: false
      )
      .get()
    }
    switch begin(params, cacheMode: cacheMode, isForDelegate: false) {
    case .flying(let request, _): return try await landing(of: request).get()
    case .ignored(_, let failure): throw failure
    case .refused(_, let failure): return try settle(.failure(failure), toDelegate: false).get()
    }
  }

  /// Loads with params given right here, and returns the answer as a reformer shows it; the delegate isn't
  /// told.
  ///
  /// The reformer runs on the main actor.
  ///
  /// - Throws: What the delegate would be told as a failure, and ``APIFailure/Kind/malformed(field:)`` when
  ///   the reformer could make nothing of the answer.
  public func response<R: Reformer>(
    for params: A.Params, with reformer: R, cacheMode: CacheRule.Mode? = nil
  ) async throws(APIFailure) -> R.Output {
    try await response(for: params, cacheMode: cacheMode).reformed(by: reformer, from: identity)
  }

  /// Cancels one request; it ends with ``APIFailure/Kind/cancelled``.
  ///
  /// A request that has landed, or is another manager's, is left alone.
  public func cancel(_ request: RequestID) { cancel(request, because: "The request was cancelled.") }

  /// Cancels all requests of this manager; each ends with ``APIFailure/Kind/cancelled``.
  public func cancelAll() {
    for request in flights.keys { cancel(request) }
  }

  /// Forgets answer and failure; requests in flight go on.
  public func clear() {
    answer = nil
    failure = nil
  }

  private func sourcedParams() -> Result<A.Params, ParamsFault> {
    if let paramSource {
      guard let params = paramSource.read() else {
        return .failure(
          ParamsFault("the owner of the manager's param source is gone; set paramSource to one that lives."))
      }
      return .success(params)
    }
    if let none = NoParams() as? A.Params { return .success(none) }
    return .failure(
      ParamsFault("the manager has no param source; set paramSource, or call load(_:) with params."))
  }
}
