/// An interceptor in front of a dispatcher, nested by type, so that the optimizer can specialize and inline
/// both.
///
/// Use it for a fixed chain. Use ``Pipeline`` if users register interceptors, and for its checks, its
/// observers and its support of ``InterceptorTraits/requestBody`` and ``InterceptorTraits/responseBody``. On
/// whose behalf a request is sent is settled by a pipeline in front of the chain: without one, don't nest an
/// interceptor that shares or stores responses around one that adds credentials of several accounts.
public struct Intercepted<I: Interceptor, Base: Dispatcher>: Dispatcher {
  @usableFromInline let interceptor: I
  @usableFromInline let base: Base

  /// Creates a dispatcher that sends requests through `interceptor` to `base`.
  @inlinable
  public init(_ interceptor: I, over base: Base) {
    self.interceptor = interceptor
    self.base = base
  }

  /// The capabilities of the dispatcher at the end of the chain.
  public var capabilities: DispatcherCapabilities { base.capabilities }

  /// Sends a request through the interceptor.
  ///
  /// It cannot know whether the interceptor had called `next` when it threw. An error other than a
  /// ``NetworkError`` is therefore reported as thrown after the request may have been processed.
  @inlinable
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    do {
      return try await interceptor.intercept(request, next: base)
    } catch {
      throw wrapping(error, of: request)
    }
  }

  // Kept out of line, because errors are rare.
  @usableFromInline
  @inline(never)
  func wrapping(_ error: any Error, of request: Request) -> NetworkError {
    NetworkError.wrapping(
      error, of: request, origin: .interceptor(interceptor.name), attempt: request.attempt,
      requestMayHaveBeenProcessed: !(error is NetworkError))
  }
}

extension Dispatcher {
  /// Returns a dispatcher that sends requests through `interceptor` to this dispatcher.
  @inlinable
  public func intercepted<I: Interceptor>(by interceptor: I) -> Intercepted<I, Self> {
    Intercepted(interceptor, over: self)
  }
}

/// A dispatcher that calls a chain of interceptors nested by type, through a closure compiled where the types
/// are known.
@usableFromInline
struct NestedEntry: IdentifyingDispatcher, FlightSharingDispatcher {
  @usableFromInline let capabilities: DispatcherCapabilities
  @usableFromInline let identityProviders: [any Request.IdentityProvider]
  @usableFromInline let credentialFields: CredentialFields
  let sharedFlights: [any SharedFlights]
  private let enter: @Sendable (Request) async throws(NetworkError) -> Response

  @usableFromInline
  init(
    to chain: some Dispatcher,
    _ enter: @escaping @Sendable (Request) async throws(NetworkError) -> Response
  ) {
    capabilities = chain.capabilities
    identityProviders = (chain as? any IdentifyingDispatcher)?.identityProviders ?? []
    credentialFields = (chain as? any IdentifyingDispatcher)?.credentialFields ?? []
    sharedFlights = (chain as? any FlightSharingDispatcher)?.sharedFlights ?? []
    self.enter = enter
  }

  @usableFromInline
  func dispatch(_ request: Request) async throws(NetworkError) -> Response { try await enter(request) }
}
