import HTTPTypes
import Interception

// The engine of clients and managers, in the order of a load: prepare, decide, respond, and `API.read`.
// Only the first and the last are generic, because generic code is slower in another module.
extension APIClient {
  /// Reforms and validates params, and forms their request.
  ///
  /// - Throws: The ``ParamsError`` of the API or the encoding.
  /// - Returns: The request, and the output of a response that a cache stores while the request is in flight.
  func prepare<A: API>(
    _ api: A, _ params: inout A.Params, cacheMode: CacheRule.Mode?
  ) throws(ParamsError) -> (request: Request, stored: StoredOutput<A>?) {
    params = api.reform(params)
    try api.validate(params)
    let endpoint = A.endpoint
    var request = try endpoint.request(
      for: params, at: environments.address(of: endpoint.details.service), partition: account(),
      common: common)
    let rule = endpoint.details.values.cacheRule
    if let cacheMode { request.context.cacheRule = rule.with(cacheMode) }
    guard rule.limit != nil || rule.isInherited && endpoint.details.isRead else { return (request, nil) }
    let tags = api.tags(for: params)
    if !tags.isEmpty { request.context.cacheTags = tags }
    let stored = StoredOutput(api)
    let id = request.id
    request.context.storageCheck = CacheRule.StorageCheck { head, bytes in
      stored.permits(
        APIResponse(
          api: A.identity, request: id, status: head.status, headerFields: head.headerFields, bytes: bytes))
    }
    return (request, stored)
  }

  /// Decides what becomes of a load, and limits its request to stored responses if there is no network.
  ///
  /// - Parameters:
  ///   - veto: Returns the name of the hook that refuses the load, if any.
  ///   - earlier: Returns the earlier requests in flight; none if loads are independent of each other.
  func decide(
    on request: inout Request, to details: EndpointDescription, veto: () -> String? = { nil },
    inFlight earlier: () -> [Request] = { [] }
  ) -> LoadDecision {
    let candidate = request
    let decision = LoadDecision.decide(
      on: candidate, veto: veto, downgrade: { downgrades.downgrade(of: details.identity) },
      strategy: details.values.inFlight, inFlight: earlier, network: { reachability.status },
      stored: {
        // Without a function that knows the cache, a default rule of it can't be expected.
        storedState.map { $0((dispatcher as? any IdentifyingDispatcher)?.identified(candidate) ?? candidate) }
          ?? (candidate.context.cacheRule.isInherited ? .absent : .unknown)
      })
    if case .send(isFromStore: true, _) = decision.action {
      request.context.cacheRule = request.context.cacheRule.with(.onlyStored)
    }
    return decision
  }

  /// Sends a request, and returns its response with the whole content.
  ///
  /// - Parameter isFromStore: Whether only stored responses are used, because there is no network.
  func respond(
    to request: Request, of api: APIIdentity, isFromStore: Bool, reportingTo meter: TransferMeter?
  ) async throws(APIError) -> APIResponse {
    do throws(NetworkError) {
      let response: Response
      if let meter {
        response = try await dispatcher.dispatch(request, reportingTo: meter)
      } else {
        response = try await dispatcher.dispatch(request)
      }
      let limit = if case .buffered(let limit) = request.delivery { limit } else { 64 << 20 }
      let bytes = try await response.body.collect(upTo: limit)
      return APIResponse(
        api: api, request: request.id, status: response.status, headerFields: response.head.headerFields,
        bytes: bytes, exchange: response.exchange)
    } catch {
      throw APIError(error, api, request: request.id, isOffline: isFromStore)
    }
  }
}
