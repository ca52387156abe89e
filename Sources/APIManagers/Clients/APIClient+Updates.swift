import Interception

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
  /// - Parameter shown: The response whose output was returned before. Without a network there is no other.
  @concurrent func loaded<A: API>(
    _ api: A, _ params: A.Params, cacheMode: CacheRule.Mode, after shown: APIResponse? = nil
  ) async throws(APIError) -> LoadedResponse<A.Output> {
    let (request, stored, isFromStore) = try start(api, params, cacheMode: cacheMode)
    if isFromStore, shown != nil { throw LoadRefusal.offline.error(of: A.identity) }
    let response = try await respond(
      to: request, of: A.endpoint.details.identity, isFromStore: isFromStore, reportingTo: nil)
    return LoadedResponse(response: response, output: try api.read(response, stored: stored))
  }
}
