import HTTPTypes
import Interception

extension APIManager {
  /// The result of starting a load.
  enum Beginning {
    /// A request is in flight, sent by this load or an earlier one.
    case flying(RequestID, LoadOutcome)
    /// Another request is in flight instead; nothing is delivered.
    case ignored(LoadOutcome, APIFailure)
    /// No request was sent, and the failure is to be delivered.
    case refused(LoadOutcome, APIFailure)
  }

  func begin(_ params: A.Params, cacheMode: CacheRule.Mode?, isForDelegate: Bool) -> Beginning {
    let params = api.reform(params)
    var request: Request
    do throws(ParamsFault) {
      try api.validate(params)
      request = try A.endpoint.request(
        for: params, at: host.environments.address(of: A.endpoint.service), partition: host.account())
    } catch {
      return .refused(.invalid(error), APIFailure(error, identity.api))
    }
    if request.context.cacheRule.lifetime != nil { request.context.storageCheck = storageCheck(request.id) }
    if let cacheMode { request.context.cacheRule = request.context.cacheRule.with(cacheMode) }

    let call = APICall(manager: identity, request: request, params: params)
    if let vetoer = allHooks.first(where: { !$0.shouldCall(call) }) {
      return .refused(.vetoed(by: vetoer.name), vetoed(by: vetoer.name, "before a request was sent"))
    }
    if let reason = host.downgrades.downgrade(of: identity.api) {
      return .refused(.downgraded(reason: reason), APIFailure(.downgraded, identity.api, reason: reason))
    }
    if let earlier = giveWay(to: request, isForDelegate: isForDelegate) { return earlier }
    return depart(call, isForDelegate: isForDelegate)
  }

  /// Applies the in-flight strategy; returns nil if the request may be sent.
  private func giveWay(to request: Request, isForDelegate: Bool) -> Beginning? {
    let flying = flights.values.filter { $0.cancellation == nil }
    switch A.endpoint.inFlight {
    case .parallel: return nil
    case .cancelPrevious:
      for flight in flying {
        cancel(flight.request.id, because: "A later load of the same manager superseded the request.")
      }
      return nil
    case .ignoreNew:
      guard let earlier = flying.first?.request else { return nil }
      guard earlier.asksForTheSame(as: request) else {
        let failure = APIFailure(
          .ignored(inFavourOf: earlier.id), identity.api,
          reason:
            "Request \(earlier.id) is in flight, and the API allows one at a time; load again when it has finished."
        )
        return .ignored(.ignored(inFavourOf: earlier.id), failure)
      }
      if isForDelegate { flights[earlier.id]?.isForDelegate = true }
      return .flying(earlier.id, .joined(earlier.id))
    }
  }

  private func depart(_ call: APICall, isForDelegate: Bool) -> Beginning {
    var request = call.request
    let rule = request.context.cacheRule
    let isOffline = host.reachability.status == .offline
    let stored: StoredAnswerState =
      rule.lifetime == nil ? .absent : host.storedAnswers?.state(for: request) ?? .unknown
    if isOffline {
      guard stored != .absent else {
        return .refused(.offline, APIFailure(.offline, identity.api, reason: APIFailure.offlineReason))
      }
      request.context.cacheRule = rule.with(.onlyStored)
    }

    let id = request.id
    let task = Task { [weak self, api, dispatcher = host.dispatcher, request] in
      let result = await Self.answer(to: request, api: api, dispatcher: dispatcher, isOffline: isOffline)
      self?.land(id, result)
    }
    flights[id] = Flight(request: request, task: task, isForDelegate: isForDelegate)
    for hook in allHooks {
      hook.afterCall(APICall(manager: identity, request: request, params: call.params))
    }
    let isAnsweredFromStore =
      switch request.context.cacheRule.mode {
      case .useFresh: stored == .fresh
      case .onlyStored: stored == .fresh || stored == .stale
      case .reload: false
      }
    return .flying(id, isAnsweredFromStore ? .cached(id) : .sent(id))
  }

  /// Returns a check that keeps answers out of the cache that the caller would receive as failures.
  private func storageCheck(_ request: RequestID) -> CacheRule.StorageCheck {
    CacheRule.StorageCheck { [api] head, bytes in
      let answer = RawAnswer(
        api: A.identity, request: request, status: head.status, headerFields: head.headerFields, bytes: bytes)
      return Self.fault(of: answer, judgedBy: api) == nil
    }
  }

  private nonisolated static func fault(of answer: RawAnswer, judgedBy api: A) -> APIFailure? {
    guard A.endpoint.acceptedStatuses.contains(answer.status.code) else {
      return APIFailure(refusedStatusOf: answer)
    }
    do throws(AnswerFault) {
      try api.validate(answer)
      return nil
    } catch {
      return APIFailure(error, answer)
    }
  }

  /// Sends a request and validates its answer, away from the main actor.
  @concurrent private nonisolated static func answer(
    to request: Request, api: A, dispatcher: any Dispatcher, isOffline: Bool
  ) async -> Result<RawAnswer, APIFailure> {
    let limit = if case .buffered(let limit) = request.options.delivery { limit } else { 64 << 20 }
    let answer: RawAnswer
    do throws(NetworkError) {
      let response = try await dispatcher.dispatch(request)
      let bytes = try await response.body.collect(upTo: limit)
      answer = RawAnswer(
        api: A.identity, request: request.id, status: response.status,
        headerFields: response.head.headerFields,
        bytes: bytes, exchange: response.exchange)
    } catch {
      return .failure(APIFailure(error, A.identity, request: request.id, isOffline: isOffline))
    }
    if let failure = fault(of: answer, judgedBy: api) { return .failure(failure) }
    return .success(answer)
  }
}
