public import Downloads
import HTTPTypes
public import Interception

/// Loads APIs from any actor, and configures the app's managers.
///
/// The app creates one client at startup and passes it to its modules.
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
  package var environments: EnvironmentSwitch
  /// The status of the network.
  public var reachability: ReachabilityState
  /// The APIs that are switched off.
  public var downgrades: DowngradeList
  /// Returns, without waiting, what the cache knows about the response to a request; nil if no cache reports
  /// it.
  ///
  /// With `CachingInterceptor.storedState(for:)` a load distinguishes ``LoadOutcome/cached(_:)`` and
  /// ``LoadOutcome/offline`` from ``LoadOutcome/sent(_:)``. It is called for a manager's delegate, and for
  /// all loads without a network.
  package var storedState: (@Sendable (Request) -> CacheRule.StoredState)?
  /// The hooks of every load of a manager, after the manager's own; loads of the client itself have none.
  public var hooks: [any APIHooks]
  /// The account on whose behalf requests are sent, or an empty string; accounts never share a response.
  public var account: @Sendable () -> String
  /// The params and header fields of every request, whichever the service; none by default.
  public var common = CommonFields()
  /// The time limits and cache rules that replace those of endpoints, for all copies of the client.
  package let overrides = EndpointOverrides()

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
  /// Returns a client, for one manager or one module, whose requests also pass further interceptors, each
  /// behind the app's interceptors up to its own stage.
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
  /// A load takes the steps of an ``APIManager`` without param source, hooks, delegate, and
  /// ``InFlightStrategy``: a client doesn't relate one load to another. Encoding, interceptors and decoding
  /// run off the caller's actor. Cancelling the caller's task cancels the request.
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
    return try await end(try startAlone(api, params, cacheMode: cacheMode), of: api, reportingTo: meter)
      .output
  }

  /// Loads an API, and returns its output and the response.
  @concurrent func loadWhole<A: API>(
    _ api: A, _ params: A.Params, cacheMode: CacheRule.Mode?
  ) async throws(APIError) -> LoadedResponse<A.Output> {
    try await end(try startAlone(api, params, cacheMode: cacheMode), of: api, reportingTo: nil)
  }

  /// Loads an API that takes no params and returns its output, as ``load(_:_:cacheMode:reportingTo:)`` does.
  @concurrent public func load<A: API>(
    _ api: A, cacheMode: CacheRule.Mode? = nil, reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> A.Output where A.Params == NoParams {
    try await load(api, NoParams(), cacheMode: cacheMode, reportingTo: meter)
  }

  /// Returns the output of the stored response, fresh or stale, and then the output of the server's response.
  ///
  /// ```swift
  /// for try await page in client.updates(of: HouseList(), HouseList.Params(city: "Lodi")) { show(page) }
  /// ```
  ///
  /// Use it for a screen that first shows what it showed last. There is one output if no cache stores the
  /// API's responses, if nothing valid is stored, or if the server confirms the stored response or returns
  /// the same status and content. After the stored output, the sequence throws an error of the server's
  /// response, the lack of a network, and a change of the account. For a manager with a delegate, call
  /// ``APIManager/load(_:cacheMode:reportingTo:)`` with the mode `onlyStored`, and then with `revalidate`.
  public func updates<A: API>(of api: A, _ params: A.Params) -> StoredUpdates<A.Output, APIError> {
    StoredUpdates { () async throws(APIError) in
      var account: String?
      let stored: LoadedResponse<A.Output>?
      do throws(APIError) {
        stored = try await loaded(api, params, cacheMode: .onlyStored, for: &account)
      } catch {
        if error.kind == .cancelled { throw error }
        stored = nil
      }
      // Without a cache in the pipeline, this is the server's response.
      if let stored, !stored.response.isFromCache { return (stored.output, nil) }
      return (
        stored?.output,
        { [account] () async throws(APIError) in
          var account = account
          let shown = stored?.response
          let loaded = try await loaded(
            api, params, cacheMode: .revalidate, for: &account, hasShown: shown != nil)
          if loaded.response.isFromCache && shown != nil { return nil }
          return loaded.response.status == shown?.status && loaded.response.bytes == shown?.bytes
            ? nil : loaded.output
        }
      )
    }
  }

  /// Loads with a cache mode, and returns the response.
  ///
  /// - Parameters:
  ///   - account: The account of the load before, also if nothing was stored for it, which must be that of
  ///     this one; nil for the first load, which sets it.
  ///   - hasShown: Whether an output was returned before. Without a network there is no other.
  @concurrent private func loaded<A: API>(
    _ api: A, _ params: A.Params, cacheMode: CacheRule.Mode, for account: inout String?,
    hasShown: Bool = false
  ) async throws(APIError) -> LoadedResponse<A.Output> {
    let start = try startAlone(api, params, cacheMode: cacheMode)
    let current = start.request.identified(over: dispatcher).context.partition
    // A load from before the first login belongs to no account.
    guard account.map({ $0.isEmpty || $0 == current }) ?? true else {
      let error = NetworkError(
        .rejected,
        "The account has changed since the first load; load again if it is meant for the new one.")
      throw APIError(error, A.identity, request: start.request.id, isOffline: false)
    }
    account = current
    if hasShown, start.isFromStore { throw LoadOutcome.offline.error(of: A.identity) }
    return try await end(start, of: api, reportingTo: nil)
  }

  /// Downloads an API's content to a file, and resumes an earlier download of it.
  ///
  /// ```swift
  /// let outcome = try await client.download(FloorPlan(), FloorPlan.Params(home: 42), to: "/data/plan.pdf")
  /// ```
  ///
  /// A `FileDownload` runs after the steps of a load. Afterwards the file is complete and on disk, or an
  /// unfinished file beside it waits for the next call. The download continues after a lost connection. A
  /// complete and unchanged file is not transferred again. The content is neither cached nor validated by the
  /// API; the service's rule decides on a rejected status, without the content. The time limit of the whole
  /// attempt doesn't apply; set `RequestOptions.Timeouts.idle` in the endpoint's options.
  ///
  /// - Parameters:
  ///   - path: The target file, which is replaced at the end.
  ///   - identity: Identifies the content. It defaults to the URL; set it if common params change the URL
  ///     from call to call.
  ///   - meter: Receives the number of bytes in the file; it is finished when the function returns.
  /// - Throws: The error of a load. ``APIError/cause`` has a `DownloadFault` as `underlying` if the file
  ///   could not be written.
  @concurrent public func download<A: API>(
    _ api: A, _ params: A.Params, to path: String, identity: String? = nil,
    reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> FileDownload.Outcome {
    defer { meter?.finish() }
    let start = try startAlone(api, params, isTransfer: true)
    return try await end(start, of: api, to: path, identity: identity, reportingTo: meter).output
  }

  /// Loads an API and returns its response as soon as the head has arrived, with the content as a stream.
  ///
  /// ```swift
  /// let response = try await client.stream(PriceChanges(), PriceChanges.Params(city: "Lodi"))
  /// for try await event in try ServerSentEvents(response) { show(event) }
  /// ```
  ///
  /// The status is checked before; the first 1 MiB of a rejected response's content becomes part of the
  /// error. The service's rule and the API's validator are not applied to an accepted response, whose content
  /// has not arrived yet. It is not cached, and the time limit of the whole attempt doesn't apply. Releasing
  /// the stream cancels the request.
  ///
  /// - Parameter meter: Receives the progress of both bodies; it is finished at the end of the stream.
  @concurrent public func stream<A: API>(
    _ api: A, _ params: A.Params, reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> Response {
    do throws(APIError) {
      return try await endAtHead(try startAlone(api, params, isTransfer: true), of: api, reportingTo: meter)
        .output
    } catch {
      meter?.finish()
      throw error
    }
  }

  /// Starts a load that is related to no other one; its request may be sent.
  func startAlone<A: API>(
    _ api: A, _ initial: A.Params, cacheMode: CacheRule.Mode? = nil, isTransfer: Bool = false
  ) throws(APIError) -> LoadStart {
    guard !Task.isCancelled else {
      throw APIError(.cancelled, A.identity, reason: "The caller's task was already cancelled.")
    }
    var params = initial
    let start: LoadStart
    do throws(ParamsError) {
      start = try self.start(api, &params, cacheMode: cacheMode, isTransfer: isTransfer)
    } catch {
      throw LoadOutcome.invalid(error).error(of: A.identity)
    }
    if case .refuse(let refusal) = start.decision.action { throw refusal.error(of: A.identity) }
    return start
  }
}

// The engine of clients and managers: each load has one start and one end. Only what knows the API's types is
// generic, because generic code is slower in another module.
extension APIClient {
  /// Starts a load: reforms and validates its params, forms its request, and decides whether to send it.
  ///
  /// - Parameters:
  ///   - params: The caller's params; the reformed ones afterwards.
  ///   - isTransfer: Whether the response isn't collected in memory, so that no cache stores it.
  ///   - manager: Returns what a manager contributes to the decision; nothing for a load without one.
  /// - Throws: The ``ParamsError`` of the API or the encoding.
  func start<A: API>(
    _ api: A, _ params: inout A.Params, cacheMode: CacheRule.Mode? = nil, isTransfer: Bool = false,
    manager: (Request, A.Params) -> LoadDecision.ManagerState = { _, _ in LoadDecision.ManagerState() }
  ) throws(ParamsError) -> LoadStart {
    params = api.reform(params)
    try api.validate(params)
    let endpoint = A.endpoint
    var request = try endpoint.request(
      for: params, at: environments.address(of: endpoint.details.service), partition: account(),
      common: common)
    let override = overrides.override(of: endpoint.details.identity)
    if let override { request.options.timeouts.replace(with: override.timeouts) }
    if isTransfer {
      request.context.cacheRule = .off
      request.context.cacheTags = []
      request.context.storageCheck = nil
      request.options.delivery = .streamed
      request.options.timeouts.whole = nil
    } else {
      let ownRule = endpoint.details.values.cacheRule
      let rule = override?.rule(for: ownRule) ?? ownRule
      if cacheMode != nil || override != nil {
        request.context.cacheRule = rule.with(cacheMode ?? rule.mode)
      }
      if rule.limit != nil || rule.isInherited && endpoint.details.isRead {
        let tags = api.tags(for: params)
        if !tags.isEmpty { request.context.cacheTags = tags }
        request.context.storageCheck = api.storageCheck(of: request.id)
      }
    }
    return decide(on: request, to: endpoint.details, manager(request, params))
  }

  /// Decides whether a load is sent, and limits its request to stored responses if there is no network.
  private func decide(
    on request: Request, to details: EndpointDescription, _ manager: LoadDecision.ManagerState
  ) -> LoadStart {
    let decision = LoadDecision.decide(
      on: request, of: manager, downgrade: downgrades.downgrade(of: details.identity),
      strategy: details.values.inFlight, network: reachability.status
    ) {
      // Without a function that knows the cache, a default rule of it can't be expected.
      storedState.map { $0(request.identified(over: dispatcher)) }
        ?? (request.context.cacheRule.isInherited ? .absent : .unknown)
    }
    var request = request
    if case .send(isFromStore: true, _) = decision.action {
      request.context.cacheRule = request.context.cacheRule.with(.onlyStored)
    }
    return LoadStart(request: request, decision: decision)
  }

  /// Ends a load: sends its request, and returns the response with its output, after the checks of the
  /// service and the API.
  func end<A: API>(
    _ start: LoadStart, of api: A, reportingTo meter: TransferMeter?
  ) async throws(APIError) -> LoadedResponse<A.Output> {
    let details = A.endpoint.details
    let (response, reading) = try await respond(to: start, of: details, reportingTo: meter)
    if let reading, reading.request == start.request.id {
      // A cache has asked the API about this response, which is unchanged since.
      if let kept = reading.output, let output = kept as? A.Output {
        return LoadedResponse(response: response, output: output)
      }
    } else if let error = api.rejection(of: response, by: details) {
      throw api.failure(error, of: start.request)
    }
    do {
      return LoadedResponse(response: response, output: try api.output(from: response))
    } catch {
      throw api.failure(APIError(readingOf: response, by: A.self, error), of: start.request)
    }
  }

  /// Sends a request, and returns its response with the whole content, and the output if a cache has asked
  /// for it.
  private func respond(
    to start: LoadStart, of details: EndpointDescription, reportingTo meter: TransferMeter?
  ) async throws(APIError) -> (APIResponse, Response.Reading?) {
    let request = start.request
    do throws(NetworkError) {
      let response = try await dispatch(request, reportingTo: meter)
      let limit = if case .buffered(let limit) = request.delivery { limit } else { 64 << 20 }
      let bytes = try await response.body.collect(upTo: limit)
      return (APIResponse(of: details, request.id, response, bytes: bytes), response.reading)
    } catch {
      throw start.failure(error, of: details)
    }
  }

  /// Ends a download: sends its request, and returns the head of the response with the outcome.
  func end<A: API>(
    _ start: LoadStart, of api: A, to path: String, identity: String?, reportingTo meter: TransferMeter?
  ) async throws(APIError) -> LoadedResponse<FileDownload.Outcome> {
    let (request, details) = (start.request, A.endpoint.details)
    do throws(NetworkError) {
      let download = FileDownload(request, to: path, identity: identity)
      let outcome = try await download.run(over: dispatcher, reportingTo: meter)
      let head = APIResponse(
        api: details.identity, request: request.id, status: outcome.head.status,
        headerFields: outcome.head.headerFields, bytes: [], exchange: outcome.exchange)
      return LoadedResponse(response: head, output: outcome)
    } catch {
      guard case DownloadFault.status(let head)? = error.underlying else {
        throw start.failure(error, of: details)
      }
      let response = APIResponse(
        api: details.identity, request: request.id, status: head.status, headerFields: head.headerFields,
        bytes: [], exchange: Exchange(attempts: error.attempt, retryRefusal: error.retryRefusal))
      throw details.rejection(ofUnaccepted: response).of(request)
    }
  }

  /// Ends a load at the head of its response, whose status is accepted, and returns the response as a stream.
  func endAtHead<A: API>(
    _ start: LoadStart, of api: A, reportingTo meter: TransferMeter?
  ) async throws(APIError) -> LoadedResponse<Response> {
    let (request, details) = (start.request, A.endpoint.details)
    let head: APIResponse
    do throws(NetworkError) {
      let response = try await dispatch(request, reportingTo: meter)
      let isAccepted = details.values.acceptedStatuses.contains(response.status.code)
      head = APIResponse(
        of: details, request.id, response, bytes: isAccepted ? [] : await response.bytes(ofFirst: 1 << 20))
      if isAccepted { return LoadedResponse(response: head, output: response) }
    } catch {
      throw start.failure(error, of: details)
    }
    throw api.failure(details.rejection(ofUnaccepted: head), of: request)
  }

  private func dispatch(
    _ request: Request, reportingTo meter: TransferMeter?
  ) async throws(NetworkError) -> Response {
    if let meter { return try await dispatcher.dispatch(request, reportingTo: meter) }
    return try await dispatcher.dispatch(request)
  }
}

/// A load that has started: its request, and what becomes of it.
struct LoadStart: Sendable {
  let request: Request
  let decision: LoadDecision

  /// Whether only stored responses are used, because there is no network.
  var isFromStore: Bool { if case .send(isFromStore: true, _) = decision.action { true } else { false } }

  /// Returns the error of a load whose request the chain failed.
  func failure(_ error: NetworkError, of details: EndpointDescription) -> APIError {
    APIError(error, details.identity, request: request.id, isOffline: isFromStore).of(request)
  }
}

/// A response with what was made of it: the API's output, a file, or itself as a stream.
struct LoadedResponse<Output: Sendable>: Sendable {
  let response: APIResponse
  let output: Output
}

extension APIResponse {
  fileprivate init(
    of details: EndpointDescription, _ request: RequestID, _ response: Response, bytes: [UInt8]
  ) {
    self.init(
      api: details.identity, request: request, status: response.status,
      headerFields: response.head.headerFields, bytes: bytes, exchange: response.exchange)
  }
}

extension EndpointDescription {
  /// Returns the error of a response whose status is not accepted, as the service's rule decides.
  fileprivate func rejection(ofUnaccepted response: APIResponse) -> APIError {
    let error = rejection(of: response) { _ throws(ResponseError) in }
    return error ?? APIError(unacceptedStatusOf: response)
  }
}

extension API {
  /// Returns why a response is rejected before its output is read, or nil if it isn't.
  fileprivate func rejection(of response: APIResponse, by details: EndpointDescription) -> APIError? {
    details.rejection(of: response) { response throws(ResponseError) in try validate(response) }
  }

  /// Returns the error of a response to a request, with its failure body if the API declares one.
  fileprivate func failure(_ error: APIError, of request: Request) -> APIError {
    guard Failure.self != Never.self, let response = error.response, !response.bytes.isEmpty else {
      return error.of(request)
    }
    return error.of(request, failureBody: try? failure(from: response))
  }

  /// Returns the check by which a cache stores only responses that the caller receives as a success.
  ///
  /// The output stays with the response, so that it is validated and decoded once.
  fileprivate func storageCheck(of request: RequestID) -> CacheRule.StorageCheck {
    CacheRule.StorageCheck(reading: { head, bytes in
      let response = APIResponse(
        api: Self.identity, request: request, status: head.status, headerFields: head.headerFields,
        bytes: bytes)
      guard rejection(of: response, by: Self.endpoint.details) == nil,
        let output = try? output(from: response)
      else { return nil }
      // The cache doesn't know the exchange yet, which is a part of a raw response.
      return Response.Reading(request: request, output: Self.Output.self == APIResponse.self ? nil : output)
    })
  }
}
