public import Interception

extension APIManager {
  /// Loads with params from ``paramSource``, which an API without params doesn't need.
  @discardableResult public func load() -> LoadOutcome { load(cacheMode: nil) }

  /// Loads with params from ``paramSource`` and a cache mode.
  ///
  /// - Parameter cacheMode: How this load uses stored responses; nil for the endpoint's mode.
  @discardableResult public func load(cacheMode: CacheRule.Mode?) -> LoadOutcome {
    do throws(ParamsError) {
      return load(try sourcedParams(), cacheMode: cacheMode)
    } catch {
      return refuse(.invalid(error))
    }
  }

  /// Loads with the given params.
  ///
  /// - Parameters:
  ///   - cacheMode: How this load uses stored responses, for example `CacheRule.Mode.reload` for
  ///     pull-to-refresh; nil for the endpoint's mode.
  ///   - meter: Receives the progress of the request's body, and of the response's if the endpoint's
  ///     delivery is streamed. It is finished when the request ends, or
  ///     at once if the load sends none.
  @discardableResult public func load(
    _ params: A.Params, cacheMode: CacheRule.Mode? = nil, reportingTo meter: TransferMeter? = nil
  ) -> LoadOutcome {
    switch start(params, cacheMode: cacheMode, meter: meter, isForDelegate: true) {
    case .inFlight(_, let outcome):
      if case .joined = outcome { meter?.finish() }
      return outcome
    case .refused(let refusal):
      meter?.finish()
      return refuse(refusal)
    }
  }

  /// Loads with params from ``paramSource`` and returns the response; the delegate is not called.
  public func response() async throws(APIError) -> APIResponse {
    try await response(for: try deliveredParams())
  }

  /// Loads with the given params and returns the response; the delegate is not called.
  ///
  /// Cancelling the caller's task cancels the request, unless another caller or the delegate waits for it
  /// too.
  ///
  /// - Parameters:
  ///   - cacheMode: How this load uses stored responses; nil for the endpoint's mode.
  ///   - meter: Receives the progress, as for ``load(_:cacheMode:reportingTo:)``.
  /// - Throws: The error that the delegate would receive.
  public func response(
    for params: A.Params, cacheMode: CacheRule.Mode? = nil, reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> APIResponse {
    try await loaded(for: params, cacheMode: cacheMode, reportingTo: meter).response
  }

  /// Loads with params from ``paramSource`` and returns the API's output; the delegate is not called.
  public func output() async throws(APIError) -> A.Output {
    try await output(for: try deliveredParams())
  }

  /// Loads with the given params and returns the API's output; the delegate is not called.
  ///
  /// It differs from ``response(for:cacheMode:reportingTo:)`` in the result alone.
  public func output(
    for params: A.Params, cacheMode: CacheRule.Mode? = nil, reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> A.Output {
    try await loaded(for: params, cacheMode: cacheMode, reportingTo: meter).output
  }

  /// Loads with the given params and returns the response converted by a reformer; the delegate is not
  /// called.
  ///
  /// The reformer runs on the main actor.
  ///
  /// - Throws: The error that the delegate would receive, or ``APIError/Kind/malformed(field:)`` if the
  ///   reformer could not convert the response.
  public func response<R: Reformer>(
    for params: A.Params, with reformer: R, cacheMode: CacheRule.Mode? = nil
  ) async throws(APIError) -> R.Output {
    try await response(for: params, cacheMode: cacheMode).reformed(by: reformer, from: identity)
  }

  private func loaded(
    for params: A.Params, cacheMode: CacheRule.Mode?, reportingTo meter: TransferMeter?
  ) async throws(APIError) -> LoadedResponse<A.Output> {
    defer { meter?.finish() }
    guard !Task.isCancelled else {
      let failure = cancelled("The caller's task was already cancelled.", nil)
      return try deliver(.failure(failure), of: outcomes.begin(), toDelegate: false).get()
    }
    switch start(params, cacheMode: cacheMode, meter: meter, isForDelegate: false) {
    case .inFlight(let request, .joined): return try await result(ofJoined: request).get()
    case .inFlight(let request, _):
      guard let handoff = inFlight[request]?.handoff else {
        throw cancelled("The request has already finished.", request)
      }
      return try await result(ofSent: request, by: handoff).get()
    case .refused(.ignored(let earlier)): throw LoadRefusal.ignored(inFlight: earlier).error(of: identity.api)
    case .refused(let refusal):
      let failure = refusal.error(of: identity.api)
      return try deliver(.failure(failure), of: outcomes.begin(), toDelegate: false).get()
    }
  }

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

  /// Returns the params for an `async` caller, and delivers their absence to the hooks.
  private func deliveredParams() throws(APIError) -> A.Params {
    do throws(ParamsError) {
      return try sourcedParams()
    } catch {
      let failure = APIError(error, identity.api)
      let result = deliver(.failure(failure), of: outcomes.begin(), toDelegate: false)
      guard case .failure(let delivered) = result else { throw failure }
      throw delivered
    }
  }
}
