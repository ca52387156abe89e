import HTTPTypes
import Interception

/// Which answers are stored: complete ones in memory whose status says something lasting.
///
/// Under the API's rule alone: 200, 203, 204, 301, 308, 410. Others that RFC 9110, section 15.1, lets a cache
/// keep (300, 302, 307, 404, 405, 414, 501) only when the answer states a lifetime of its own: an error must
/// not hide what is created a moment later because the API's answers are good for minutes. Under
/// ``CachePolicy/stated`` every final status that states one is stored (RFC 9111, section 3), but for those
/// that must not be or that speak of credentials. What the API's own validator refuses, see
/// `RequestContext.storageCheck`, is not stored either.
enum StoringRule {
  private static let byRule: Set<Int> = [200, 203, 204, 301, 308, 410]
  private static let byStatement: Set<Int> = [300, 302, 307, 404, 405, 414, 501]
  // A part and a confirmation are nothing whole; a stored 401 or 407 would answer a request with better
  // credentials; RFC 6585 forbids the rest.
  private static let never: Set<Int> = [206, 304, 401, 407, 428, 429, 431, 511]

  /// Returns what is to be stored of an answer, or nil; whoever asks has seen that the answer doesn't forbid
  /// it.
  ///
  /// - Parameters:
  ///   - control: The answer's `Cache-Control`.
  ///   - lifetime: That of the API's rule.
  static func stored(
    _ response: Response, _ control: CacheControl, under key: CacheKey, to request: Request,
    leavingOut volatile: VolatileParts, requested: CacheMoment, received: CacheMoment, lifetime: Duration,
    policy: CachePolicy
  ) -> StoredResponse? {
    let head = response.head
    guard case .bytes(let body) = response.body, permits(head, control, received: received, policy),
      isComplete(head, body: body, method: request.head.method),
      request.context.storageCheck?.permits(head, bytes: body) ?? true,
      let selector = VariantSelector(of: head, to: request.head.headerFields, leavingOut: volatile)
    else { return nil }
    let freshness = Freshness(
      of: head, control, requested: requested, received: received, rule: lifetime, policy: policy)
    return StoredResponse(
      key: key, selector: selector,
      head: HTTPResponse(status: head.status, headerFields: head.headerFields.storable()), body: body,
      trailers: response.trailers, freshness: freshness)
  }

  private static func permits(
    _ head: HTTPResponse, _ control: CacheControl, received: CacheMoment, _ policy: CachePolicy
  ) -> Bool {
    let code = head.status.code
    if byRule.contains(code) { return true }
    guard let lifetime = Freshness.statedLifetime(of: head, control, received: received) else { return false }
    if byStatement.contains(code) { return true }
    // An error without a lifetime would only take the place of what is stored.
    return policy == .stated && !never.contains(code) && lifetime > .zero
  }

  /// Whether no byte is missing, as far as the answer announced their number; RFC 9111, section 3.3.
  private static func isComplete(_ head: HTTPResponse, body: [UInt8], method: HTTPRequest.Method) -> Bool {
    guard method != .head, head.status != .noContent,
      let announced = head.headerFields.value(of: .contentLength)
    else {
      return true
    }
    return Int(announced) == body.count
  }
}
