import Interception

/// At most two outputs of an API: that of the stored response at once, and then that of the server's; see
/// ``APIClient/updates(of:_:)``.
///
/// There is one if nothing valid is stored, or if the server confirms the stored response or returns the same
/// status and content. The server is asked when the sequence is read for the second time, so that a loop
/// which ends after the stored output sends nothing. An error of that request, also that there is no network,
/// is thrown after the stored output was returned. So is one if the account has changed since that output was
/// read, because both belong to one account. Cancelling the task that reads cancels the request.
public struct APIUpdates<A: API>: AsyncSequence, Sendable {
  let client: APIClient
  let api: A
  let params: A.Params

  /// Returns the outputs; each iteration loads the API again.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(client: client, api: api, params: params)
  }

  /// Returns the output of the stored response and that of the server's.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private enum Phase {
      case stored
      case server(shown: APIResponse?)
      case finished
    }

    private let client: APIClient
    private let api: A
    private let params: A.Params
    private var phase = Phase.stored
    /// The account for which the stored output was read; nil before.
    private var account: String?

    init(client: APIClient, api: A, params: A.Params) {
      self.client = client
      self.api = api
      self.params = params
    }

    /// Returns the next output, or nil after the last one.
    ///
    /// - Throws: The error of a load. An unusable stored response is not an error: the server is asked.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(APIError) -> A.Output? {
      if case .stored = phase, let output = try await stored() { return output }
      guard case .server(let shown) = phase else { return nil }
      phase = .finished
      let loaded = try await client.loaded(
        api, params, cacheMode: .revalidate, for: &account, after: shown)
      if let shown, loaded.response.isFromCache || loaded.response.hasContent(of: shown) { return nil }
      return loaded.output
    }

    /// Returns the output of the stored response, or nil if there is none that is valid.
    private mutating func stored() async throws(APIError) -> A.Output? {
      phase = .finished
      let result: Result<LoadedResponse<A.Output>, APIError>
      do throws(APIError) {
        result = .success(try await client.loaded(api, params, cacheMode: .onlyStored, for: &account))
      } catch {
        result = .failure(error)
      }
      switch result {
      case .success(let loaded):
        // Without a cache in the pipeline, this is the server's response.
        if loaded.response.isFromCache { phase = .server(shown: loaded.response) }
        return loaded.output
      case .failure(let error):
        if error.kind == .cancelled { throw error }
        phase = .server(shown: nil)
        return nil
      }
    }
  }
}

extension APIResponse {
  /// Whether two responses have the same status and content.
  fileprivate func hasContent(of other: APIResponse) -> Bool {
    status == other.status && bytes == other.bytes
  }
}

extension APIClient {
  /// Returns the output of the stored response to a load, fresh or stale, and then that of the server's.
  ///
  /// ```swift
  /// for try await page in client.updates(of: HouseList(), HouseList.Params(city: "Lodi")) { show(page) }
  /// ```
  ///
  /// Use it for a screen that opens with what it showed last. It needs a cache in the pipeline, and a rule of
  /// the endpoint, or a default one, by which responses are stored; otherwise there is one output. For a
  /// manager with a delegate, call ``APIManager/load(_:cacheMode:reportingTo:)`` with the mode `onlyStored`,
  /// and then with `revalidate`.
  public func updates<A: API>(of api: A, _ params: A.Params) -> APIUpdates<A> {
    APIUpdates(client: self, api: api, params: params)
  }

  /// Returns the outputs for an API that takes no params, as ``updates(of:_:)`` does.
  public func updates<A: API>(of api: A) -> APIUpdates<A> where A.Params == NoParams {
    updates(of: api, NoParams())
  }

  /// Loads with a cache mode, and returns the response with its output.
  ///
  /// - Parameters:
  ///   - account: The account of the load before, which must be that of this one, too; nil for the first
  ///     load, which sets it.
  ///   - shown: The response whose output was returned before. Without a network there is no other.
  @concurrent func loaded<A: API>(
    _ api: A, _ params: A.Params, cacheMode: CacheRule.Mode, for account: inout String?,
    after shown: APIResponse? = nil
  ) async throws(APIError) -> LoadedResponse<A.Output> {
    let (request, stored, isFromStore) = try start(api, params, cacheMode: cacheMode)
    let current = request.identified(over: dispatcher).context
      .partition
    // A load from before the first login belongs to no account.
    guard account.map({ $0.isEmpty || $0 == current }) ?? true else {
      let error = NetworkError(
        .rejected,
        "The account has changed since the stored output was read; load again if it is meant for the new one."
      )
      throw APIError(error, A.identity, request: request.id, isOffline: false)
    }
    account = current
    if isFromStore, shown != nil { throw LoadRefusal.offline.error(of: A.identity) }
    let response = try await respond(
      to: request, of: A.endpoint.details.identity, isFromStore: isFromStore, reportingTo: nil)
    return LoadedResponse(response: response, output: try api.read(response, to: request, stored: stored))
  }
}
