extension URLSessionDispatcher {
  /// Limits for the number of requests and the size of bodies.
  ///
  /// Trust cannot be configured: on Linux, Foundation supports neither a file of authorities nor inspecting
  /// the server's certificate, so a server is trusted if it has a certificate of an authority that the system
  /// trusts. Use `CurlDispatcher` if that is not sufficient.
  public struct Configuration: Sendable, Hashable {
    /// The limits for running and waiting requests.
    public var limits: Limits
    /// The maximum size of a request body in bytes; 64 MiB by default.
    ///
    /// A body that is not in memory is read completely before it is sent. A longer one fails with
    /// `NetworkError.Kind.bodyTooLarge(limit:)`.
    public var uploadLimit: Int
    /// The maximum number of received but unread bytes of a streamed response; 8 MiB by default, at least 64
    /// KiB.
    ///
    /// On Apple's platforms the transfer is paused at an eighth of this limit. On Linux, Foundation cannot
    /// pause a transfer, so a slower reader fails with `NetworkError.Kind.bodyTooLarge(limit:)`.
    public var unreadLimit: Int
    /// The `User-Agent` of requests that do not set one; nil uses that of the system.
    public var userAgent: String?

    /// Creates a configuration.
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
    public var total: Int
    /// The maximum number of running requests per origin; 6 by default.
    public var perOrigin: Int
    /// The maximum number of waiting requests; 256 by default.
    ///
    /// A request beyond it fails with `NetworkError.Kind.queueFull`.
    public var queue: Int
    /// The waiting time that is equivalent to twice the priority; 1 s by default.
    public var ageing: Duration

    /// Creates limits.
    public init(total: Int = 64, perOrigin: Int = 6, queue: Int = 256, ageing: Duration = .seconds(1)) {
      self.total = max(total, 1)
      self.perOrigin = max(perOrigin, 1)
      self.queue = max(queue, 0)
      self.ageing = max(ageing, .zero)
    }
  }
}
