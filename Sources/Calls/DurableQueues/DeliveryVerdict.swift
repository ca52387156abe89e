import HTTPTypes
package import Interception

/// What a response, or its absence, means for the content that was sent.
package enum DeliveryVerdict: Sendable, Hashable {
  /// The server has accepted the content.
  case delivered
  /// The content is too large (413).
  case tooLarge
  /// The server refuses the content, and would refuse it again.
  case refused(status: Int)
  /// The content may be accepted later; the reason is a metric label or a status, never a secret.
  case failed(reason: String, retryAfter: Duration?)

  /// The verdict of a response.
  ///
  /// Any 2xx accepts. 401 and 407 concern credentials and not the content; 408, 425 and 429 are temporary
  /// (RFC 9110, section 15.5; RFC 8470, section 5.2; RFC 6585, section 4), and so are other statuses outside
  /// of 4xx.
  package init(_ response: Response, now: WallTime) {
    let status = response.status.code
    switch status {
    case 200..<300: self = .delivered
    case 413: self = .tooLarge
    case 401, 407, 408, 425, 429: self = .temporary(response, now)
    case 400..<500: self = .refused(status: status)
    default: self = .temporary(response, now)
    }
  }

  /// The verdict of an error: the content may be accepted later.
  package init(_ error: NetworkError) { self = .failed(reason: error.label, retryAfter: nil) }

  /// Why the content was not accepted, as a status or a metric label; nil if it was.
  package var failure: String? {
    switch self {
    case .delivered: nil
    case .tooLarge: "status 413"
    case .refused(let status): "status \(status)"
    case .failed(let reason, _): reason
    }
  }

  private static func temporary(_ response: Response, _ now: WallTime) -> DeliveryVerdict {
    .failed(
      reason: "status \(response.status.code)",
      retryAfter: RetryAfter.wait(in: response.head.headerFields, now: now))
  }
}
