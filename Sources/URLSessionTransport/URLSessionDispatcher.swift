public import Interception

/// A dispatcher based on the platform's `URLSession`.
///
/// Use it on Apple's platforms, where it supports the system's proxies, trust settings and radio management,
/// or for comparison with `CurlDispatcher`. On Linux, `CurlDispatcher` is faster and is not subject to these
/// limitations of Foundation:
///
/// - The connection is not visible: `RequestOptions.Timeouts.connect` has no effect, and
///   `RequestOptions.Timeouts.firstByte` and `RequestOptions.Timeouts.idle` start at the launch or at the
///   last byte of the body. For the same reason `NetworkError.requestMayHaveBeenProcessed` is true after the
///   launch, unless the failure proves otherwise.
/// - A transfer cannot be paused on Linux, see ``Configuration/unreadLimit``.
/// - Responses are decoded even if their coding was not accepted; `Content-Encoding` and `Content-Length` are
///   then removed.
/// - Repeated fields are joined by commas (RFC 9110, section 5.3); `Set-Cookie` fields are separated again.
/// - Trailers are not available. On Linux a server that sends trailers **ends the process**, inside of
///   Foundation: use `CurlDispatcher` for unknown servers.
/// - On Linux the report has no address, no version, and no times of name resolution, connection and
///   handshake.
/// - On Linux a request that has a body or is not idempotent uses a new connection: over an idle one
///   Foundation would send it twice if that connection was dead.
/// - `Accept`, `Accept-Language` and, for a POST with a body, `Content-Type` have neutral values if a request
///   does not set them.
///
/// Redirects are reported and not followed; cookies, caches and credentials of the system are not used.
/// Requests that would not reach the server unchanged fail with `NetworkError.Kind.invalidRequest`: those
/// that `CurlDispatcher` refuses, and also a `RequestContext.connectTarget`, dot segments, characters that
/// `URL` encodes, `OPTIONS *`, and a GET with a body.
public final class URLSessionDispatcher: Dispatcher {
  /// The configuration.
  public let configuration: Configuration
  let owner: SessionOwner

  /// Creates a dispatcher with a new session.
  public convenience init(configuration: Configuration = Configuration()) {
    self.init(configuration: configuration, time: .system)
  }

  init(configuration: Configuration, time: TimeSource) {
    self.configuration = configuration
    owner = SessionOwner(configuration: configuration, behavior: .current, time: time)
  }

  /// The dispatcher decodes accepted codings, and cannot connect to a connect target.
  public var capabilities: DispatcherCapabilities { .responseDecoding }

  /// Sends `request` and returns once the head of its response, or the whole buffered response, has been
  /// received.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let handedOver = owner.time.now()
    let plan = try RequestPlan(request, userAgent: configuration.userAgent, behavior: owner.behavior)
    let transfer = Transfer(plan: plan, owner: owner, handedOver: handedOver)
    return try await transfer.run()
  }

  /// Stops accepting requests, lets running ones continue for `grace`, and returns once all have ended.
  ///
  /// Waiting requests, and those that have not ended by then, fail with `NetworkError.Kind.cancelled(_:)`
  /// and the cause `NetworkError.Cause.shutdown`.
  public func shutdown(grace: Duration = .zero) async { await owner.close(grace: grace) }
}
