import HTTPTypes
import Interception

/// Which answers are stored: complete ones in memory whose status says something lasting.
///
/// Under the API's rule alone: 200, 203, 204, 301, 308, 410. Others that RFC 9110, section 15.1, lets a cache keep (300, 302, 307,
/// 404, 405, 414, 501) only when the answer states a lifetime of its own: an error must not hide what is
/// created a moment later because the API's answers are good for minutes. What the API's own validator refuses, see
/// `RequestContext.storageCheck`, is not stored either.
enum StoringRule {
  private static let byRule: Set<Int> = [200, 203, 204, 301, 308, 410]
  private static let byStatement: Set<Int> = [300, 302, 307, 404, 405, 414, 501]

  /// Returns what is to be stored of an answer, or nil; whoever asks has seen that the answer doesn't forbid it.
  ///
  /// - Parameters:
  ///   - control: The answer's `Cache-Control`.
  ///   - lifetime: That of the API's rule.
  static func stored(
    _ response: Response, _ control: CacheControl, under key: CacheKey, to request: Request,
    leavingOut volatile: VolatileParts, requested: CacheMoment, received: CacheMoment, lifetime: Duration
  ) -> StoredResponse? {
    let head = response.head
    guard case .bytes(let body) = response.body, permits(head, control, received: received),
      isComplete(head, body: body, method: request.head.method),
      request.context.storageCheck?.permits(head, bytes: body) ?? true,
      let selector = VariantSelector(of: head, to: request.head.headerFields, leavingOut: volatile)
    else { return nil }
    let freshness = Freshness(
      of: head, control, requested: requested, received: received, rule: lifetime)
    return StoredResponse(
      key: key, selector: selector,
      head: HTTPResponse(status: head.status, headerFields: head.headerFields.storable()), body: body,
      trailers: response.trailers, freshness: freshness)
  }

  private static func permits(_ head: HTTPResponse, _ control: CacheControl, received: CacheMoment) -> Bool {
    if byRule.contains(head.status.code) { return true }
    return byStatement.contains(head.status.code)
      && Freshness.statedLifetime(of: head, control, received: received) != nil
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
