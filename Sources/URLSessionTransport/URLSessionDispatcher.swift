public import Interception

/// A dispatcher over the platform's `URLSession`.
///
/// Choose it on Apple's platforms, where it brings the system's proxies, trust and radio with it, or as a
/// second opinion beside `CurlDispatcher`. On Linux `CurlDispatcher` is faster, and keeps promises that
/// Linux's Foundation has no means for:
///
/// * The connection is not visible: ``RequestOptions/Timeouts/connect`` has no effect of its own, and
///   ``RequestOptions/Timeouts/firstByte`` counts from the launch, or from the last byte of the body. So has
///   ``NetworkError/requestMayHaveBeenProcessed`` to be true from the launch on, unless the failure says
///   otherwise.
/// * A transfer cannot be paused: see ``Configuration/unreadLimit``.
/// * Answers are decoded whether or not it was asked for; `Content-Encoding` and `Content-Length` are then
///   removed.
/// * Fields that repeat arrive as one, joined by commas (RFC 9110, section 5.3); `Set-Cookie` is taken apart
///   again.
/// * Trailers are not handed on. On Linux a server that sends some **ends the process**, inside of
///   Foundation: speak to servers that you do not know through `CurlDispatcher`.
/// * The report has no address, no version and no times of name look-up, connection and handshake on Linux.
/// * On Linux a request that has a body, or is not idempotent, travels on a connection of its own: over a
///   kept one Foundation would send it twice when that turned out dead.
/// * `Accept`, `Accept-Language` and, for a POST with a body, `Content-Type` go out with neutral values where
///   a request has none.
///
/// Redirects are reported and not followed, and cookies, caches and credentials of the system are not used.
/// It refuses with ``NetworkError/Kind/invalidRequest`` what would not reach the server as it stands: what
/// `CurlDispatcher` refuses, and moreover a ``RequestContext/connectTarget``, dot segments and characters
/// that `URL` encodes, `OPTIONS *`, and a GET that has a body.
public final class URLSessionDispatcher: Dispatcher {
  /// The limits it was made with.
  public let configuration: Configuration
  let owner: SessionOwner

  /// Makes a dispatcher with a session of its own.
  public convenience init(configuration: Configuration = Configuration()) {
    self.init(configuration: configuration, time: .system)
  }

  init(configuration: Configuration, time: TimeSource) {
    self.configuration = configuration
    owner = SessionOwner(configuration: configuration, habits: .current, time: time)
  }

  /// It decodes what it asked for; it cannot connect elsewhere than the URL says.
  public var capabilities: DispatcherCapabilities { .responseDecoding }

  /// Sends `request` and returns once its answer's head, or its whole buffered answer, has arrived.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let handedOver = owner.time.now()
    let plan = try RequestPlan(request, userAgent: configuration.userAgent, habits: owner.habits)
    let transfer = Transfer(plan: plan, owner: owner, handedOver: handedOver)
    return try await transfer.run()
  }

  /// Accepts nothing more, lets what runs go on for `grace`, and returns once everything is over.
  ///
  /// What waits, and what is not over by then, fails with ``NetworkError/Kind/cancelled(_:)`` of cause
  /// ``NetworkError/Cause/shutdown``.
  public func shutdown(grace: Duration = .zero) async { await owner.close(grace: grace) }
}
