import Foundation
import Interception

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Converts Foundation's error of a failed task to a `NetworkError`.
///
/// On Linux, Foundation reports most failures with the code -1 and libcurl's message, so the message is
/// interpreted if the code is not specific.
struct FailureClassifier {
  let origin: String
  let failure: URLSessionError
  /// Whether a byte of the body was sent or one of the response was received, which proves a connection.
  let sawConnection: Bool

  /// Interprets the error of a task.
  init(_ error: any Error, origin: String, sawConnection: Bool) {
    let error = error as NSError
    failure = URLSessionError(
      code: error.domain == NSURLErrorDomain ? error.code : NSURLErrorUnknown,
      detail: RequestAddress.printable(error.localizedDescription))
    self.origin = origin
    self.sawConnection = sawConnection
  }

  var networkError: NetworkError {
    let (kind, reason) = kindAndReason
    return NetworkError(
      kind, reason, requestMayHaveBeenProcessed: mayHaveBeenProcessed(kind), underlying: failure)
  }

  /// False only if no connection, or no trusted one, was established.
  private func mayHaveBeenProcessed(_ kind: NetworkError.Kind) -> Bool {
    if sawConnection { return true }
    return switch kind {
    case .resolve, .connect, .offline, .tls: false
    default: true
    }
  }

  private var kindAndReason: (NetworkError.Kind, String) {
    switch failure.code {
    case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed:
      return (
        .resolve, "The host name of \(origin) has no address; check its spelling and the DNS server."
      )
    case NSURLErrorCannotConnectToHost where isAboutConnecting:
      return (
        .connect,
        "\(origin) refused the connection or cannot be reached; check that the server is running and listening there."
      )
    case NSURLErrorNotConnectedToInternet, NSURLErrorInternationalRoamingOff, NSURLErrorDataNotAllowed:
      return (
        .offline, "There is no network connection to reach \(origin); connect and send the request again."
      )
    case NSURLErrorTimedOut:
      return (
        .timeout(sawConnection ? .idle : .connect),
        "The system timed out waiting for \(origin); check the network and the server."
      )
    case NSURLErrorSecureConnectionFailed, NSURLErrorClientCertificateRejected,
      NSURLErrorClientCertificateRequired, NSURLErrorServerCertificateHasBadDate,
      NSURLErrorServerCertificateNotYetValid, NSURLErrorServerCertificateUntrusted,
      NSURLErrorServerCertificateHasUnknownRoot:
      return tls
    case NSURLErrorCannotParseResponse, NSURLErrorUnsupportedURL, NSURLErrorCannotDecodeRawData,
      NSURLErrorCannotDecodeContentData, NSURLErrorDataLengthExceedsMaximum:
      return (.protocolViolation, brokenRules)
    case NSURLErrorBadServerResponse:
      return says("empty reply")
        ? (.transport, "\(origin) closed the connection without a response.")
        : (.protocolViolation, brokenRules)
    case NSURLErrorCancelled:
      return (.cancelled(.shutdown), "The session of the request to \(origin) was invalidated.")
    default: return fromWords
    }
  }

  private var fromWords: (NetworkError.Kind, String) {
    if says("certificate") || says("ssl") { return tls }
    let rules = [
      "chunk", "header", "content encoding", "content-encoding", "content-length", "http/", "out of memory",
      "deflat",
    ]
    if rules.contains(where: says), !says("reset") { return (.protocolViolation, brokenRules) }
    return (.transport, "The connection to \(origin) broke: \(failure.detail).")
  }

  private var tls: (NetworkError.Kind, String) {
    let fault: NetworkError.TLSFault =
      switch failure.code {
      case NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateNotYetValid: .expired
      case NSURLErrorServerCertificateUntrusted, NSURLErrorServerCertificateHasUnknownRoot: .untrusted
      default:
        if says("expired") || says("not yet valid") {
          .expired
        } else if says("subject name") {
          .nameMismatch
        } else if says("issuer") || says("self-signed") || says("self signed") {
          .untrusted
        } else {
          .handshake
        }
      }
    return (
      .tls(fault),
      "The TLS handshake with \(origin) failed: \(failure.detail). The server needs a certificate of an authority that the "
        + "system trusts; CurlDispatcher can trust others."
    )
  }

  private var brokenRules: String {
    "\(origin) sent a response that is not well-formed HTTP: \(failure.detail)."
  }

  // On Linux, Foundation reports this code for every failure after a refused attempt at another address.
  private var isAboutConnecting: Bool {
    let afterwards = ["recv", "send", "reply", "reset", "transfer", "read"]
    return !sawConnection && !afterwards.contains(where: says)
  }

  private func says(_ words: String) -> Bool { failure.detail.lowercased().contains(words) }
}

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
      "The request to \(origin) exceeds the limit of \(limit) waiting requests; send fewer at a time, or raise "
        + "URLSessionDispatcher.Limits(queue:)."
    )
  }

  /// Returns the error for a reader that is too slow for a transfer that cannot be paused.
  static func unread(limit: Int, origin: String) -> NetworkError {
    NetworkError(
      .bodyTooLarge(limit: Int64(limit)),
      "More than \(limit) bytes from \(origin) are waiting to be read, and Foundation cannot pause the transfer; read faster, raise "
        + "URLSessionDispatcher.Configuration(unreadLimit:), or send the request through CurlDispatcher.",
      requestMayHaveBeenProcessed: true)
  }

  private static func words(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    return milliseconds >= 1000 && milliseconds % 1000 == 0
      ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
