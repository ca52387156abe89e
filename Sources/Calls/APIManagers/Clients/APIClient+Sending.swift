import HTTPTypes
import Interception
import Synchronization

// The engine of clients and managers, in the order of a load: prepare, decide, respond, and `API.read`.
// Only the first and the last are generic, because generic code is slower in another module.
extension APIClient {
  /// Reforms and validates params, and forms their request.
  ///
  /// - Throws: The ``ParamsError`` of the API or the encoding.
  /// - Returns: The request, and the output of a response that a cache stores while the request is in flight.
  func prepare<A: API>(
    _ api: A, _ params: inout A.Params, cacheMode: CacheRule.Mode?
  ) throws(ParamsError) -> (request: Request, stored: StoredOutput?) {
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
    let stored = StoredOutput()
    let id = request.id
    request.context.storageCheck = CacheRule.StorageCheck { head, bytes in
      api.permits(
        APIResponse(
          api: A.identity, request: id, status: head.status, headerFields: head.headerFields, bytes: bytes),
        as: stored)
    }
    return (request, stored)
  }

  /// Decides what becomes of a load, and limits its request to stored responses if there is no network.
  ///
  /// - Parameters:
  ///   - veto: Returns the name of the hook that refuses the load, if any.
  ///   - earlier: Returns the earlier requests in flight; none if loads are independent of each other.
  ///   - reportsStored: Whether the caller reports that a stored response serves the load. Only then, and
  ///     without a network, the cache is asked before the request is sent.
  func decide(
    on request: inout Request, to details: EndpointDescription, veto: () -> String? = { nil },
    inFlight earlier: () -> [Request] = { [] }, reportsStored: Bool = false
  ) -> LoadDecision {
    let candidate = request
    let decision = LoadDecision.decide(
      on: candidate, veto: veto, downgrade: { downgrades.downgrade(of: details.identity) },
      strategy: details.values.inFlight, inFlight: earlier, network: { reachability.status },
      reportsStored: reportsStored,
      stored: {
        // Without a function that knows the cache, a default rule of it can't be expected.
        storedState.map { $0(candidate.identified(over: dispatcher)) }
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
      throw APIError(error, api, request: request.id, isOffline: isFromStore).of(request)
    }
  }
}

extension API {
  /// Returns the output of the response to a request, after the checks of the service and the API.
  ///
  /// - Parameter stored: What the storage check has validated and decoded, if it was called.
  func read(
    _ response: APIResponse, to request: Request, stored: StoredOutput? = nil
  ) throws(APIError) -> Output {
    let details = Self.endpoint.details
    let valid = stored?.take(response)
    if valid == nil, let error = rejection(of: response, by: details) {
      throw withFailureBody(error, details).of(request)
    }
    if let kept = valid?.output, let output = kept as? Output { return output }
    do {
      return try output(from: response)
    } catch {
      throw withFailureBody(APIError(readingOf: response, by: Self.self, error), details).of(request)
    }
  }

  /// Returns why a response is rejected before its output is read, or nil if it isn't.
  func rejection(of response: APIResponse, by details: EndpointDescription) -> APIError? {
    details.rejection(of: response) { response throws(ResponseError) in try validate(response) }
  }

  /// Returns the error with the failure body of its response, if the API declares one.
  func withFailureBody(_ error: APIError, _ details: EndpointDescription) -> APIError {
    guard Failure.self != Never.self, let response = error.response, !response.bytes.isEmpty,
      let body = try? response.json(as: Failure.self, format: details.format)
    else { return error }
    return error.with(failureBody: body)
  }
}

extension API {
  /// Returns whether the caller would receive a response as a success, and keeps its output for the caller.
  fileprivate func permits(_ response: APIResponse, as stored: StoredOutput) -> Bool {
    guard rejection(of: response, by: Self.endpoint.details) == nil, let output = try? output(from: response)
    else { return false }
    stored.put(response, output: Output.self == APIResponse.self ? nil : output)
    return true
  }
}

/// The response that a cache has been allowed to store, so that it is validated and decoded once.
// Not generic: a load would look up the metadata of each of its generic types, which took a fifth of its
// instructions.
final class StoredOutput: Sendable {
  /// A response that has passed all checks.
  struct Valid {
    fileprivate let response: APIResponse
    /// The output; nil if it is the response itself, whose exchange the cache doesn't know yet.
    let output: (any Sendable)?
  }

  private let state = Mutex<Valid?>(nil)

  /// Keeps a response that is permitted.
  fileprivate func put(_ response: APIResponse, output: (any Sendable)?) {
    state.withLock { $0 = Valid(response: response, output: output) }
  }

  /// Removes and returns the response that was permitted; nil if the caller receives another one.
  func take(_ received: APIResponse) -> Valid? {
    let valid = state.withLock { state in
      defer { state = nil }
      return state
    }
    guard let valid, valid.response.status == received.status, valid.response.bytes == received.bytes,
      valid.response.headerFields.elementsEqual(received.headerFields)
    else { return nil }
    return valid
  }
}

/// A valid response with its output.
struct LoadedResponse<Output: Sendable>: Sendable {
  let response: APIResponse
  let output: Output
}
