import Interception

/// Works around an upload over HTTP/2 that stands still although the server has made room: while libcurl
/// holds content of it, it is run again about twice a second.
///
/// libcurl runs all transfers of a connection whose socket has bytes, and an upload then finds that a window
/// has grown (RFC 9113, section 6.9). If another transfer is run for a reason of its own, such as that it is
/// new, and reads the frame with it, the socket has no bytes any more. libcurl then sends what its HTTP/2
/// layer holds of the upload, and does not run it, so that the rest stands still until something else is
/// received: perhaps until its limit of silence.
///
/// Affected: 8.14 and 8.23 at least, with `curl_multi_socket_action`; `curl_multi_perform` runs all
/// transfers. Upstream: no report is known. Delete this once libcurl runs each upload whose window has grown.
struct BlockedUpload {
  private enum Phase {
    /// The request is not sent over a connection that it shares.
    case absent
    /// libcurl holds no content.
    case resting
    /// libcurl may hold content; it is run again at this time unless libcurl takes some before.
    case held(until: Duration)
  }

  private static let interval = Duration.milliseconds(250)
  private var phase = Phase.absent
  private var latestRun: Duration?

  /// A time 250 to 500 ms later that all uploads share, so that many wake the loop no more often than one.
  private static func time(after now: Duration) -> Duration { interval * (Int(now / interval) + 2) }

  /// When the upload is to be run again.
  var alarm: DispatchState.Deadline? {
    if case .held(let time) = phase { .init(time: time, phase: .idle) } else { nil }
  }

  /// Records that the request departs over a connection that it shares.
  mutating func depart(at now: Duration) { phase = .held(until: Self.time(after: now)) }

  /// Records that libcurl has taken content; returns whether it does so because it has sent some.
  ///
  /// When it is run again, it also fills its buffer with what the source has by then.
  mutating func advance(at now: Duration) -> Bool {
    guard now != latestRun else { return false }
    if case .absent = phase { return true }
    phase = .held(until: Self.time(after: now))
    return true
  }

  /// Records that the upload is run again.
  mutating func runAgain(at now: Duration) {
    phase = .held(until: Self.time(after: now))
    latestRun = now
  }

  /// Records that libcurl holds no content.
  mutating func rest() { phase = .resting }

  /// Records that the request is sent otherwise, or was withdrawn.
  mutating func end() { phase = .absent }
}
