import Interception

extension NetworkError {
  /// Returns the error for an exceeded limit, with the host, the phase, the limit and a remedy.
  static func timeout(
    _ phase: Phase, origin: String, limit: Duration?, mayHaveBeenProcessed: Bool
  ) -> NetworkError {
    let limit = limit.map(words) ?? "its limit"
    let reason =
      switch phase {
      case .queue:
        "The request to \(origin) waited longer than \(limit) to be sent; send fewer requests at a time, or raise timeouts.queue."
      case .connect:
        "No connection to \(origin) was established within \(limit); check that it is reachable, or raise timeouts.connect."
      case .firstByte:
        "\(origin) did not begin its response within \(limit); check the server, or raise timeouts.firstByte."
      case .idle:
        "The transfer with \(origin) was idle for \(limit); check the network, or raise timeouts.idle."
      case .whole:
        "The request to \(origin) did not finish within \(limit); raise timeouts.whole, or set it to nil for long transfers."
      case .call:
        "The call did not finish within its time limit: the request to \(origin) had \(limit) left; raise timeouts.call."
      }
    return NetworkError(.timeout(phase), reason, requestMayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  /// Returns the error for a cancelled request.
  static func cancelled(_ cause: Cause, origin: String, mayHaveBeenProcessed: Bool) -> NetworkError {
    let reason =
      switch cause {
      case .task: "The request to \(origin) was cancelled."
      case .shutdown:
        "The dispatcher was shut down before the request to \(origin) finished; use another dispatcher, or shut it down later."
      }
    return NetworkError(.cancelled(cause), reason, requestMayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  /// Returns the error for a full queue.
  static func queueFull(origin: String, limit: Int) -> NetworkError {
    NetworkError(
      .queueFull,
      "The request to \(origin) exceeds the limit of \(limit) waiting requests; send fewer at a time, or raise limits.queue."
    )
  }

  /// Returns the error for a reader that is too slow for a transfer that cannot be paused.
  static func unread(limit: Int, origin: String) -> NetworkError {
    NetworkError(
      .bodyTooLarge(limit: Int64(limit)),
      "More than \(limit) bytes from \(origin) are waiting to be read, and Foundation cannot pause the transfer; read faster, raise "
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
