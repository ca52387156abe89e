public import Interception
public import Observation

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
/// SwiftUI and other readers of `Observation` bind to ``state``. Code without a delegate awaits
/// ``load(_:for:cacheMode:reportingTo:)``.
///
/// The steps of a load are: param source, `reform`, `validate(params)`, veto by hooks, downgrade switch,
/// in-flight strategy, reachability, pipeline. If one of them ends it early, its ``LoadOutcome`` says so, and
/// the failure is delivered too, unless the load was ignored. Releasing a manager cancels its requests;
/// nothing is delivered afterwards.
@Observable @MainActor public final class APIManager<A: API>: APIManaging {
  /// The API and the name of this manager.
  public nonisolated let identity: ManagerIdentity
  /// The delegate that receives responses and failures; held weakly.
  @ObservationIgnored public weak var delegate: (any APIManagerDelegate)?
  /// The source of the params for ``load()``.
  @ObservationIgnored public var paramSource: ParamSource<A.Params>?
  /// The hooks of this manager, which run before the app's hooks; held strongly.
  @ObservationIgnored public var hooks: [any APIHooks] = []
  /// The raw data of the last successful load; kept when a later load fails.
  ///
  /// Loads are in the order in which they began: if an earlier one ends after a later one has succeeded, its
  /// response is delivered, and this one is kept.
  public internal(set) var lastResponse: APIResponse? {
    didSet { reformedValues = ReformedValues() }
  }
  /// The error of the last load that has ended, in the order in which they began; nil after a success.
  public internal(set) var lastError: APIError?

  let client: APIClient
  private let api: A
  private var inFlight: [RequestID: InFlightLoad<A.Output>] = [:]
  private var lastLoaded: LoadState<A.Output, APIError>.Loaded?
  @ObservationIgnored private var lastWaiter: UInt64 = 0
  @ObservationIgnored private var outcomes = LoadOrder()
  @ObservationIgnored private var reformedValues = ReformedValues()

  /// Creates a manager of an API.
  ///
  /// - Parameter name: Distinguishes this manager from others of the same API, for reformers that need to.
  public init(_ api: A, client: APIClient, name: String? = nil) {
    self.api = api
    self.client = client
    identity = ManagerIdentity(api: A.identity, name: name)
  }

  deinit {
    guard !_inFlight.isEmpty else { return }
    for entry in _inFlight.values { entry.cancelTask() }
    let requests = _inFlight.keys.sorted { $0.number < $1.number }
    Task { @MainActor [identity, hooks = hooks + client.hooks] in
      for hook in hooks { hook.didRelease(identity, cancelling: requests) }
    }
  }

  /// Whether a request is in flight.
  public var isLoading: Bool { !inFlight.isEmpty }

  /// What was loaded last and what is being loaded.
  ///
  /// `Observation` tracks it, as it does the other results: a reader is notified once, however many changes
  /// follow before it reads again.
  public var state: LoadState<A.Output, APIError> {
    if isLoading { return .loading(before: lastLoaded) }
    if let lastError { return .failed(lastError, before: lastLoaded) }
    return lastLoaded.map { .loaded($0) } ?? .idle
  }

  /// Cancels one request, which ends with ``APIError/Kind/cancelled``.
  ///
  /// It has no effect on a request that has finished or belongs to another manager.
  public func cancel(_ request: RequestID) { cancel(request, because: "The request was cancelled.") }

  /// Cancels all requests of this manager, each of which ends with ``APIError/Kind/cancelled``.
  public func cancelAll() {
    for request in Array(inFlight.keys) { cancel(request) }
  }

  /// Clears the last response, its output and the last error; in-flight requests continue.
  public func clear() {
    (lastResponse, lastLoaded, lastError) = (nil, nil, nil)
    outcomes.clear()
  }

  /// Returns the data of the last successful load, converted by a reformer; see
  /// ``APIManaging/lastResponse(as:)``.
  public func lastResponse<R: Reformer>(as reformer: R) throws(APIError) -> R.Output {
    guard let lastResponse else {
      throw APIError(
        .noResponse, identity.api,
        reason: "No load has succeeded yet; load first, and convert the response after a success.")
    }
    if let output = reformedValues.output(of: reformer) { return output }
    let output = try lastResponse.reformed(by: reformer, from: identity)
    reformedValues.keep(output, of: reformer)
    return output
  }
}

