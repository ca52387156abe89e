/// Anything that turns a request into a response: a transport, a pipeline, the rest of a chain, a test
/// double.
///
/// Conform to this protocol when you *end* a chain: a transport, a stub, a player of recorded answers. Write
/// an ``Interceptor`` when you stand in the middle and hand the request on.
///
/// A dispatcher honours the request's ``RequestOptions``: the phases' time limits, the delivery and the limit
/// of decoded bytes. It reports a cancelled task as ``NetworkError/Kind/cancelled(_:)`` promptly, and an HTTP
/// status of any value as a response, never as an error.
public protocol Dispatcher: Sendable {
  /// The abilities that interceptors may rely on; none by default.
  var capabilities: DispatcherCapabilities { get }

  /// Sends `request` and returns once its answer's head, or its whole buffered answer, has arrived.
  func dispatch(_ request: Request) async throws(NetworkError) -> Response
}

extension Dispatcher {
  /// No special ability.
  public var capabilities: DispatcherCapabilities { [] }
}
