public import Interception

extension APIClient {
  /// Loads an API and returns its output.
  ///
  /// ```swift
  /// let page = try await client.load(HouseList(), HouseList.Params(city: "Lodi"))
  /// ```
  ///
  /// The steps are those of an ``APIManager``, without what only managers have: a param source, hooks, a
  /// delegate, and the ``InFlightStrategy``, because a client doesn't relate one load to another. It can be
  /// called from any actor: the caller's actor is left once, and the params are encoded, the interceptors
  /// run and the response is decoded away from it. Cancelling the caller's task cancels the request.
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
    let (request, stored, isFromStore) = try start(api, params, cacheMode: cacheMode)
    let response = try await respond(
      to: request, of: A.endpoint.details.identity, isFromStore: isFromStore, reportingTo: meter)
    return try api.read(response, stored: stored)
  }

  /// Loads an API that takes no params and returns its output, as ``load(_:_:cacheMode:reportingTo:)`` does.
  @concurrent public func load<A: API>(
    _ api: A, cacheMode: CacheRule.Mode? = nil, reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> A.Output where A.Params == NoParams {
    try await load(api, NoParams(), cacheMode: cacheMode, reportingTo: meter)
  }

  /// Prepares a load whose request may be sent.
  func start<A: API>(
    _ api: A, _ initial: A.Params, cacheMode: CacheRule.Mode?
  ) throws(APIError) -> (request: Request, stored: StoredOutput<A>?, isFromStore: Bool) {
    guard !Task.isCancelled else {
      throw APIError(.cancelled, A.identity, reason: "The caller's task was already cancelled.")
    }
    var params = initial
    var request: Request
    let stored: StoredOutput<A>?
    do throws(ParamsError) {
      (request, stored) = try prepare(api, &params, cacheMode: cacheMode)
    } catch {
      throw LoadRefusal.invalid(error).error(of: A.identity)
    }
    switch decide(on: &request, to: A.endpoint.details).action {
    case .refuse(let refusal): throw refusal.error(of: A.identity)
    case .send(let isFromStore, _): return (request, stored, isFromStore)
    case .join(let earlier):
      // Without requests in flight there is none to join.
      throw LoadRefusal.ignored(inFlight: earlier).error(of: A.identity)
    }
  }
}
