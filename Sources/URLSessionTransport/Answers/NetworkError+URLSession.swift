import Interception

extension NetworkError {
  /// The error of a limit that was reached, with the host, the phase, the limit and a remedy.
  static func timeout(
    _ phase: Phase, origin: String, limit: Duration?, mayHaveBeenProcessed: Bool
  ) -> NetworkError {
    let limit = limit.map(words) ?? "its limit"
    let reason =
      switch phase {
      case .queue:
        "The request to \(origin) waited longer than \(limit) to be sent; send fewer at a time, or raise timeouts.queue."
      case .connect:
        "No connection to \(origin) within \(limit); check that it can be reached, or raise timeouts.connect."
      case .firstByte:
        "\(origin) did not begin its answer within \(limit); look at the server, or raise timeouts.firstByte."
      case .idle:
        "The transfer with \(origin) stood still for \(limit); look at the network, or raise timeouts.idle."
      case .whole:
        "The request to \(origin) was not over within \(limit); raise timeouts.whole, or set it to nil for long transfers."
      }
    return NetworkError(.timeout(phase), reason, requestMayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  /// The error of a request that nobody waits for any more.
  static func cancelled(_ cause: Cause, origin: String, mayHaveBeenProcessed: Bool) -> NetworkError {
    let reason =
      switch cause {
      case .task: "The request to \(origin) was cancelled."
      case .shutdown:
        "The dispatcher was shut down before the request to \(origin) was over; use another one, or shut down later."
      }
    return NetworkError(.cancelled(cause), reason, requestMayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  /// The error of a full queue.
  static func queueFull(origin: String, limit: Int) -> NetworkError {
    NetworkError(
      .queueFull,
      "The request to \(origin) is one more than the \(limit) that may wait; send fewer at a time, or raise limits.queue."
    )
  }

  /// The error of a reader that fell too far behind a transfer that cannot be paused.
  static func unread(limit: Int, origin: String) -> NetworkError {
    NetworkError(
      .bodyTooLarge(limit: Int64(limit)),
      "More than \(limit) bytes from \(origin) wait for their reader, and Foundation cannot pause the transfer; read faster, raise "
        + "unreadLimit, or send the request through CurlDispatcher.",
      requestMayHaveBeenProcessed: true)
  }

  private static func words(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    return milliseconds >= 1000 && milliseconds % 1000 == 0
      ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
