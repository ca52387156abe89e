import HTTPTypes
import Interception

/// Decides whether a response may be used for equal requests that waited for it (RFC 9111, section 4).
///
/// A response that is fresh may, whether it was stored or not: a store may have declined it for its size. So
/// may an error, because each of the equal requests would fail as well, and a server in trouble would get
/// all of them at once. A response that must not be stored, or not be used again without asking the server,
/// may not, and neither may a refusal of credentials, which the next attempt may have renewed.
enum CollapsedUse {
  static func permits(
    _ response: Response, to request: Request, rule: CacheRule, sharing: CacheSharing, now: CacheInstant
  ) -> Bool {
    let head = response.head
    guard case .bytes = response.body else { return false }
    switch head.status.code {
    case ..<200, 206, 304, 401, 407: return false
    default: break
    }
    let control = CacheControl(head.headerFields.value(of: .cacheControl)).applied(to: sharing)
    guard !StoringRule.forbids(control, head.status, request), !control.noCache,
      !selectsNothing(head.headerFields)
    else { return false }
    if head.status.code >= 400 { return !head.headerFields.contains(.setCookie) }
    // The age of a response that has just arrived is that at its arrival.
    return Freshness(of: head, control, requested: now, received: now, rule: rule).lifetime > .zero
  }

  /// Whether the response's `Vary` contains `*`, which no other request matches.
  private static func selectsNothing(_ fields: HTTPFields) -> Bool {
    guard let vary = fields.value(of: .vary) else { return false }
    return vary.split(separator: ",").contains { $0.trimmingWhitespace() == "*" }
  }
}
