import Interception

extension APIError {
  /// The error's kind as a metric label, from a bounded set.
  public var label: String {
    switch kind {
    case .invalidParams: "invalid_params"
    case .vetoed: "vetoed"
    case .downgraded: "downgraded"
    case .ignored: "ignored"
    case .offline: "offline"
    case .timeout(let phase): "timeout_\(phase.rawValue)"
    case .cancelled: "cancelled"
    case .dns: "dns"
    case .tls(let fault): "tls_\(fault.rawValue)"
    case .status(let code): "status_\(code)"
    case .invalidResponse: "invalid_answer"
    case .noContent: "no_content"
    case .needsToken: "needs_token"
    case .needsLogin: "needs_login"
    case .loginCancelled: "login_cancelled"
    case .malformed: "malformed"
    case .noResponse: "no_answer"
    case .network: cause?.label ?? "network"
    }
  }
}
