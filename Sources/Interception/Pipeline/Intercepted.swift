/// An interceptor before a dispatcher, nested by type, so that the optimizer can specialize and inline both.
///
/// Choose it when you ship a fixed chain; choose ``Pipeline`` when users register interceptors, and for its
/// checks, its observers and what it does for ``InterceptorTraits/requestBody`` and
/// ``InterceptorTraits/responseBody``.
public struct Intercepted<I: Interceptor, Base: Dispatcher>: Dispatcher {
  @usableFromInline let interceptor: I
  @usableFromInline let base: Base

  /// Puts an interceptor before a dispatcher.
  @inlinable
  public init(_ interceptor: I, over base: Base) {
    self.interceptor = interceptor
    self.base = base
  }

  /// The capabilities of the dispatcher at the end.
  public var capabilities: DispatcherCapabilities { base.capabilities }

  /// Sends a request through the interceptor.
  ///
  /// A foreign error counts as thrown after the request was sent unless the interceptor says otherwise with a
  /// ``NetworkError`` of its own: nothing here knows whether `next` had been called.
  @inlinable
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    do {
      return try await interceptor.intercept(request, next: base)
    } catch {
      throw wrapping(error, attempt: request.attempt)
    }
  }

  // Out of the way: as a rule nothing is thrown.
  @usableFromInline
  @inline(never)
  func wrapping(_ error: any Error, attempt: Int) -> NetworkError {
    NetworkError.wrapping(
      error, origin: .interceptor(interceptor.name), attempt: attempt,
      requestMayHaveBeenProcessed: !(error is NetworkError))
  }
}

extension Dispatcher {
  /// Returns this dispatcher with an interceptor before it.
  @inlinable
  public func intercepted<I: Interceptor>(by interceptor: I) -> Intercepted<I, Self> {
    Intercepted(interceptor, over: self)
  }
}
