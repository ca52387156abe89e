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
/// - A transfer cannot be paused on Linux, see `unreadLimit`.
/// - Responses are decoded even if their coding was not accepted; `Content-Encoding` and `Content-Length` are
///   then removed. `CompressionInterceptor` therefore asks for gzip and deflate only, and decodes what this
///   dispatcher does not.
/// - Repeated fields are joined by commas (RFC 9110, section 5.3); `Set-Cookie` fields are separated again.
/// - A request with trailer fields fails with `NetworkError.Kind.unsupported`; those of a response are not
///   available. On Linux a server that sends some **ends the process**, inside of Foundation: use
///   `CurlDispatcher` for unknown servers.
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
  package let configuration: Configuration
  let owner: SessionOwner

  /// Creates a dispatcher with a new session.
  public convenience init(configuration: Configuration = Configuration()) {
    self.init(configuration: configuration, time: .system)
  }

  init(configuration: Configuration, time: TimeSource) {
    self.configuration = configuration
    owner = SessionOwner(configuration: configuration, behavior: .current, time: time)
  }

  /// The dispatcher decodes responses by itself, and cannot connect to a connect target.
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

extension URLSessionDispatcher {
  /// Limits for the number of requests and the size of bodies.
  ///
  /// Trust cannot be configured: on Linux, Foundation supports neither a file of authorities nor inspecting
  /// the server's certificate, so a server is trusted if it has a certificate of an authority that the system
  /// trusts. Use `CurlDispatcher` if that is not sufficient.
  public struct Configuration: Sendable, Hashable {
    /// The limits for running and waiting requests.
    package var limits: Limits
    /// The maximum size of a request body in bytes; 64 MiB by default.
    package var uploadLimit: Int
    /// The maximum number of received but unread bytes of a streamed response; 8 MiB by default, at least 64
    /// KiB.
    package var unreadLimit: Int
    /// The `User-Agent` of requests that do not set one; nil uses that of the system.
    package var userAgent: String?

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - limits: The limits for running and waiting requests.
    ///   - uploadLimit: The maximum size of a request body in bytes; 64 MiB by default.
    ///
    ///     A body that is not in memory is read completely before it is sent. A longer one fails with
    ///     `NetworkError.Kind.bodyTooLarge(limit:)`.
    ///   - unreadLimit: The maximum number of received but unread bytes of a streamed response; 8 MiB by
    ///     default, at least 64 KiB.
    ///
    ///     On Apple's platforms the transfer is paused at an eighth of this limit. On Linux, Foundation
    ///     cannot pause a transfer, so a slower reader fails with `NetworkError.Kind.bodyTooLarge(limit:)`.
    ///   - userAgent: The `User-Agent` of requests that do not set one; nil uses that of the system.
    public init(
      limits: Limits = Limits(), uploadLimit: Int = 64 << 20, unreadLimit: Int = 8 << 20,
      userAgent: String? = "Switchyard"
    ) {
      self.limits = limits
      self.uploadLimit = max(uploadLimit, 0)
      self.unreadLimit = max(unreadLimit, 64 << 10)
      self.userAgent = userAgent
    }
  }

  /// Limits for running and waiting requests; values below 1 are raised to 1, except for the queue, which may
  /// be 0.
  public struct Limits: Sendable, Hashable {
    /// The maximum number of running requests; 64 by default.
    package var total: Int
    /// The maximum number of running requests per origin; 6 by default.
    package var perOrigin: Int
    /// The maximum number of waiting requests; 256 by default.
    package var queue: Int
    /// The waiting time that is equivalent to twice the priority; 1 s by default.
    package var ageing = Duration.seconds(1)

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - total: The maximum number of running requests; 64 by default.
    ///   - perOrigin: The maximum number of running requests per origin; 6 by default.
    ///   - queue: The maximum number of waiting requests; 256 by default.
    ///
    ///     A request beyond it fails with `NetworkError.Kind.queueFull`.
    public init(total: Int = 64, perOrigin: Int = 6, queue: Int = 256) {
      self.total = max(total, 1)
      self.perOrigin = max(perOrigin, 1)
      self.queue = max(queue, 0)
    }
  }
}

/// The behavior of this platform's URL loading system, determined by experiment, to which the target adapts.
///
/// The values for Linux were measured on swift-corelibs-foundation of Swift 6.3 with libcurl 7.88.
struct PlatformBehavior: Sendable, Hashable {
  /// Whether a suspended task continues where it stopped; otherwise resuming it sends the request again.
  var suspensionHolds: Bool
  /// Whether a request over a dead idle connection is sent again after its body has been consumed.
  var resendsUsedUpBodies: Bool
  /// The names of the content codings that are decoded, even if they were not accepted.
  var decodedCodings: Set<String>
  /// Whether a `Host` field of the request is sent unchanged.
  var takesHostField: Bool

  #if canImport(Darwin)
  /// The behavior of Apple's platforms.
  static let current = PlatformBehavior(
    suspensionHolds: true, resendsUsedUpBodies: false, decodedCodings: ["gzip", "deflate", "br"],
    takesHostField: false)
  #else
  /// The behavior of swift-corelibs-foundation, whose libcurl fails for all other codings.
  static let current = PlatformBehavior(
    suspensionHolds: false, resendsUsedUpBodies: true, decodedCodings: ["gzip", "deflate", "br", "zstd"],
    takesHostField: true)
  #endif
}
