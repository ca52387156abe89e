import Interception

extension APIManager {
  var allHooks: [any APIHooks] { hooks + client.hooks }

  /// Delivers a refusal asynchronously, so that no delegate is called from within `load`.
  func refuse(_ refusal: LoadRefusal) -> LoadOutcome {
    if case .ignored = refusal { return refusal.outcome }
    let failure = refusal.error(of: identity.api)
    let load = outcomes.begin()
    Task { [weak self] in _ = self?.deliver(.failure(failure), of: load, toDelegate: true) }
    return refusal.outcome
  }

  /// Returns the requests in flight that count for the in-flight strategy of a load: those that were not
  /// cancelled, the latest one first.
  ///
  /// For `ignoreNew` those of other accounts don't count, nor reads from before flights were closed, because
  /// their responses may be older than what closed them. A write counts until it has ended.
  func requestsInFlight(before load: Request) -> [Request] {
    let transferred = transfers.values.map(\.request)
    var entries = inFlight.values.filter { $0.cancellation == nil }
    if A.endpoint.details.values.inFlight == .ignoreNew, !entries.isEmpty {
      let present = joinability(of: load)
      entries.removeAll { entry in
        entry.joinability.partition != present.partition || !present.isKnown
          || entry.request.isRead && entry.joinability.closings != present.closings
      }
    }
    return transferred + entries.sorted { $0.load > $1.load }.map(\.request)
  }

  /// Returns what a load must have in common with a request in flight, besides their content, to join it.
  func joinability(of request: Request) -> InFlightRequest<A.Output>.Joinability {
    let identified = request.identified(over: client.dispatcher)
    return InFlightRequest.Joinability(
      partition: identified.context.partition, isKnown: !identified.hasUnknownIdentity,
      closings: (client.dispatcher as? Pipeline)?.flightClosings ?? 0)
  }

  func cancel(_ request: RequestID, because reason: String) {
    if let transfer = transfers.removeValue(forKey: request) { return transfer.cancel() }
    guard let entry = inFlight[request], entry.cancellation == nil else { return }
    inFlight[request]?.cancellation = reason
    entry.task.cancel()
    // The caller is notified even if the dispatcher is slow to react to the cancellation.
    let failure = cancelled(reason, request)
    Task { [weak self] in self?.finish(request, .failure(failure)) }
  }

  /// Finishes a request with its response or its cancellation, whichever comes first; later calls have no
  /// effect and return nil.
  @discardableResult func finish(
    _ request: RequestID, _ result: InFlightRequest<A.Output>.Result
  ) -> InFlightRequest<A.Output>.Result? {
    guard let entry = inFlight.removeValue(forKey: request) else { return nil }
    let result = entry.cancellation.map { .failure(cancelled($0, request)) } ?? result
    return deliver(
      result, of: entry.load, toDelegate: entry.isForDelegate, waiters: Array(entry.waiters.values),
      handoff: entry.handoff)
  }

  /// Delivers a result unless the service's rule or a hook withholds it, and returns what an `async` caller
  /// receives.
  ///
  /// - Parameter load: The load's number among those of this manager.
  @discardableResult func deliver(
    _ result: InFlightRequest<A.Output>.Result, of load: UInt64, toDelegate: Bool,
    waiters: [InFlightRequest<A.Output>.Waiter] = [],
    handoff: ResultHandoff<InFlightRequest<A.Output>.Result>? = nil
  ) -> InFlightRequest<A.Output>.Result {
    let hooks = allHooks
    let raw = result.map(\.response)
    for hook in hooks { hook.didReceive(raw, of: self) }
    switch result {
    case .success(let loaded):
      let (isLatestSuccess, isLatest) = outcomes.end(load, isSuccess: true)
      if isLatestSuccess {
        lastResponse = loaded.response
        lastOutput = loaded.output
      }
      if isLatest { lastError = nil }
    case .failure(let failure):
      if outcomes.end(load, isSuccess: false).isLatest { lastError = failure }
    }
    if let withheld = withholding(raw, hooks) {
      handoff?.conclude(.failure(withheld.error))
      for waiter in waiters { waiter.resume(returning: .failure(withheld.error)) }
      for hook in hooks { hook.didWithhold(raw, vetoedBy: withheld.by, of: self) }
      return .failure(withheld.error)
    }
    handoff?.conclude(result)
    for waiter in waiters { waiter.resume(returning: result) }
    if toDelegate {
      switch raw {
      case .success(let response): delegate?.managerDidSucceed(self, with: response)
      case .failure(let failure): delegate?.managerDidFail(self, with: failure)
      }
    }
    notify(raw, hooks)
    return result
  }

  /// Returns by what a result is withheld, and what an `async` caller receives instead; nil if it is
  /// delivered.
  func withholding(
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

  /// Notifies the hooks of a delivered result.
  func notify(_ result: Result<APIResponse, APIError>, _ hooks: [any APIHooks]) {
    switch result {
    case .success(let response): for hook in hooks { hook.afterSuccess(response, of: self) }
    case .failure(let failure): for hook in hooks { hook.afterFailure(failure, of: self) }
    }
  }

  /// Waits for a request that an `async` caller has sent, and finishes it.
  func result(
    ofSent request: RequestID, by handoff: ResultHandoff<InFlightRequest<A.Output>.Result>
  ) async -> InFlightRequest<A.Output>.Result {
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { handoff.wait($0) }
    } onCancel: {
      Task { @MainActor [weak self] in self?.removeSender(of: request) }
    }
    switch outcome {
    case .concluded(let result): return result
    // The request may have been finished while this task was about to be resumed.
    case .received(let result): return finish(request, result) ?? handoff.conclusion ?? result
    }
  }

  /// Waits for a request that an `async` caller has joined.
  func result(ofJoined request: RequestID) async -> InFlightRequest<A.Output>.Result {
    lastWaiter += 1
    let waiter = lastWaiter
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard inFlight[request] != nil else {
          return continuation.resume(
            returning: .failure(cancelled("The request has already finished.", request)))
        }
        inFlight[request]?.waiters[waiter] = continuation
      }
    } onCancel: {
      Task { @MainActor [weak self] in self?.removeWaiter(request, waiter) }
    }
  }

  /// Ends the wait of the caller that sent a request; the request is cancelled if no other caller waits.
  private func removeSender(of request: RequestID) {
    guard let entry = inFlight[request], entry.hasSender else { return }
    guard entry.isForDelegate || !entry.waiters.isEmpty else {
      return cancel(request, because: "The caller's task was cancelled.")
    }
    inFlight[request]?.hasSender = false
    entry.handoff?.conclude(.failure(cancelled("The caller's task was cancelled.", request)))
  }

  /// Ends a joined caller's wait; the request is cancelled if no other caller waits for it.
  private func removeWaiter(_ request: RequestID, _ waiter: UInt64) {
    guard let entry = inFlight[request], let continuation = entry.waiters[waiter] else { return }
    if entry.isForDelegate || entry.hasSender || entry.waiters.count > 1 {
      inFlight[request]?.waiters[waiter] = nil
      continuation.resume(returning: .failure(cancelled("The caller's task was cancelled.", request)))
    } else {
      cancel(request, because: "The caller's task was cancelled.")
    }
  }

  func cancelled(_ reason: String, _ request: RequestID?) -> APIError {
    APIError(.cancelled, identity.api, reason: reason, request: request)
  }
}
