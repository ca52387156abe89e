import CCurlShims
import CLibcurl
import Interception

extension Transfer {
  func networkError(_ code: CURLcode) -> NetworkError {
    if code == CURLE_SSL_PINNEDPUBKEYNOTMATCH { reportPinMismatch() }
    let easy = handle.easy
    return FailureReading(
      origin: plan.origin, curl: easy.error(code), verification: easy.number(CURLINFO_SSL_VERIFYRESULT),
      systemError: CInt(clamping: easy.number(CURLINFO_OS_ERRNO)), hasDeparted: departures > 0,
      hasHead: head != nil, connectLimit: plan.options.timeouts.connect,
      hasNoDescriptors: hasNoDescriptors(code),
      proxy: plan.site.options.proxy.map {
        .init(
          proxy: $0, connectCode: easy.number(CURLINFO_HTTP_CONNECTCODE),
          proxyCode: easy.number(CURLINFO_PROXY_ERROR),
          verification: easy.number(CURLINFO_PROXY_SSL_VERIFYRESULT))
      }
    ).networkError
  }

  /// Whether a transfer that did not depart failed because the process had no file descriptor left.
  private func hasNoDescriptors(_ code: CURLcode) -> Bool {
    if unsafe [EMFILE, ENFILE].contains(handle.state.pointee.open_error) { return true }
    switch code {
    // libcurl does not report why the resolver or OpenSSL could not open a file.
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM:
      return switchyard_descriptors_are_exhausted() != 0
    default: return false
    }
  }

  func timeout(_ phase: NetworkError.Phase) -> NetworkError {
    let limit = plan.options.timeouts.limit(of: phase)
    let reason = NetworkError.sentence(phase, host: "\(plan.origin)", limit: limit)
    return NetworkError(.timeout(phase), reason, requestMayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  func cancellation(_ cause: NetworkError.Cause) -> NetworkError {
    .cancelled(cause, origin: plan.origin, mayHaveBeenProcessed: mayHaveBeenProcessed)
  }
}
