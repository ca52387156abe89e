import CCurlShims
import Interception

extension NetworkError {
  /// The error of a limit that was reached, with the host, the phase, the limit and a remedy.
  static func timeout(
    _ phase: Phase, of plan: RequestPlan, limit: Duration?, mayHaveBeenProcessed: Bool
  ) -> NetworkError {
    NetworkError(
      .timeout(phase), sentence(phase, host: "\(plan.origin)", limit: limit),
      requestMayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  /// The error of a request that was cancelled.
  static func cancelled(_ cause: Cause, origin: WebOrigin, mayHaveBeenProcessed: Bool) -> NetworkError {
    let reason =
      switch cause {
      case .task: "The request to \(origin) was cancelled."
      case .shutdown:
        "The dispatcher was shut down before the request to \(origin) was over; use another one, or shut down later."
      }
    return NetworkError(.cancelled(cause), reason, requestMayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  /// What the error of a proxy says that requires other credentials than it was given.
  static func credentialsSentence(_ proxy: Proxy) -> String {
    proxy.credentials == nil
      ? "The proxy \(proxy) requires credentials; give them to ProxyPolicy as Proxy.Credentials."
      : "The proxy \(proxy) did not accept the credentials of ProxyPolicy; correct them there."
  }

  /// The error of a full queue.
  static func queueFull(origin: WebOrigin, limit: DispatchState.QueueLimit) -> NetworkError {
    let remedy =
      switch limit {
      case .requests(let count):
        "\(count) requests are waiting already; send fewer at a time, or raise limits.queue."
      case .bytes(let count):
        "the requests that are waiting hold \(count) bytes already; send fewer at a time, stream their bodies, or raise "
          + "limits.queuedBytes."
      }
    return NetworkError(.queueFull, "The request to \(origin) was not queued: \(remedy)")
  }

  /// The error of a request whose time limit was reached in the queue.
  static func expiredInQueue(_ phase: Phase, of plan: RequestPlan, unreadStreams: Int) -> NetworkError {
    let timeouts = plan.options.timeouts
    let limit = (phase == .queue ? timeouts.queue : timeouts.whole).map(words) ?? "its limit"
    let remedy =
      if unreadStreams > 0 {
        "\(unreadStreams) streamed responses of that origin are not being read and hold its connections; read or drop them."
      } else {
        "send fewer at a time, or raise timeouts.\(phase)."
      }
    return NetworkError(
      .timeout(.queue),
      "The request to \(plan.origin) waited in the queue for \(limit) and was not sent; "
        + remedy)
  }

  /// The error of a request for which the system gave no resources.
  static func resources(origin: WebOrigin, _ resource: String) -> NetworkError {
    guard switchyard_descriptors_are_exhausted() != 0 else {
      return NetworkError(
        .transport, "The system gives no \(resource) for the request to \(origin); free some memory.")
    }
    return NetworkError(.descriptorsExhausted, noDescriptors(origin))
  }

  /// What the error says when the process has no file descriptor left.
  static func noDescriptors(_ origin: WebOrigin) -> String {
    "The process has no file descriptor left for the request to \(origin); close files or streams, or raise the limit "
      + "(ulimit -n)."
  }

  /// What a timeout says.
  static func sentence(_ phase: Phase, host: String, limit: Duration?) -> String {
    let limit = limit.map(words) ?? "its limit"
    return switch phase {
    case .queue:
      "The request to \(host) waited longer than \(limit) to be sent; send fewer at a time, or raise timeouts.queue."
    case .connect:
      "No connection to \(host) within \(limit); check that it can be reached, or raise timeouts.connect."
    case .firstByte:
      "\(host) did not begin its answer within \(limit); look at the server, or raise timeouts.firstByte."
    case .idle:
      "The transfer with \(host) stood still for \(limit); look at the network, or raise timeouts.idle."
    case .whole:
      "The request to \(host) was not over within \(limit); raise timeouts.whole, or set it to nil for long transfers."
    }
  }

  private static func words(_ time: Duration) -> String {
    let milliseconds = time.wholeMilliseconds
    return milliseconds >= 1000 && milliseconds % 1000 == 0
      ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
