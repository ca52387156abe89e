/// A dispatcher that calls a chain of interceptors nested by type, through a closure compiled where the types
/// are known.
@usableFromInline
struct NestedEntry: IdentifyingDispatcher {
  @usableFromInline let capabilities: DispatcherCapabilities
  @usableFromInline let identityProviders: [any Request.IdentityProvider]
  private let enter: @Sendable (Request) async throws(NetworkError) -> Response

  @usableFromInline
  init(
    to chain: some Dispatcher,
    _ enter: @escaping @Sendable (Request) async throws(NetworkError) -> Response
  ) {
    capabilities = chain.capabilities
    identityProviders = (chain as? any IdentifyingDispatcher)?.identityProviders ?? []
    self.enter = enter
  }

  @usableFromInline
  func dispatch(_ request: Request) async throws(NetworkError) -> Response { try await enter(request) }
}
