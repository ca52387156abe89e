extension URLSessionDispatcher {
  /// How many requests run and wait, and how much of a body is held.
  ///
  /// Whom to trust is not among it: Linux's Foundation takes neither a file of authorities nor the server's
  /// certificate for inspection, so a server is trusted when the system's authorities vouch for it. Where
  /// that is not enough, `CurlDispatcher` is the transport to choose.
  public struct Configuration: Sendable, Hashable {
    /// Limits of what runs and waits.
    public var limits: Limits
    /// The most bytes of a request's body; 64 MiB.
    ///
    /// A body that is not in memory is read whole before it is sent, and a longer one fails with
    /// ``NetworkError/Kind/bodyTooLarge(limit:)``.
    public var uploadLimit: Int
    /// The most bytes of a streamed answer that arrived and that its reader hasn't taken; 8 MiB, at least 64
    /// KiB.
    ///
    /// On Apple's platforms the transfer pauses at an eighth of it. Linux's Foundation cannot pause, so a
    /// reader that falls farther behind gets ``NetworkError/Kind/bodyTooLarge(limit:)``.
    public var unreadLimit: Int
    /// What `User-Agent` says where a request doesn't; nil leaves it to the system.
    public var userAgent: String?

    /// Makes a configuration.
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

  /// How many requests run and wait; a value below 1 counts as 1, the queue may be 0.
  public struct Limits: Sendable, Hashable {
    /// The most requests that run at a time; 64.
    public var total: Int
    /// The most requests that run at a time to one origin; 6.
    public var perOrigin: Int
    /// The most requests that wait; 256.
    ///
    /// One more fails with ``NetworkError/Kind/queueFull``.
    public var queue: Int
    /// The time of waiting that counts as much as twice the priority; 1 s.
    public var ageing: Duration

    /// Makes limits.
    public init(total: Int = 64, perOrigin: Int = 6, queue: Int = 256, ageing: Duration = .seconds(1)) {
      self.total = max(total, 1)
      self.perOrigin = max(perOrigin, 1)
      self.queue = max(queue, 0)
      self.ageing = max(ageing, .zero)
    }
  }
}
