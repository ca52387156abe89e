import CCurlShims
import CLibcurl
import Interception

extension Transfer {
  // libcurl's DYN_PAUSE_BUFFER.
  private static let mostHeldBack: Int64 = 64 << 20

  /// What libcurl's result means.
  func networkError(_ code: CURLcode) -> NetworkError {
    if code == CURLE_OUT_OF_MEMORY, isReceivePaused || decodedBytes > 0, contentCoding != nil {
      // A coded piece that decodes to more than libcurl holds back for a slow reader: a bomb, not a lack of memory.
      return .bodyTooLarge(limit: min(plan.options.streamLimit ?? .max, Self.mostHeldBack))
    }
    return FailureReading(
      origin: plan.target.origin, curl: member.handle.error(code),
      verification: member.handle.number(CURLINFO_SSL_VERIFYRESULT),
      systemError: CInt(clamping: member.handle.number(CURLINFO_OS_ERRNO)), hasDeparted: departures > 0,
      hasHead: head != nil, connectLimit: plan.options.timeouts.connect
    ).networkError
  }

  /// The error of a limit that was reached.
  func timeout(_ phase: NetworkError.Phase) -> NetworkError {
    .timeout(phase, of: plan, limit: deadlines.limit(of: phase), mayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  /// The error of a transfer that nobody wants any more.
  func cancellation(_ cause: NetworkError.Cause) -> NetworkError {
    .cancelled(cause, origin: plan.target.origin, mayHaveBeenProcessed: mayHaveBeenProcessed)
  }
}
