import HTTPTypes
import Interception

extension APIManager {
  /// The result of starting a load.
  enum LoadStart {
    /// A request is in flight, sent by this load or an earlier one.
    case inFlight(RequestID, LoadOutcome)
    /// Another request is in flight instead; nothing is delivered.
    case ignored(LoadOutcome, APIError)
    /// No request was sent, and the failure is to be delivered.
    case refused(LoadOutcome, APIError)
  }

  func start(_ params: A.Params, cacheMode: CacheRule.Mode?, isForDelegate: Bool) -> LoadStart {
    let params = api.reform(params)
    var request: Request
    do throws(ParamsError) {
      try api.validate(params)
      request = try A.endpoint.request(
        for: params, at: client.environments.address(of: A.endpoint.service), partition: client.account())
    } catch {
      return .refused(.invalid(error), APIError(error, identity.api))
    }
    if request.context.cacheRule.lifetime != nil { request.context.storageCheck = storageCheck(request.id) }
    if let cacheMode { request.context.cacheRule = request.context.cacheRule.with(cacheMode) }

    let call = APICall(manager: identity, request: request, params: params)
    if let vetoingHook = allHooks.first(where: { !$0.shouldLoad(call) }) {
      return .refused(
        .vetoed(by: vetoingHook.name), vetoed(by: vetoingHook.name, "before a request was sent"))
    }
    if let reason = client.downgrades.downgrade(of: identity.api) {
      return .refused(.downgraded(reason: reason), APIError(.downgraded, identity.api, reason: reason))
    }
    if let earlier = applyInFlightStrategy(to: request, isForDelegate: isForDelegate) { return earlier }
    return send(call, isForDelegate: isForDelegate)
  }

  /// Applies the in-flight strategy; returns nil if the request may be sent.
  private func applyInFlightStrategy(to request: Request, isForDelegate: Bool) -> LoadStart? {
    let active = inFlight.values.filter { $0.cancellation == nil }
    switch A.endpoint.inFlight {
    case .parallel: return nil
    case .cancelPrevious:
      for entry in active {
        cancel(entry.request.id, because: "A later load of the same manager superseded the request.")
      }
      return nil
    case .ignoreNew:
      guard let earlier = active.first?.request else { return nil }
      guard earlier.isEquivalent(to: request) else {
        let failure = APIError(
          .ignored(inFlight: earlier.id), identity.api,
          reason:
            "Request \(earlier.id) is in flight, and the API allows one at a time; load again when it has finished."
        )
        return .ignored(.ignored(inFlight: earlier.id), failure)
      }
      if isForDelegate { inFlight[earlier.id]?.isForDelegate = true }
      return .inFlight(earlier.id, .joined(earlier.id))
    }
  }

  private func send(_ call: APICall, isForDelegate: Bool) -> LoadStart {
    var request = call.request
    let rule = request.context.cacheRule
    let isOffline = client.reachability.status == .offline
    let stored: CacheRule.StoredState =
      rule.lifetime == nil ? .absent : client.storedState?(request) ?? .unknown
    if isOffline {
      guard stored != .absent else {
        return .refused(.offline, APIError(.offline, identity.api, reason: APIError.offlineReason))
      }
      request.context.cacheRule = rule.with(.onlyStored)
    }

    let id = request.id
    let task = Task { [weak self, api, dispatcher = client.dispatcher, request] in
      let result = await Self.response(to: request, api: api, dispatcher: dispatcher, isOffline: isOffline)
      self?.finish(id, result)
    }
    inFlight[id] = InFlightRequest(request: request, task: task, isForDelegate: isForDelegate)
    for hook in allHooks {
      hook.didSend(APICall(manager: identity, request: request, params: call.params))
    }
    let isStored =
      switch request.context.cacheRule.mode {
      case .useFresh: stored == .fresh
      case .onlyStored: stored == .fresh || stored == .stale
      case .reload: false
      }
    return .inFlight(id, isStored ? .cached(id) : .sent(id))
  }

  /// Returns a check that keeps responses out of the cache that the caller would receive as failures.
  private func storageCheck(_ request: RequestID) -> CacheRule.StorageCheck {
    CacheRule.StorageCheck { [api] head, bytes in
      let response = APIResponse(
        api: A.identity, request: request, status: head.status, headerFields: head.headerFields, bytes: bytes)
      return Self.error(in: response, validatedBy: api) == nil
    }
  }

  private nonisolated static func error(in response: APIResponse, validatedBy api: A) -> APIError? {
    guard A.endpoint.acceptedStatuses.contains(response.status.code) else {
      return APIError(unacceptedStatusOf: response)
    }
    do throws(ResponseError) {
      try api.validate(response)
      return nil
    } catch {
      return APIError(error, response)
    }
  }

  /// Sends a request and validates its response, away from the main actor.
  @concurrent private nonisolated static func response(
    to request: Request, api: A, dispatcher: any Dispatcher, isOffline: Bool
  ) async -> Result<APIResponse, APIError> {
    let limit = if case .buffered(let limit) = request.options.delivery { limit } else { 64 << 20 }
    let response: APIResponse
    do throws(NetworkError) {
      let received = try await dispatcher.dispatch(request)
      let bytes = try await received.body.collect(upTo: limit)
      response = APIResponse(
        api: A.identity, request: request.id, status: received.status,
        headerFields: received.head.headerFields, bytes: bytes, exchange: received.exchange)
    } catch {
      return .failure(APIError(error, A.identity, request: request.id, isOffline: isOffline))
    }
    if let error = error(in: response, validatedBy: api) { return .failure(error) }
    return .success(response)
  }
}
