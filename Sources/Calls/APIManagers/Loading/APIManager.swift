public import Interception

/// Loads one API for one caller, and delivers the raw data to a delegate or to an `async` caller.
///
/// ```swift
/// @MainActor final class HousesScreen: APIManagerDelegate {
///   var search = HouseList.Params(city: "Lodi")
///   private let houses: APIManager<HouseList>
///
///   init(client: APIClient) {
///     houses = APIManager(HouseList(), client: client)
///     houses.delegate = self
///     houses.paramSource = ParamSource(self, \.search)
///   }
///
///   func open() { houses.load() }
///
///   func managerDidSucceed(_ manager: any APIManaging, with response: APIResponse) {
///     if let items = try? houses.lastResponse(as: ListItems()) { show(items) }
///   }
///
///   func managerDidFail(_ manager: any APIManaging, with error: APIError) { show(error) }
/// }
/// ```
///
/// ``lastOutput`` is the response as the API's own type. Code without a delegate awaits
/// ``output(for:cacheMode:reportingTo:)``.
///
/// The steps of a load are: param source, `reform`, `validate(params)`, veto by hooks, downgrade switch,
/// in-flight strategy, reachability, pipeline. If one of them ends it early, its ``LoadOutcome`` says so, and
/// the failure is delivered too, unless the load was ignored.
///
/// The code that needs the responses retains the manager. Releasing a manager cancels its requests; nothing
/// is delivered afterwards.
@MainActor public final class APIManager<A: API>: APIManaging, ReformingOnce {
  /// The API and the name of this manager.
  public nonisolated let identity: ManagerIdentity
  /// The delegate that receives responses and failures; held weakly.
  public weak var delegate: (any APIManagerDelegate)?
  /// The source of the params for ``load()``.
  public var paramSource: ParamSource<A.Params>?
  /// The hooks of this manager, which run before the app's hooks; held strongly.
  public var hooks: [any APIHooks] = []
  /// The raw data of the last successful load; kept when a later load fails.
  ///
  /// Loads are in the order in which they began: if an earlier one ends after a later one has succeeded, its
  /// response is delivered, and this one is kept.
  public internal(set) var lastResponse: APIResponse? {
    didSet { reformedValues = ReformedValues() }
  }
  /// The output of the last successful load; kept when a later load fails.
  public internal(set) var lastOutput: A.Output?
  /// The error of the last load that has ended, in the order in which they began; nil after a success.
  public internal(set) var lastError: APIError?

  let api: A
  let client: APIClient
  var inFlight: [RequestID: InFlightRequest<A.Output>] = [:]
  var transfers: [RequestID: InFlightTransfer] = [:]
  var lastWaiter: UInt64 = 0
  var outcomes = LoadOrder()
  var reformedValues = ReformedValues()

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
    for entry in inFlight.values { entry.task.cancel() }
    let requests = inFlight.keys.sorted { $0.number < $1.number }
    Task { @MainActor [identity, hooks = hooks + client.hooks] in
      for hook in hooks { hook.didRelease(identity, cancelling: requests) }
    }
  }

  /// Whether a request is in flight.
  public var isLoading: Bool { !inFlight.isEmpty || !transfers.isEmpty }

  /// Cancels one request, which ends with ``APIError/Kind/cancelled``.
  ///
  /// It has no effect on a request that has finished or belongs to another manager.
  public func cancel(_ request: RequestID) { cancel(request, because: "The request was cancelled.") }

  /// Cancels all requests of this manager, each of which ends with ``APIError/Kind/cancelled``.
  public func cancelAll() {
    for request in Array(inFlight.keys) + Array(transfers.keys) { cancel(request) }
  }

  /// Clears the last response, its output and the last error; in-flight requests continue.
  public func clear() {
    lastResponse = nil
    lastOutput = nil
    lastError = nil
    outcomes.clear()
  }
}

/// The order in which the loads of a manager began, by which the latest outcome is kept.
struct LoadOrder: Sendable {
  private var begun: UInt64 = 0
  private var latestEnd: UInt64 = 0
  private var latestSuccess: UInt64 = 0

  /// Returns the number of a load that begins.
  mutating func begin() -> UInt64 {
    begun += 1
    return begun
  }

  /// Records the end of a load; returns whether no load that began later has succeeded, and whether none has
  /// ended.
  mutating func end(_ load: UInt64, isSuccess: Bool) -> (isLatestSuccess: Bool, isLatest: Bool) {
    defer {
      latestEnd = max(latestEnd, load)
      if isSuccess { latestSuccess = max(latestSuccess, load) }
    }
    return (load > latestSuccess, load > latestEnd)
  }

  /// Forgets what has ended: the next outcome is kept, whichever load it is of.
  mutating func clear() { (latestEnd, latestSuccess) = (0, 0) }
}

/// Receives the results of managers, which hold their delegate weakly.
///
/// One delegate can serve several managers: compare with `manager === houses`. Every load that was neither
/// joined nor ignored ends in exactly one of these calls, unless a hook vetoes the delivery, and never during
/// the call of `load` or `cancel` itself.
@MainActor public protocol APIManagerDelegate: AnyObject {
  /// Called when a valid response was received; ``APIManaging/lastResponse(as:)`` converts it for
  /// presentation.
  func managerDidSucceed(_ manager: any APIManaging, with response: APIResponse)
  /// Called when a load failed; the error's description says why and what to do.
  func managerDidFail(_ manager: any APIManaging, with error: APIError)
}

/// The source of a manager's params: an owner, held weakly, and a closure that reads the params from it.
///
/// ```swift
/// houses.paramSource = ParamSource(screen, \.search)
/// ```
///
/// One owner can be the source of several managers, each with params of its own type.
public struct ParamSource<Params: Sendable> {
  // Neither sendable nor isolated, because a key path of a main-actor class is neither. The manager that
  // reads the source is on the main actor, as is the code that creates it.
  let read: () -> Params?

  /// Creates a source that reads the params from `owner` at each load.
  @MainActor public init<Owner: AnyObject>(_ owner: Owner, _ params: @escaping (Owner) -> Params) {
    read = { [weak owner] in owner.map(params) }
  }

  /// Creates a source of constant params.
  public init(_ params: Params) { read = { params } }
}
