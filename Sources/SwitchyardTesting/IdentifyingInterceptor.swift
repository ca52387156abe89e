package import Interception
import Synchronization

/// Knows on whose behalf requests are sent, and adds nothing to them.
package final class IdentifyingInterceptor: Request.IdentityProvider {
  package let traits = InterceptorTraits(stage: Stage(rank: 1, name: "identifying"))
  private let present: Mutex<Request.Identity?>

  /// Creates an interceptor; with nil it knows nothing.
  package init(_ identity: Request.Identity?) { present = Mutex(identity) }

  /// Lets another login use the app.
  package func use(_ identity: Request.Identity?) { present.withLock { $0 = identity } }

  package func identity(for request: Request) -> Request.Identity? { present.withLock { $0 } }

  package func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await next.dispatch(request)
  }
}
