public import HTTPTypes
public import Interception
import Synchronization

/// A dispatcher that responds according to a script and records its requests.
///
/// ```swift
/// let dispatcher = ScriptedDispatcher { request, number in
///   Response(status: number == 1 ? .serviceUnavailable : .ok)
/// }
/// ```
public final class ScriptedDispatcher: Dispatcher {
  /// Returns the response to a request; `number` counts the requests from 1.
  package typealias Script =
    @Sendable (_ request: Request, _ number: Int) async throws(NetworkError) -> Response

  private let received = Mutex<[Request]>([])
  private let script: Script
  /// The capabilities that the dispatcher declares.
  public let capabilities: DispatcherCapabilities

  /// Creates a dispatcher that responds by a closure; `number` counts the requests from 1.
  public init(
    capabilities: DispatcherCapabilities = [.connectTarget],
    _ script: @escaping @Sendable (_ request: Request, _ number: Int) async throws(NetworkError) -> Response
  ) {
    self.capabilities = capabilities
    self.script = script
  }

  /// Creates a dispatcher that returns the same response to every request.
  public convenience init(
    answering response: Response = Response(status: .ok),
    capabilities: DispatcherCapabilities = [.connectTarget]
  ) {
    self.init(capabilities: capabilities) { _, _ throws(NetworkError) in response }
  }

  /// Creates a dispatcher that returns these responses, one to each request in order.
  ///
  /// ```swift
  /// let dispatcher = ScriptedDispatcher(
  ///   answering: [Response(status: .serviceUnavailable), Response(status: .ok)])
  /// ```
  ///
  /// A request beyond them fails with `NetworkError.Kind.rejected`, so that a test notices it.
  public convenience init(
    answering responses: [Response],
    capabilities: DispatcherCapabilities = [.connectTarget]
  ) {
    self.init(capabilities: capabilities) { _, number throws(NetworkError) in
      guard number <= responses.count else {
        throw NetworkError(
          .rejected,
          "The script ends after \(responses.count) responses, and this is request \(number); add a response for it."
        )
      }
      return responses[number - 1]
    }
  }

  /// Creates a dispatcher that fails every request with the same error.
  public convenience init(failing error: NetworkError) {
    self.init { _, _ throws(NetworkError) in throw error }
  }

  /// The received requests, in order.
  public var requests: [Request] { received.withLock { $0 } }

  /// Responds according to the script.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let number = received.withLock { received in
      received.append(request)
      return received.count
    }
    return try await script(request, number)
  }
}

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

extension ScriptedDispatcher {
  /// Returns a pipeline that ends in this dispatcher.
  ///
  /// - Parameter interceptors: Interceptors that a pipeline accepts, outermost first.
  package func intercepted(by interceptors: any Interceptor...) -> Pipeline {
    do {
      return try Pipeline(over: self) { interceptors }
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
