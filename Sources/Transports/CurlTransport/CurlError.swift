import CCurlShims
import Interception

/// A failure that libcurl reported; it is the `underlying` error of the dispatcher's errors.
public struct CurlError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of libcurl's `CURLcode`.
  public let code: Int
  /// libcurl's constant description of the code.
  package let summary: String
  /// libcurl's description of this failure; empty if it has none.
  ///
  /// It may name hosts, addresses and parts of the response's framing, but nothing of the request's content.
  package internal(set) var detail = ""

  /// The name of the code with which a stream of HTTP/2 was reset (RFC 9113, section 7); nil if none was.
  var resetCode: Substring? {
    // To 8.14 "… was not closed cleanly: CANCEL (err 8)", and in 8.23 "… reset by server (error 0x8 CANCEL)".
    let start: String.Index? =
      if let words = detail.firstRange(of: "closed cleanly: ") {
        words.upperBound
      } else if let words = detail.firstRange(of: " (error 0x") {
        detail[words.upperBound...].firstRange(of: " ")?.upperBound
      } else {
        nil
      }
    return start.map { detail[$0...].prefix { $0 == "_" || $0.isLetter || $0.isNumber } }
  }

  /// The code and libcurl's description.
  public var description: String { "curl \(code): \(detail.isEmpty ? summary : detail)" }
}

extension NetworkError {
  /// A request that cannot be sent; `reason` names the culprit and the remedy.
  static func invalidRequest(_ reason: String) -> NetworkError { NetworkError(.invalidRequest, reason) }

  static func cancelled(_ cause: Cause, origin: WebOrigin, mayHaveBeenProcessed: Bool) -> NetworkError {
    let reason =
      switch cause {
      case .task: "The request to \(origin) was cancelled."
      case .shutdown:
        "The dispatcher was shut down before the request to \(origin) ended; use another one, or shut down later."
      }
    return NetworkError(.cancelled(cause), reason, requestMayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  /// A copy of a request that was connected after another one, and not sent.
  static func overtaken(origin: WebOrigin) -> NetworkError {
    NetworkError(
      .cancelled(.task), "Another address of \(origin) was connected first; the request is sent to that one.",
      underlying: ConnectRace.Overtaken())
  }

  /// What the error of a proxy says that did not accept the credentials, or requires some.
  static func credentialsSentence(_ proxy: Proxy) -> String {
    proxy.credentials == nil
      ? "The proxy \(proxy) requires credentials; give ProxyPolicy a URL with a user and a password."
      : "The proxy \(proxy) did not accept the credentials of ProxyPolicy; correct them there."
  }

  /// A request that exceeded a limit of the queue.
  static func queueFull(origin: WebOrigin, limit: DispatchState.QueueLimit) -> NetworkError {
    let (fault, remedy) =
      switch limit {
      case .requests(let count): ("\(count) requests are waiting", "raise CurlDispatcher.Limits(queue:).")
      case .bytes(let count):
        (
          "waiting requests hold \(count) bytes",
          "stream their bodies, or raise CurlDispatcher.Limits(queuedBytes:)."
        )
      }
    return NetworkError(
      .queueFull,
      "The request to \(origin) was not queued: \(fault) already; send fewer at a time, or \(remedy)")
  }

  /// A request that reached a time limit in the queue.
  static func expiredInQueue(
    _ phase: Phase, of plan: RequestPlan, unreadStreams: Int, ofOthers others: Int
  ) -> NetworkError {
    let timeouts = plan.options.timeouts
    let remedy =
      unreadStreams > 0
      ? "\(unreadStreams) streamed responses of that origin are not being read and hold its connections; read or "
        + "drop them."
      : others > 0
        ? "\(others) streamed responses are not being read and hold all connections; read or drop them."
        : "send fewer at a time, or raise timeouts.\(phase)."
    return NetworkError(
      .timeout(phase == .call ? .call : .queue),
      "The request to \(plan.origin) waited in the queue for \(words(timeouts.limit(of: phase))) and was not sent; "
        + remedy)
  }

  /// A request for which the system had no `resource`.
  static func resources(origin: WebOrigin, _ resource: String) -> NetworkError {
    switchyard_descriptors_are_exhausted() != 0
      ? NetworkError(.descriptorsExhausted, noDescriptors(origin))
      : NetworkError(
        .transport, "The system gives no \(resource) for the request to \(origin); free some memory.")
  }

  static func noDescriptors(_ origin: WebOrigin) -> String {
    "The process has no file descriptor left for the request to \(origin); close files or streams, or raise the limit "
      + "(ulimit -n)."
  }

  static func sentence(_ phase: Phase, host: String, limit: Duration?) -> String {
    let limit = words(limit)
    return switch phase {
    case .queue:
      "The request to \(host) waited longer than \(limit) to be sent; send fewer at a time, or raise timeouts.queue."
    case .connect:
      "No connection to \(host) within \(limit); check that it can be reached, or raise timeouts.connect."
    case .firstByte:
      "\(host) did not begin its answer within \(limit); check the server, or raise timeouts.firstByte."
    case .idle: "The transfer with \(host) stalled for \(limit); check the network, or raise timeouts.idle."
    case .whole:
      "The request to \(host) did not end within \(limit); raise timeouts.whole, or set it to nil for long transfers."
    case .call:
      "The call did not end within its time limit: the request to \(host) had \(limit) left; raise timeouts.call."
    }
  }

  private static func words(_ limit: Duration?) -> String {
    guard let milliseconds = limit?.wholeMilliseconds else { return "its limit" }
    return milliseconds >= 1000 && milliseconds % 1000 == 0
      ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