extension APIManager {
  /// Loads with params from ``paramSource``, which an API without params doesn't need.
  @discardableResult public func load() -> LoadOutcome { load(nil) }

  /// Loads for the delegate.
  ///
  /// - Parameters:
  ///   - params: The params; nil for those from ``paramSource``.
  ///   - cacheMode: How this load uses stored responses, for example `CacheRule.Mode.reload` for
  ///     pull-to-refresh; nil for the endpoint's mode.
  ///   - meter: Receives the progress of the request's body, and of the response's if the endpoint's
  ///     delivery is streamed. It is finished when the request ends, or at once if the load sends none.
  @discardableResult public func load(
    _ params: A.Params? = nil, cacheMode: CacheRule.Mode? = nil, reportingTo meter: TransferMeter? = nil
  ) -> LoadOutcome {
    switch start(params, cacheMode: cacheMode, reportsStored: true) {
    case .ready(let start, let call):
      send(start, reportingTo: meter, isForDelegate: true)
      noteSent(call)
      if case .send(_, isStored: true) = start.decision.action { return .cached(start.request.id) }
      return .sent(start.request.id)
    case .unsent(let outcome):
      meter?.finish()
      switch outcome {
      case .joined(let earlier): inFlight[earlier]?.isForDelegate = true
      case .ignored: break
      default:
        let (failure, order) = (outcome.error(of: identity.api), outcomes.begin())
        // Later, so that no delegate is called from within this function.
        Task { [weak self] in _ = self?.end(.failure(failure), of: order, isForDelegate: true) }
      }
      return outcome
    }
  }

  /// Loads for the caller, who receives the response in a form; the delegate is not called.
  ///
  /// ```swift
  /// let page = try await houses.load(.output, for: HouseList.Params(city: "Lodi"))
  /// ```
  ///
  /// Cancelling the caller's task cancels the request, unless another caller or the delegate waits for it
  /// too.
  ///
  /// - Parameters:
  ///   - form: What is returned: the API's output, the raw response, the output of a reformer, a file or a
  ///     stream.
  ///   - params: The params; nil for those from ``paramSource``.
  ///   - cacheMode: How this load uses stored responses; nil for the endpoint's mode.
  ///   - meter: Receives the progress, as for ``load(_:cacheMode:reportingTo:)``.
  /// - Throws: The error that the delegate would receive.
  public func load<Value>(
    _ form: ResponseForm<A, Value>, for params: A.Params? = nil, cacheMode: CacheRule.Mode? = nil,
    reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> Value {
    try await form.load(self, params, cacheMode, meter)
  }

  /// Loads the whole response, which other loads may join.
  func loadWhole(
    _ params: A.Params?, cacheMode: CacheRule.Mode?, reportingTo meter: TransferMeter?
  ) async throws(APIError) -> LoadedResponse<A.Output> {
    defer { meter?.finish() }
    guard !Task.isCancelled else { throw failed(alreadyCancelled) }
    lastWaiter += 1
    let number = lastWaiter
    let arrival = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = InFlightLoad<A.Output>.Waiter(continuation)
        switch start(params, cacheMode: cacheMode) {
        case .ready(let start, let call):
          send(start, reportingTo: meter, to: (number, waiter))
          noteSent(call)
        case .unsent(.joined(let earlier)): inFlight[earlier]?.waiters[number] = waiter
        case .unsent(let outcome): waiter.resume(returning: .ended(.failure(refused(outcome))))
        }
      }
    } onCancel: {
      Task { @MainActor [weak self] in self?.endWait(number) }
    }
    switch arrival {
    case .ended(let result): return try result.get()
    case .received(let request, let result): return try (finish(request, result) ?? result).get()
    }
  }

  /// Loads a response that the caller alone receives: as a file, or as a stream.
  ///
  /// - Parameter receive: Ends the load, away from the main actor.
  func loadTransfer<Value: Sendable>(
    _ params: A.Params?,
    _ receive: @escaping @Sendable (APIClient, A, LoadStart) async throws(APIError) -> LoadedResponse<Value>
  ) async throws(APIError) -> Value {
    guard !Task.isCancelled else { throw failed(alreadyCancelled, isTransfer: true) }
    let (start, call): (LoadStart, APICall?)
    switch self.start(params, isTransfer: true) {
    case .ready(let ready, let noted): (start, call) = (ready, noted)
    case .unsent(let outcome): throw refused(outcome, isTransfer: true)
    }
    let task = Task { @concurrent [client, api] in
      await Result(awaiting: { () async throws(APIError) in try await receive(client, api, start) })
    }
    let request = start.request
    inFlight[request.id] = InFlightLoad(request: request, isTransfer: true) { task.cancel() }
    noteSent(call)
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    inFlight[request.id] = nil
    if let withheld = deliver(result.map(\.response)) { throw withheld }
    return try result.get().output
  }
}

