import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

extension Transfer {
  /// What libcurl's result means.
  func networkError(_ code: CURLcode) -> NetworkError {
    if code == CURLE_SSL_PINNEDPUBKEYNOTMATCH { reportPinMismatch() }
    return FailureReading(
      origin: plan.origin, curl: member.handle.error(code),
      verification: member.handle.number(CURLINFO_SSL_VERIFYRESULT),
      systemError: CInt(clamping: member.handle.number(CURLINFO_OS_ERRNO)), hasDeparted: departures > 0,
      hasHead: head != nil, connectLimit: plan.options.timeouts.connect, proxy: proxyState
    ).networkError
  }

  /// Whether the answer stands although libcurl failed the transfer.
  func isWhole(despite code: CURLcode) -> Bool {
    guard let head else { return false }
    return RefusedUpload.isWhole(head, to: plan, received: decodedBytes, decoding: decoding, despite: code)
  }

  private var proxyState: FailureReading.ProxyState? {
    route?.proxy.map {
      .init(
        proxy: $0, connectCode: member.handle.number(CURLINFO_HTTP_CONNECTCODE),
        verification: member.handle.number(CURLINFO_PROXY_SSL_VERIFYRESULT))
    }
  }

  /// The error of a limit that was reached.
  func timeout(_ phase: NetworkError.Phase) -> NetworkError {
    .timeout(phase, of: plan, limit: deadlines.limit(of: phase), mayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  /// The error of a transfer that nobody wants any more.
  func cancellation(_ cause: NetworkError.Cause) -> NetworkError {
    .cancelled(cause, origin: plan.origin, mayHaveBeenProcessed: mayHaveBeenProcessed)
  }
}
