/// A dispatcher that calls a chain of interceptors nested by type, through a closure compiled where the types
/// are known.
@usableFromInline
struct NestedEntry: Dispatcher {
  @usableFromInline let capabilities: DispatcherCapabilities
  private let enter: @Sendable (Request) async throws(NetworkError) -> Response

  @usableFromInline
  init(
    capabilities: DispatcherCapabilities,
    _ enter: @escaping @Sendable (Request) async throws(NetworkError) -> Response
  ) {
    self.capabilities = capabilities
    self.enter = enter
  }

  @usableFromInline
  func dispatch(_ request: Request) async throws(NetworkError) -> Response { try await enter(request) }
}
