import Interception

extension APIManager {
  var allHooks: [any APIHooks] { hooks + client.hooks }

  /// Delivers a refusal asynchronously, so that no delegate is called from within `load`.
  func refuse(_ refusal: LoadRefusal) -> LoadOutcome {
    if case .ignored = refusal { return refusal.outcome }
    let failure = refusal.error(of: identity.api)
    Task { [weak self] in _ = self?.deliver(.failure(failure), toDelegate: true) }
    return refusal.outcome
  }

  func cancel(_ request: RequestID, because reason: String) {
    guard let entry = inFlight[request], entry.cancellation == nil else { return }
    inFlight[request]?.cancellation = reason
    entry.task.cancel()
    // The caller is notified even if the dispatcher is slow to react to the cancellation.
    let failure = cancelled(reason, request)
    Task { [weak self] in self?.finish(request, .failure(failure)) }
  }

  /// Finishes a request with its response or its cancellation, whichever comes first; later calls have no
  /// effect.
  func finish(_ request: RequestID, _ result: InFlightRequest<A.Output>.Result) {
    guard let entry = inFlight.removeValue(forKey: request) else { return }
    let result = entry.cancellation.map { .failure(cancelled($0, request)) } ?? result
    deliver(result, toDelegate: entry.isForDelegate, waiters: Array(entry.waiters.values))
  }

  /// Delivers a result unless the service's rule or a hook withholds it, and returns what an `async` caller
  /// receives.
  @discardableResult func deliver(
    _ result: InFlightRequest<A.Output>.Result, toDelegate: Bool,
    waiters: [InFlightRequest<A.Output>.Waiter] = []
  ) -> InFlightRequest<A.Output>.Result {
    let hooks = allHooks
    let raw = result.map(\.response)
    for hook in hooks { hook.didReceive(raw, of: self) }
    let withheld: (by: String, error: APIError)?
    switch result {
    case .success(let loaded):
      lastResponse = loaded.response
      lastOutput = loaded.output
      lastError = nil
      withheld = vetoed(by: hooks.first { !$0.beforeSuccess(loaded.response, of: self) })
    case .failure(let failure):
      lastError = failure
      withheld =
        failure.isSwallowed
        ? (A.endpoint.service.name, failure)
        : vetoed(by: hooks.first { !$0.beforeFailure(failure, of: self) })
    }
    if let withheld {
      for waiter in waiters { waiter.resume(returning: .failure(withheld.error)) }
      for hook in hooks { hook.didWithhold(raw, vetoedBy: withheld.by, of: self) }
      return .failure(withheld.error)
    }
    for waiter in waiters { waiter.resume(returning: result) }
    switch raw {
    case .success(let response):
      if toDelegate { delegate?.managerDidSucceed(self, with: response) }
      for hook in hooks { hook.afterSuccess(response, of: self) }
    case .failure(let failure):
      if toDelegate { delegate?.managerDidFail(self, with: failure) }
      for hook in hooks { hook.afterFailure(failure, of: self) }
    }
    return result
  }

  private func vetoed(by hook: (any APIHooks)?) -> (by: String, error: APIError)? {
    hook.map { ($0.name, APIError(vetoedBy: $0.name, identity.api, "before its delivery")) }
  }

  /// Waits for a request on behalf of an `async` caller.
  func result(of request: RequestID) async -> InFlightRequest<A.Output>.Result {
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

  /// Ends one caller's wait; the request is cancelled if no other caller waits for it.
  private func removeWaiter(_ request: RequestID, _ waiter: UInt64) {
    guard let entry = inFlight[request], let continuation = entry.waiters[waiter] else { return }
    if entry.isForDelegate || entry.waiters.count > 1 {
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