// How a load starts and ends.
extension APIManager {
  /// What becomes of a load.
  private enum Start {
    /// Its request is to be sent, and then the hooks receive the call.
    case ready(LoadStart, APICall?)
    /// It is refused, or served by an earlier request.
    case unsent(LoadOutcome)
  }

  /// Starts a load, which may cancel earlier ones.
  private func start(
    _ given: A.Params?, cacheMode: CacheRule.Mode? = nil, isTransfer: Bool = false,
    reportsStored: Bool = false
  ) -> Start {
    let hooks = allHooks
    do throws(ParamsError) {
      var params = if let given { given } else { try sourcedParams() }
      let start = try client.start(api, &params, cacheMode: cacheMode, isTransfer: isTransfer) {
        request, params in
        let call = hooks.isEmpty ? nil : APICall(manager: identity, request: request, params: params)
        let veto = call.flatMap { call in hooks.first { !$0.shouldLoad(call) }?.name }
        return LoadDecision.ManagerState(
          veto: veto, inFlight: veto == nil ? requestsInFlight(before: request) : [],
          reportsStored: reportsStored)
      }
      for earlier in start.decision.superseded {
        cancel(earlier, because: "A later load of the same manager superseded the request.")
      }
      switch start.decision.action {
      case .send:
        let call =
          hooks.isEmpty ? nil : APICall(manager: identity, request: start.request, params: params)
        return .ready(start, call)
      case .join(let earlier):
        // The content of a transfer has one reader, and is not kept.
        let isKept = !isTransfer && inFlight[earlier]?.isTransfer == false
        return .unsent(isKept ? .joined(earlier) : .ignored(inFlight: earlier))
      case .refuse(let outcome): return .unsent(outcome)
      }
    } catch {
      return .unsent(.invalid(error))
    }
  }

  /// Returns the params from the source, or those of an API without params.
  private func sourcedParams() throws(ParamsError) -> A.Params {
    if let paramSource {
      guard let params = paramSource.read() else {
        throw ParamsError("the owner of the manager's param source was released; set paramSource again.")
      }
      return params
    }
    if let none = NoParams() as? A.Params { return none }
    throw ParamsError("the manager has no param source; set paramSource, or call load(_:) with params.")
  }

  /// Returns the requests in flight that count for the in-flight strategy of a load: those that were not
  /// cancelled, the latest one first.
  ///
  /// For `ignoreNew` those of other accounts don't count, nor reads from before flights were closed, because
  /// their responses may be older than what closed them. A write counts until it has ended.
  private func requestsInFlight(before load: Request) -> [Request] {
    var entries = inFlight.values.filter { $0.cancellation == nil }
    if A.endpoint.details.values.inFlight == .ignoreNew, !entries.isEmpty {
      let present = joinability(of: load)
      entries.removeAll { !$0.isTransfer && !$0.counts(for: present) }
    }
    return entries.sorted { $0.order > $1.order }.map(\.request)
  }

