/// An interceptor whose responses are collected into bytes before it receives them.
///
/// The pipeline wraps each interceptor whose ``InterceptorTraits/responseBody`` is `.bytes(upTo:)` in one.
struct ResponseCollecting: Interceptor {
  private let interceptor: any Interceptor
  private let limit: Int

  init(_ interceptor: any Interceptor, upTo limit: Int) {
    self.interceptor = interceptor
    self.limit = limit
  }

  var traits: InterceptorTraits { interceptor.traits }
  var name: String { interceptor.name }

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await interceptor.intercept(request, next: CollectingDispatcher(base: next, limit: limit))
  }

  private struct CollectingDispatcher<Base: Dispatcher>: Dispatcher {
    let base: Base
    let limit: Int

    var capabilities: DispatcherCapabilities { base.capabilities }

    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      try await collected(base.dispatch(request))
    }

    func dispatch(
      _ request: Request, onDeparture departure: Request.Departure
    ) async throws(NetworkError) -> Response {
      try await collected(base.dispatch(request, onDeparture: departure))
    }

    private func collected(_ response: Response) async throws(NetworkError) -> Response {
      guard case .stream = response.body else { return response }
      return try await response.buffered(upTo: limit)
    }
  }
}
