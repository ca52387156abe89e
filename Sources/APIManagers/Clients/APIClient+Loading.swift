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
    let load = try start(api, params, cacheMode: cacheMode)
    return try await load.run(reportingTo: meter).get().output
  }

  /// Loads an API that takes no params and returns its output, as ``load(_:_:cacheMode:reportingTo:)`` does.
  @concurrent public func load<A: API>(
    _ api: A, cacheMode: CacheRule.Mode? = nil, reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> A.Output where A.Params == NoParams {
    try await load(api, NoParams(), cacheMode: cacheMode, reportingTo: meter)
  }

  /// Prepares a load that may be sent.
  func start<A: API>(
    _ api: A, _ params: A.Params, cacheMode: CacheRule.Mode?
  ) throws(APIError) -> APILoad<A> {
    guard !Task.isCancelled else {
      throw APIError(.cancelled, A.identity, reason: "The caller's task was already cancelled.")
    }
    do throws(LoadRefusal) {
      return try prepared(api, params, cacheMode: cacheMode)
    } catch {
      throw error.error(of: A.identity)
    }
  }

  private func prepared<A: API>(
    _ api: A, _ params: A.Params, cacheMode: CacheRule.Mode?
  ) throws(LoadRefusal) -> APILoad<A> {
    var load: APILoad<A>
    do throws(ParamsError) {
      load = try APILoad(api, params, cacheMode: cacheMode, client: self)
    } catch {
      throw .invalid(error)
    }
    if case .refuse(let refusal) = load.decide().action { throw refusal }
    return load
  }
}
