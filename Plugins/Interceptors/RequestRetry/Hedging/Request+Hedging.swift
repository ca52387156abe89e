import HTTPTypes
import Interception

extension Request {
  /// Whether the request may be sent a second time while its first attempt is in flight.
  ///
  /// Its method must be safe (RFC 9110, section 9.2.1). An idempotent one is not sufficient, because two
  /// attempts in flight may arrive in any order.
  var isHedgeable: Bool {
    guard body.replay == .any, context.isIdempotent != false else { return false }
    switch head.method {
    case .get, .head, .options, .trace: return true
    default: return false
    }
  }
}
