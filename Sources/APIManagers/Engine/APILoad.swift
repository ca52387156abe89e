import HTTPTypes
import Interception

/// One load of an API, from its params to its output; clients and managers both run it.
struct APILoad<A: API>: Sendable {
  /// The reformed params.
  let params: A.Params
  /// The request that is sent into the pipeline.
  private(set) var request: Request
  private let client: APIClient
  private let reading: ResponseReading<A>
  private let inFlight: InFlightStrategy
  private let storedOutput: StoredOutput<A>?
  private var isOffline = false

  /// Reforms and validates params, and forms their request.
  ///
  /// - Throws: The ``ParamsError`` of the API or the encoding.
  init(_ api: A, _ params: A.Params, cacheMode: CacheRule.Mode?, client: APIClient) throws(ParamsError) {
    let endpoint = A.endpoint
    self.client = client
    self.params = api.reform(params)
    try api.validate(self.params)
    request = try endpoint.request(
      for: self.params, at: client.environments.address(of: endpoint.service), partition: client.account(),
      common: client.common)
    reading = ResponseReading(api, endpoint)
    inFlight = endpoint.inFlight
    if endpoint.cacheRule.lifetime != nil {
      let output = StoredOutput(reading)
      let id = request.id
      request.context.storageCheck = CacheRule.StorageCheck { head, bytes in
        output.permits(
          APIResponse(
            api: A.identity, request: id, status: head.status, headerFields: head.headerFields, bytes: bytes))
      }
      storedOutput = output
    } else {
      storedOutput = nil
    }
    if let cacheMode { request.context.cacheRule = endpoint.cacheRule.with(cacheMode) }
  }

  /// Decides what becomes of the load, and limits its request to stored responses if there is no network.
  ///
  /// - Parameters:
  ///   - veto: Returns the name of the hook that refuses the load, if any.
  ///   - earlier: Returns the earlier requests in flight; none if loads are independent of each other.
  mutating func decide(
    veto: () -> String? = { nil }, inFlight earlier: () -> [Request] = { [] }
  ) -> LoadDecision {
    let request = request
    let decision = LoadDecision.decide(
      on: request, veto: veto, downgrade: { client.downgrades.downgrade(of: A.identity) },
      strategy: inFlight, inFlight: earlier,
      network: { client.reachability.status }, stored: { client.storedState?(request) ?? .unknown })
    if case .send(isFromStore: true, _) = decision.action {
      isOffline = true
      self.request.context.cacheRule = request.context.cacheRule.with(.onlyStored)
    }
    return decision
  }

  /// Sends the request, and reads its response.
  func run(reportingTo meter: TransferMeter?) async -> Result<LoadedResponse<A.Output>, APIError> {
    let limit = if case .buffered(let limit) = request.delivery { limit } else { 64 << 20 }
    let response: APIResponse
    do throws(NetworkError) {
      let received =
        if let meter {
          try await client.dispatcher.dispatch(request, reportingTo: meter)
        } else {
          try await client.dispatcher.dispatch(request)
        }
      let bytes = try await received.body.collect(upTo: limit)
      response = APIResponse(
        api: A.identity, request: request.id, status: received.status,
        headerFields: received.head.headerFields, bytes: bytes, exchange: received.exchange)
    } catch {
      return .failure(APIError(error, A.identity, request: request.id, isOffline: isOffline))
    }
    if let error = reading.rejection(of: response) { return .failure(error) }
    if let output = storedOutput?.take(response.bytes) {
      return .success(LoadedResponse(response: response, output: output))
    }
    return reading.output(of: response).map { LoadedResponse(response: response, output: $0) }
  }
}