  /// Returns what a load must have in common with a request in flight, besides their content, to join it.
  private func joinability(of request: Request) -> InFlightLoad<A.Output>.Joinability {
    let identified = request.identified(over: client.dispatcher)
    return InFlightLoad.Joinability(
      partition: identified.context.partition, isKnown: !identified.hasUnknownIdentity,
      closings: (client.dispatcher as? Pipeline)?.flightClosings ?? 0)
  }

  /// Sends a request, which ``finish(_:_:)`` ends on the main actor.
  ///
  /// - Parameter sender: The waiting caller, which is resumed from Swift's pool with the result and finishes
  ///   the request: to finish it first, and to resume the caller then, would cost another pass through the
  ///   main actor's queue.
  private func send(
    _ start: LoadStart, reportingTo meter: TransferMeter?,
    to sender: (number: UInt64, waiter: InFlightLoad<A.Output>.Waiter)? = nil, isForDelegate: Bool = false
  ) {
    let request = start.request
    // Before the request can be answered; only the strategy ignoreNew asks for it.
    let joins = A.endpoint.details.values.inFlight == .ignoreNew
    let joinability = joins ? joinability(of: request) : InFlightLoad<A.Output>.Joinability()
    // The task starts on Swift's pool, and the main actor is entered once, with the result.
    let task = Task { @concurrent [weak self, api, client, waiter = sender?.waiter] in
      let result = await Result(awaiting: { () async throws(APIError) in
        try await client.end(start, of: api, reportingTo: meter)
      })
      meter?.finish()
      if waiter?.resume(returning: .received(request.id, result)) == true { return }
      // A task of its own: to await the main actor would mean to return to the pool afterwards.
      Task { @MainActor in self?.finish(request.id, result) }
    }
    var load = InFlightLoad<A.Output>(
      request: request, order: outcomes.begin(), joinability: joinability, isForDelegate: isForDelegate,
      sender: sender?.waiter
    ) { task.cancel() }
    if let sender { load.waiters[sender.number] = sender.waiter }
    inFlight[request.id] = load
  }

  private func noteSent(_ call: APICall?) {
    guard let call else { return }
    for hook in allHooks { hook.didSend(call) }
  }

  private func cancel(_ request: RequestID, because reason: String) {
    guard let load = inFlight[request], load.cancellation == nil else { return }
    inFlight[request]?.cancellation = reason
    load.cancelTask()
    // A transfer ends when its file is closed.
    guard !load.isTransfer else { return }
    // The callers are notified even if the dispatcher is slow to react to the cancellation.
    let failure = cancelled(reason, request)
    Task { [weak self] in
      // A sender that is being resumed with the result finishes the request itself.
      guard let self, inFlight[request]?.sender?.isResumed != true else { return }
      finish(request, .failure(failure))
    }
  }

  /// Finishes a request with its response or its cancellation, whichever comes first; later calls have no
  /// effect and return nil.
  @discardableResult func finish(
    _ request: RequestID, _ result: InFlightLoad<A.Output>.Result
  ) -> InFlightLoad<A.Output>.Result? {
    guard let load = inFlight.removeValue(forKey: request) else { return nil }
    return end(
      load.cancellation.map { .failure(cancelled($0, request)) } ?? result, of: load.order,
      isForDelegate: load.isForDelegate, waiters: Array(load.waiters.values))
  }

  /// Ends a load: keeps its result, and delivers it; returns what an `async` caller receives.
  ///
  /// - Parameter order: The load's number among those of this manager.
  @discardableResult private func end(
    _ result: InFlightLoad<A.Output>.Result, of order: UInt64, isForDelegate: Bool,
    waiters: [InFlightLoad<A.Output>.Waiter] = []
  ) -> InFlightLoad<A.Output>.Result {
    var delivered = result
    deliver(result.map(\.response)) {
      switch result {
      case .success(let loaded):
        let (isLatestSuccess, isLatest) = outcomes.end(order, isSuccess: true)
        if isLatestSuccess {
          lastResponse = loaded.response
          lastLoaded = .init(loaded.output, loaded.response.currency)
        }
        if isLatest { lastError = nil }
      case .failure(let failure):
        if outcomes.end(order, isSuccess: false).isLatest { lastError = failure }
      }
    } handing: { withheld in
      if let withheld { delivered = .failure(withheld) }
      for waiter in waiters { waiter.resume(returning: .ended(delivered)) }
      guard isForDelegate, withheld == nil else { return }
      switch result {
      case .success(let loaded): delegate?.managerDidSucceed(self, with: loaded.response)
      case .failure(let failure): delegate?.managerDidFail(self, with: failure)
      }
    }
    return delivered
  }

