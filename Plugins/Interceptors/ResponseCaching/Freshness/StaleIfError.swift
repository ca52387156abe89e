import HTTPTypes
import Interception

/// Decides whether a stale response is used because the server failed (RFC 5861, section 4).
///
/// The window is the longest of those that the stored response, the request and the API's rule state. There
/// is none if the stored response says `must-revalidate` or `no-cache`, or if the request demanded a response
/// that is current.
struct StaleIfError: Sendable {
  /// The stored response.
  let stored: StoredResponse
  private let window: Duration
  private let limit: Duration

  /// Creates the decision for a request; nil if there is no window.
  init?(
    _ stored: StoredResponse, rule: CacheRule, constraints: CachePlan.Constraints, sharing: CacheSharing
  ) {
    guard rule.mode == .useFresh, !constraints.demandsCurrent else { return nil }
    let control = stored.control(for: sharing)
    guard !control.forbidsStale else { return nil }
    window = max(
      control.staleIfError ?? .zero, constraints.staleIfError ?? .zero, rule.staleIfErrorWindow)
    guard window > .zero else { return nil }
    self.stored = stored
    limit = rule.limit ?? .zero
  }

  /// Returns the time for which the response remains fresh, usually negative; nil if it is too stale.
  func remaining(at now: CacheInstant) -> Duration? {
    guard let remaining = stored.freshness.remaining(at: now, limit: limit), .zero - remaining <= window
    else { return nil }
    return remaining
  }

  /// Whether a status stands for a failure of the server or of a gateway before it.
  static func isFailure(_ status: HTTPResponse.Status) -> Bool {
    [500, 502, 503, 504].contains(status.code)
  }

  /// Whether an error means that the server gave no usable response.
  ///
  /// A cancelled or invalid request is none, nor is a refusal by an interceptor, unless it can't complete the
  /// request for its departure, as while the token endpoint is down. A server that can't prove its identity
  /// is none either: the caller must learn of it.
  static func isFailure(_ error: NetworkError) -> Bool {
    switch error.kind {
    case .rejected: error.preventedDeparture
    case .offline, .resolve, .connect, .protocolViolation, .transport, .queueFull, .descriptorsExhausted:
      true
    case .timeout(let phase): phase != .call
    case .tls(let fault): fault == .handshake
    case .invalidRequest, .proxyAuthentication, .unsupported, .bodyNotReplayable, .bodyTooLarge,
      .needsLogin, .notStored, .cancelled:
      false
    }
  }
}
