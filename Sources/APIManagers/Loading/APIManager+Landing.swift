import Interception

extension APIManager {
  var allHooks: [any APIHooks] { hooks + host.hooks }

  /// Delivers a refusal asynchronously, so that no delegate is called from within `load`.
  func refuse(_ outcome: LoadOutcome, _ failure: APIFailure) -> LoadOutcome {
    Task { [weak self] in _ = self?.settle(.failure(failure), toDelegate: true) }
    return outcome
  }

  func cancel(_ request: RequestID, because reason: String) {
    guard let flight = flights[request], flight.cancellation == nil else { return }
    flights[request]?.cancellation = reason
    flight.task?.cancel()
    // The caller is notified even if the dispatcher is slow to react to the cancellation.
    let failure = cancelled(reason, request)
    Task { [weak self] in self?.land(request, .failure(failure)) }
  }

  /// Finishes a request with its answer or its cancellation, whichever comes first; later calls have no
  /// effect.
  func land(_ request: RequestID, _ result: Result<RawAnswer, APIFailure>) {
    guard let flight = flights.removeValue(forKey: request) else { return }
    let result = flight.cancellation.map { .failure(cancelled($0, request)) } ?? result
    settle(result, toDelegate: flight.isForDelegate, waiters: Array(flight.waiters.values))
  }

  /// Delivers a result unless a hook vetoes it, and returns what an `async` caller receives.
  @discardableResult func settle(
    _ result: Result<RawAnswer, APIFailure>, toDelegate: Bool, waiters: [Flight.Waiter] = []
  ) -> Result<RawAnswer, APIFailure> {
    let hooks = allHooks
    for hook in hooks { hook.didReceive(result, of: self) }
    let vetoer: (any APIHooks)?
    switch result {
    case .success(let answer):
      self.answer = answer
      failure = nil
      vetoer = hooks.first { !$0.beforeSuccess(answer, of: self) }
    case .failure(let failure):
      self.failure = failure
      vetoer = hooks.first { !$0.beforeFailure(failure, of: self) }
    }
    if let vetoer {
      let silenced = Result<RawAnswer, APIFailure>.failure(vetoed(by: vetoer.name, "before its delivery"))
      for waiter in waiters { waiter.resume(returning: silenced) }
      return silenced
    }
    for waiter in waiters { waiter.resume(returning: result) }
    switch result {
    case .success(let answer):
      if toDelegate { delegate?.managerDidSucceed(self, with: answer) }
      for hook in hooks { hook.afterSuccess(answer, of: self) }
    case .failure(let failure):
      if toDelegate { delegate?.managerDidFail(self, with: failure) }
      for hook in hooks { hook.afterFailure(failure, of: self) }
    }
    return result
  }

  /// Waits for a request on behalf of an `async` caller.
  func landing(of request: RequestID) async -> Result<RawAnswer, APIFailure> {
    lastWaiter += 1
    let waiter = lastWaiter
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard flights[request] != nil else {
          return continuation.resume(
            returning: .failure(cancelled("The request has already finished.", request)))
        }
        flights[request]?.waiters[waiter] = continuation
      }
    } onCancel: {
      Task { @MainActor [weak self] in self?.abandon(request, waiter) }
    }
  }

  /// Ends one caller's wait; the request is cancelled if no other caller waits for it.
  private func abandon(_ request: RequestID, _ waiter: UInt64) {
    guard let flight = flights[request], let continuation = flight.waiters[waiter] else { return }
    if flight.isForDelegate || flight.waiters.count > 1 {
      flights[request]?.waiters[waiter] = nil
      continuation.resume(returning: .failure(cancelled("The caller's task was cancelled.", request)))
    } else {
      cancel(request, because: "The caller's task was cancelled.")
    }
  }

  func cancelled(_ reason: String, _ request: RequestID?) -> APIFailure {
    APIFailure(.cancelled, identity.api, reason: reason, request: request)
  }

  func vetoed(by name: String, _ moment: String) -> APIFailure {
    APIFailure(
      .vetoed(by: name), identity.api,
      reason: "The hook \(name) refused the load \(moment); check its conditions.")
  }
}
