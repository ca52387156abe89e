import Foundation
import Interception

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Turns what Foundation says about a failed task into the chain's error.
///
/// Linux's Foundation gives most failures the code -1 and libcurl's words, so the words are read where the
/// code says nothing.
struct FailureReading {
  let origin: String
  let failure: URLSessionError
  /// Whether a byte of the body went out, or one of the answer came in: then there was a connection.
  let sawConnection: Bool

  /// Reads an error that a task ended with.
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

  /// False only where no connection, or no trusted one, came about.
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
        .resolve, "The name of \(origin) has no address; check its spelling, and the network's name server."
      )
    case NSURLErrorCannotConnectToHost where isAboutConnecting:
      return (
        .connect,
        "\(origin) refused the connection, or cannot be reached; check that the server runs and listens there."
      )
    case NSURLErrorNotConnectedToInternet, NSURLErrorInternationalRoamingOff, NSURLErrorDataNotAllowed:
      return (.offline, "There is no network to reach \(origin) by; connect, and send it again.")
    case NSURLErrorTimedOut:
      return (
        .timeout(sawConnection ? .idle : .connect),
        "The system gave up waiting for \(origin); look at the network and at the server."
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
        ? (.transport, "\(origin) closed the connection without an answer.")
        : (.protocolViolation, brokenRules)
    case NSURLErrorCancelled:
      return (.cancelled(.shutdown), "The session that carried the request to \(origin) was ended.")
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
      "The certificate or the handshake of \(origin) is at fault: \(failure.detail). The system's authorities must vouch for the "
        + "server; CurlDispatcher can be given others."
    )
  }

  private var brokenRules: String {
    "\(origin) answered with something that is not well-formed HTTP: \(failure.detail)."
  }

  // Linux's Foundation gives this code to every failure that followed a refused attempt at another address.
  private var isAboutConnecting: Bool {
    let afterwards = ["recv", "send", "reply", "reset", "transfer", "read"]
    return !sawConnection && !afterwards.contains(where: says)
  }

  private func says(_ words: String) -> Bool { failure.detail.lowercased().contains(words) }
}
