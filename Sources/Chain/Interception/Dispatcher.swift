/// A type that turns a request into a response: a transport, a pipeline, the remainder of a chain, or a test
/// double.
///
/// Conform to this protocol to *end* a chain: with a transport, a stub, or a player of recorded responses. To
/// process requests on their way to a dispatcher, write an ``Interceptor``.
///
/// A dispatcher honors the request's ``RequestOptions``: the time limit of each phase, the delivery and the
/// limit of bytes. It sends a request without `Accept-Encoding` with the value `identity`, and delivers the
/// content as it was sent, with its `Content-Encoding`: interceptors decode it. It reports a cancelled task
/// promptly as ``NetworkError/Kind/cancelled(_:)``. It returns a response for every HTTP status and never
/// throws because of one. It sends the request's ``Request/trailers``, or refuses the request with
/// ``NetworkError/Kind/unsupported``.
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

/// A connection whose server has switched from HTTP to another protocol (RFC 9110, section 7.8).
///
/// A dispatcher gives it to its response with the status 101, see ``Response/connection``. Both directions
/// have back-pressure. Releasing the last reference closes the connection.
package protocol UpgradedConnection: AnyObject, Sendable {
  /// Returns the bytes that have been received since the last call, never empty; nil after the server has
  /// closed its side.
  ///
  /// Only one task at a time reads. While no task reads, a bounded number of bytes is received. Cancelling
  /// the task ends the wait, not the connection.
  ///
  /// - Throws: The error by which the connection was lost, or that of a cancelled task.
  func read() async throws(NetworkError) -> [UInt8]?

  /// Queues bytes to be sent, after a wait while too many are queued.
  ///
  /// Bytes of one call are sent together, in the order of the calls. If it throws, none of them are sent.
  ///
  /// - Throws: The error by which the connection was lost, or that of a cancelled task.
  func write(_ bytes: [UInt8]) async throws(NetworkError)

  /// Queues bytes to be sent, without a wait.
  ///
  /// Has no effect once the connection is closed, or while far too many bytes of such calls are queued.
  func writeAtOnce(_ bytes: [UInt8])

  /// The executor of short work with the received bytes, which saves a switch to Swift's pool; nil for none.
  var executor: (any TaskExecutor)? { get }

  /// Spins briefly for what the next bytes of the server bring; returns whether the condition became true.
  ///
  /// It does so only while bytes are sent and received one after another; otherwise it returns false.
  func spin(until condition: () -> Bool) -> Bool

  /// Closes the connection once the queued bytes were sent, or after a second at the latest.
  ///
  /// It may be called at any time, from any thread, and repeatedly.
  func close()
}

extension UpgradedConnection {
  package var executor: (any TaskExecutor)? { nil }

  package func spin(until condition: () -> Bool) -> Bool { false }
}
