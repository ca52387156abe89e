import Interception

extension APIManager {
  var allHooks: [any APIHooks] { hooks + client.hooks }

  /// Delivers a refusal asynchronously, so that no delegate is called from within `load`.
  func refuse(_ outcome: LoadOutcome, _ failure: APIError) -> LoadOutcome {
    Task { [weak self] in _ = self?.deliver(.failure(failure), toDelegate: true) }
    return outcome
  }

  func cancel(_ request: RequestID, because reason: String) {
    guard let entry = inFlight[request], entry.cancellation == nil else { return }
    inFlight[request]?.cancellation = reason
    entry.task?.cancel()
    // The caller is notified even if the dispatcher is slow to react to the cancellation.
    let failure = cancelled(reason, request)
    Task { [weak self] in self?.finish(request, .failure(failure)) }
  }

  /// Finishes a request with its response or its cancellation, whichever comes first; later calls have no
  /// effect.
  func finish(_ request: RequestID, _ result: Result<APIResponse, APIError>) {
    guard let entry = inFlight.removeValue(forKey: request) else { return }
    let result = entry.cancellation.map { .failure(cancelled($0, request)) } ?? result
    deliver(result, toDelegate: entry.isForDelegate, waiters: Array(entry.waiters.values))
  }

  /// Delivers a result unless a hook vetoes it, and returns what an `async` caller receives.
  @discardableResult func deliver(
    _ result: Result<APIResponse, APIError>, toDelegate: Bool, waiters: [InFlightRequest.Waiter] = []
  ) -> Result<APIResponse, APIError> {
    let hooks = allHooks
    for hook in hooks { hook.didReceive(result, of: self) }
    let vetoingHook: (any APIHooks)?
    switch result {
    case .success(let response):
      lastResponse = response
      lastError = nil
      vetoingHook = hooks.first { !$0.beforeSuccess(response, of: self) }
    case .failure(let failure):
      lastError = failure
      vetoingHook = hooks.first { !$0.beforeFailure(failure, of: self) }
    }
    if let vetoingHook {
      let withheld = Result<APIResponse, APIError>.failure(
        vetoed(by: vetoingHook.name, "before its delivery"))
      for waiter in waiters { waiter.resume(returning: withheld) }
      for hook in hooks { hook.didWithhold(result, vetoedBy: vetoingHook.name, of: self) }
      return withheld
    }
    for waiter in waiters { waiter.resume(returning: result) }
    switch result {
    case .success(let response):
      if toDelegate { delegate?.managerDidSucceed(self, with: response) }
      for hook in hooks { hook.afterSuccess(response, of: self) }
    case .failure(let failure):
      if toDelegate { delegate?.managerDidFail(self, with: failure) }
      for hook in hooks { hook.afterFailure(failure, of: self) }
    }
    return result
  }

  /// Waits for a request on behalf of an `async` caller.
  func result(of request: RequestID) async -> Result<APIResponse, APIError> {
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

  func vetoed(by name: String, _ moment: String) -> APIError {
    APIError(
      .vetoed(by: name), identity.api,
      reason: "The hook \(name) refused the load \(moment); check its conditions.")
  }
}
