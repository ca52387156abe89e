/// A type that turns a request into a response: a transport, a pipeline, the remainder of a chain, or a test
/// double.
///
/// Conform to this protocol to *end* a chain: with a transport, a stub, or a player of recorded responses. To
/// process requests on their way to a dispatcher, write an ``Interceptor``.
///
/// A dispatcher honors the request's ``RequestOptions``: the time limit of each phase, the delivery and the
/// limit of decoded bytes. It reports a cancelled task promptly as ``NetworkError/Kind/cancelled(_:)``. It
/// returns a response for every HTTP status and never throws because of one.
public protocol Dispatcher: Sendable {
  /// The capabilities that interceptors may rely on; empty by default.
  var capabilities: DispatcherCapabilities { get }

  /// Sends `request` and returns when the response's head has arrived or, if it is buffered, its whole body.
  func dispatch(_ request: Request) async throws(NetworkError) -> Response

  /// Sends `request`, and completes it only if it leaves the device.
  ///
  /// Don't implement this method: the remainder of a ``Pipeline`` does it, and the default implementation
  /// completes the request at once. See ``Request/Departure``.
  func dispatch(
    _ request: Request, onDeparture departure: Request.Departure
  ) async throws(NetworkError) -> Response
}

extension Dispatcher {
  /// An empty set.
  public var capabilities: DispatcherCapabilities { [] }
}
