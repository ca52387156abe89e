import Interception

extension APIManager {
  /// The result of starting a load.
  enum LoadStart {
    /// A request is in flight, sent by this load or an earlier one.
    case inFlight(RequestID, LoadOutcome)
    /// No request was sent.
    case refused(LoadRefusal)
  }

  func start(
    _ params: A.Params, cacheMode: CacheRule.Mode?, meter: TransferMeter?, isForDelegate: Bool
  ) -> LoadStart {
    var load: APILoad<A>
    do throws(ParamsError) {
      load = try APILoad(api, params, cacheMode: cacheMode, client: client)
    } catch {
      return .refused(.invalid(error))
    }
    let hooks = allHooks
    let call = hooks.isEmpty ? nil : APICall(manager: identity, request: load.request, params: load.params)
    let decision = load.decide(
      veto: { call.flatMap { call in hooks.first { !$0.shouldLoad(call) }?.name } },
      inFlight: { inFlight.values.filter { $0.cancellation == nil }.map(\.request) })
    for request in decision.superseded {
      cancel(request, because: "A later load of the same manager superseded the request.")
    }
    switch decision.action {
    case .send(_, let isStored):
      let id = load.request.id
      send(load, meter: meter, isForDelegate: isForDelegate)
      return .inFlight(id, isStored ? .cached(id) : .sent(id))
    case .join(let earlier):
      if isForDelegate { inFlight[earlier]?.isForDelegate = true }
      return .inFlight(earlier, .joined(earlier))
    case .refuse(let refusal): return .refused(refusal)
    }
  }

  private func send(_ load: APILoad<A>, meter: TransferMeter?, isForDelegate: Bool) {
    let request = load.request
    // The task starts on Swift's pool, and returns to the main actor once, with the result.
    let task = Task { @concurrent [weak self, load, meter] in
      let result = await load.run(reportingTo: meter)
      meter?.finish()
      await self?.finish(load.request.id, result)
    }
    inFlight[request.id] = InFlightRequest(request: request, task: task, isForDelegate: isForDelegate)
    for hook in allHooks {
      hook.didSend(APICall(manager: identity, request: request, params: load.params))
    }
  }
}