  /// Delivers a result between the hooks; returns the error that callers receive instead if the service's
  /// rule or a hook withholds it.
  ///
  /// - Parameters:
  ///   - keep: Keeps the result, after the hooks have received it.
  ///   - hand: Hands the result to the delegate and the callers, or the error with which it is withheld.
  @discardableResult private func deliver(
    _ result: Result<APIResponse, APIError>, keeping keep: () -> Void = {},
    handing hand: (APIError?) -> Void = { _ in }
  ) -> APIError? {
    let hooks = allHooks
    for hook in hooks { hook.didReceive(result, of: self) }
    keep()
    let withheld = withholding(result, hooks)
    hand(withheld?.error)
    if let withheld {
      for hook in hooks { hook.didWithhold(result, vetoedBy: withheld.by, of: self) }
      return withheld.error
    }
    switch result {
    case .success(let response): for hook in hooks { hook.afterSuccess(response, of: self) }
    case .failure(let failure): for hook in hooks { hook.afterFailure(failure, of: self) }
    }
    return nil
  }

  /// Returns by what a result is withheld, and what an `async` caller receives instead; nil if it is
  /// delivered.
  private func withholding(
    _ result: Result<APIResponse, APIError>, _ hooks: [any APIHooks]
  ) -> (by: String, error: APIError)? {
    let vetoing: (any APIHooks)?
    switch result {
    case .success(let response): vetoing = hooks.first { !$0.beforeSuccess(response, of: self) }
    case .failure(let failure) where failure.isSwallowed: return (A.endpoint.details.service.name, failure)
    case .failure(let failure): vetoing = hooks.first { !$0.beforeFailure(failure, of: self) }
    }
    return vetoing.map { ($0.name, APIError(vetoedBy: $0.name, identity.api, "before its delivery")) }
  }

  /// Returns what an `async` caller receives for a load that is refused.
  private func refused(_ outcome: LoadOutcome, isTransfer: Bool = false) -> APIError {
    let failure = outcome.error(of: identity.api)
    // Hooks receive no load that is ignored.
    if case .ignored = outcome { return failure }
    return failed(failure, isTransfer: isTransfer)
  }

  /// Passes the failure of a load that sends no request by the hooks, and returns what the caller receives.
  private func failed(_ failure: APIError, isTransfer: Bool = false) -> APIError {
    if isTransfer { return deliver(.failure(failure)) ?? failure }
    let result = end(.failure(failure), of: outcomes.begin(), isForDelegate: false)
    return if case .failure(let delivered) = result { delivered } else { failure }
  }

  /// Ends a caller's wait, whose task was cancelled; its request is cancelled if no other caller waits for
  /// it.
  private func endWait(_ number: UInt64) {
    guard let load = inFlight.values.first(where: { $0.waiters[number] != nil }),
      let waiter = load.waiters[number]
    else { return }
    let request = load.request.id
    guard load.isForDelegate || load.waiters.count > 1 else {
      return cancel(request, because: "The caller's task was cancelled.")
    }
    inFlight[request]?.waiters[number] = nil
    let failure = cancelled("The caller's task was cancelled.", request)
    if waiter.resume(returning: .ended(.failure(failure))), waiter === load.sender {
      inFlight[request]?.sender = nil
    }
  }

  private var allHooks: [any APIHooks] { hooks + client.hooks }

  private var alreadyCancelled: APIError { cancelled("The caller's task was already cancelled.", nil) }

  private func cancelled(_ reason: String, _ request: RequestID?) -> APIError {
    APIError(.cancelled, identity.api, reason: reason, request: request)
  }
}
