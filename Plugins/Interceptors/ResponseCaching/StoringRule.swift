import HTTPTypes
import Interception

/// Decides which responses are stored: complete ones in memory with a cacheable status.
///
/// By the API's rule alone: 200, 203, 204, 301, 308, 410. The other cacheable statuses of RFC 9110, section
/// 15.1 (300, 302, 307, 404, 405, 414, 501), only if the response states a lifetime: the API's lifetime must
/// not make an error hide a resource that is created a moment later. Under ``CachePolicy/stated`` every final
/// status with a stated lifetime is stored (RFC 9111, section 3), except for those that must not be stored or
/// concern credentials. Responses refused by the API's own validator, see `RequestContext.storageCheck`, are
/// not stored either.
enum StoringRule {
  private static let byRule: Set<Int> = [200, 203, 204, 301, 308, 410]
  private static let byStatement: Set<Int> = [300, 302, 307, 404, 405, 414, 501]
  // 206 and 304 are incomplete; a stored 401 or 407 would be used for a request with better credentials; RFC
  // 6585 forbids the rest.
  private static let never: Set<Int> = [206, 304, 401, 407, 428, 429, 431, 511]

  /// Returns the response to store, or nil; the caller has checked that `no-store` is absent.
  ///
  /// - Parameters:
  ///   - control: The response's `Cache-Control`.
  ///   - lifetime: The lifetime of the API's rule.
  static func stored(
    _ response: Response, _ control: CacheControl, under key: CacheKey, to request: Request,
    leavingOut volatile: VolatileParts, requested: CacheInstant, received: CacheInstant, lifetime: Duration,
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
    _ head: HTTPResponse, _ control: CacheControl, received: CacheInstant, _ policy: CachePolicy
  ) -> Bool {
    let code = head.status.code
    if byRule.contains(code) { return true }
    guard let lifetime = Freshness.statedLifetime(of: head, control, received: received) else { return false }
    if byStatement.contains(code) { return true }
    // An error without a lifetime would only replace a useful response.
    return policy == .stated && !never.contains(code) && lifetime > .zero
  }

  /// Whether the body has the length stated by the response, if any (RFC 9111, section 3.3).
  private static func isComplete(_ head: HTTPResponse, body: [UInt8], method: HTTPRequest.Method) -> Bool {
    guard method != .head, head.status != .noContent,
      let announced = head.headerFields.value(of: .contentLength)
    else {
      return true
    }
    return Int(announced) == body.count
  }
}
