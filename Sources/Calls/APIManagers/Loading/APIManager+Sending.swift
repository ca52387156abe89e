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
    var params = params
    var request: Request
    let stored: StoredOutput?
    do throws(ParamsError) {
      (request, stored) = try client.prepare(api, &params, cacheMode: cacheMode)
    } catch {
      return .refused(.invalid(error))
    }
    let hooks = allHooks
    let call = hooks.isEmpty ? nil : APICall(manager: identity, request: request, params: params)
    let decision = client.decide(
      on: &request, to: A.endpoint.details,
      veto: { call.flatMap { call in hooks.first { !$0.shouldLoad(call) }?.name } },
      inFlight: { [request] in requestsInFlight(before: request) }, reportsStored: isForDelegate)
    for request in decision.superseded {
      cancel(request, because: "A later load of the same manager superseded the request.")
    }
    switch decision.action {
    case .send(let isFromStore, let isStored):
      send(request, stored, isFromStore: isFromStore, meter: meter, isForDelegate: isForDelegate)
      for hook in hooks {
        hook.didSend(APICall(manager: identity, request: request, params: params))
      }
      return .inFlight(request.id, isStored ? .cached(request.id) : .sent(request.id))
    case .join(let earlier):
      // A transfer has one reader, and its content is not kept.
      guard inFlight[earlier] != nil else { return .refused(.ignored(inFlight: earlier)) }
      if isForDelegate { inFlight[earlier]?.isForDelegate = true }
      return .inFlight(earlier, .joined(earlier))
    case .refuse(let refusal): return .refused(refusal)
    }
  }

  private func send(
    _ request: Request, _ stored: StoredOutput?, isFromStore: Bool, meter: TransferMeter?,
    isForDelegate: Bool
  ) {
    // Before the request can be answered; only the strategy ignoreNew asks for it.
    let joins = A.endpoint.details.values.inFlight == .ignoreNew
    let joinability = joins ? joinability(of: request) : InFlightRequest<A.Output>.Joinability()
    // The task starts on Swift's pool, and the main actor is entered once, with the result.
    let handoff = isForDelegate ? nil : ResultHandoff<InFlightRequest<A.Output>.Result>()
    let task = Task { @concurrent [weak self, api, client] in
      let result: InFlightRequest<A.Output>.Result
      do throws(APIError) {
        let response = try await client.respond(
          to: request, of: A.endpoint.details.identity, isFromStore: isFromStore, reportingTo: meter)
        result = .success(
          LoadedResponse(response: response, output: try api.read(response, to: request, stored: stored)))
      } catch {
        result = .failure(error)
      }
      meter?.finish()
      if handoff?.receive(result) == true { return }
      // A task of its own: to await the main actor would mean to return to the pool afterwards.
      Task { @MainActor in self?.finish(request.id, result) }
    }
    inFlight[request.id] = InFlightRequest(
      request: request, load: outcomes.begin(), joinability: joinability, task: task,
      isForDelegate: isForDelegate,
      handoff: handoff, hasSender: !isForDelegate)
  }
}

/// A request in flight and the callers that wait for it.
struct InFlightRequest<Output: Sendable>: Sendable {
  typealias Result = Swift.Result<LoadedResponse<Output>, APIError>
  typealias Waiter = CheckedContinuation<Result, Never>

  /// What a later load must have in common with the request, besides the content, to join it.
  struct Joinability: Sendable {
    /// The account, also one that only an interceptor knows.
    var partition = ""
    /// Whether the account is known, if an interceptor adds credentials.
    var isKnown = true
    /// The number of times that the flights of the pipeline were closed.
    var closings: UInt64 = 0
  }

  let request: Request
  /// The number of the load that sent the request, in the order in which the loads began.
  let load: UInt64
  let joinability: Joinability
  let task: Task<Void, Never>
  /// Whether a call of `load` waits for the request, so that the delegate receives its result.
  var isForDelegate: Bool
  /// Resumes the `async` caller that sent the request; nil if `load` did.
  let handoff: ResultHandoff<Result>?
  /// Whether the caller that sent the request waits for it.
  var hasSender: Bool
  /// The `async` callers that joined the request, each with a number.
  var waiters: [UInt64: Waiter] = [:]
  /// Why the request was cancelled; nil if it wasn't.
  var cancellation: String?
}
