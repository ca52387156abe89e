import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Transfer {
  /// What libcurl's result means.
  func networkError(_ code: CURLcode) -> NetworkError {
    if code == CURLE_SSL_PINNEDPUBKEYNOTMATCH { reportPinMismatch() }
    return FailureReading(
      origin: plan.origin, curl: handle.easy.error(code),
      verification: handle.easy.number(CURLINFO_SSL_VERIFYRESULT),
      systemError: CInt(clamping: handle.easy.number(CURLINFO_OS_ERRNO)), hasDeparted: departures > 0,
      hasHead: head != nil, connectLimit: plan.options.timeouts.connect,
      hasNoDescriptors: hasNoDescriptors(code), proxy: proxyState
    ).networkError
  }

  /// Whether a transfer failed before it left because the process had no file descriptor left.
  private func hasNoDescriptors(_ code: CURLcode) -> Bool {
    if unsafe [EMFILE, ENFILE].contains(handle.state.pointee.open_error) { return true }
    switch code {
    // libcurl does not say why the resolver's or OpenSSL's file could not be opened.
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM:
      return switchyard_descriptors_are_exhausted() != 0
    default: return false
    }
  }

  /// Whether the response stands although libcurl failed the transfer.
  func isWhole(despite code: CURLcode) -> Bool {
    guard let head else { return false }
    return RefusedUpload.isWhole(head, to: plan, received: decodedBytes, decoding: decoding, despite: code)
  }

  private var proxyState: FailureReading.ProxyState? {
    plan.site.options.proxy.map {
      .init(
        proxy: $0, connectCode: handle.easy.number(CURLINFO_HTTP_CONNECTCODE),
        proxyCode: handle.easy.number(CURLINFO_PROXY_ERROR),
        verification: handle.easy.number(CURLINFO_PROXY_SSL_VERIFYRESULT))
    }
  }

  /// The error of a limit that was reached.
  func timeout(_ phase: NetworkError.Phase) -> NetworkError {
    .timeout(phase, of: plan, limit: deadlines.limit(of: phase), mayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  /// The error of a transfer that was cancelled.
  func cancellation(_ cause: NetworkError.Cause) -> NetworkError {
    .cancelled(cause, origin: plan.origin, mayHaveBeenProcessed: mayHaveBeenProcessed)
  }
}
