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
