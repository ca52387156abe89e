import HTTPTypes
import Interception

/// Decides which responses are stored: ones in memory with a cacheable status, complete or part of one.
///
/// By the API's rule alone: 200, 203, 204, 301, 308, 410. The other cacheable statuses of RFC 9110, section
/// 15.1 (300, 302, 307, 404, 405, 414, 501), only if the response states a lifetime: the API's lifetime
/// must not make an error hide a resource that is created a moment later. Under a stated rule every final
/// status with a stated lifetime is stored (RFC 9111, section 3), except for those that must not be stored or
/// concern credentials; so is a response with a heuristic lifetime, and a 206 as part of a response. A
/// response with `must-understand` is stored only if its status is one of those named here, and then although
/// it says `no-store` (section 5.2.2.3). Responses refused by the API's own validator, see
/// `RequestContext.storageCheck`, are not stored either.
enum StoringRule {
  private static let byRule: Set<Int> = [200, 203, 204, 301, 308, 410]
  private static let byStatement: Set<Int> = [300, 302, 307, 404, 405, 414, 501]
  // 206 is stored only as a part, 304 is incomplete, and 416 concerns a range. A stored 401 or 407 would be
  // used for a request with better credentials. RFC 6585 forbids the rest.
  private static let never: Set<Int> = [206, 304, 401, 407, 416, 428, 429, 431, 511]
  // RFC 9110, section 15.1, but for 206, which is incomplete.
  private static let heuristically: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

  // Statuses that say nothing about the resource: other credentials or a later attempt may be successful.
  private static let transient: Set<Int> = [304, 401, 407, 408, 416, 425, 429]

  /// Returns the response to store, or nil; the API's validator notes on the response what it was read as.
  ///
  /// - Parameters:
  ///   - control: The response's `Cache-Control`, as the cache applies it.
  ///   - rule: The rule that applies to the request.
  static func stored(
    _ response: inout Response, _ control: CacheControl, under key: CacheKey, to request: Request,
    leavingOut volatile: VolatileParts, requested: CacheInstant, received: CacheInstant,
    rule: CacheRule
  ) -> StoredResponse? {
    let head = response.head
    guard case .bytes(let body) = response.body,
      permits(head, control, to: request, received: received, rule),
      isWhole(head, body: body, method: request.head.method),
      request.context.storageCheck?.permits(&response) ?? true,
      let selector = VariantSelector(of: head, to: request.head.headerFields, leavingOut: volatile)
    else { return nil }
    let freshness = Freshness(
      of: head, control, requested: requested, received: received, rule: rule,
      isEstimable: request.permitsHeuristicLifetime)
    return StoredResponse(
      key: key, selector: selector,
      head: HTTPResponse(
        status: head.status, headerFields: head.headerFields.storable(without: control.excludedFields)),
      body: body,
      trailers: response.trailers, freshness: freshness, tags: request.context.cacheTags,
      isInMemoryOnly: rule.isInMemoryOnly || isSensitive(request, head))
  }

  /// Whether a response is stored in memory only although its rule doesn't say so.
  ///
  /// A response that sets cookies contains credentials. One to a request with credentials but without a
  /// partition belongs to an account that no removal by partition can name; one of an unnamed login has a
  /// partition that no other process knows.
  private static func isSensitive(_ request: Request, _ head: HTTPResponse) -> Bool {
    head.headerFields.contains(.setCookie) || request.identity?.isLasting == false
      || request.context.partition.isEmpty
        && request.head.headerFields.contains { request.context.credentialFields.contains($0.name) }
  }

  /// Whether a response that isn't stored makes the stored one out of date.
  ///
  /// Failures don't, nor do responses that are incomplete, that the API's validator refuses, or that concern
  /// a range.
  static func supersedes(_ response: Response, to request: Request) -> Bool {
    let code = response.status.code
    guard (200..<500).contains(code), !transient.contains(code) else { return false }
    guard code == 200 || !request.head.headerFields.contains(.range) else { return false }
    guard case .bytes(let body) = response.body else { return true }
    return isComplete(response.head, body: body, method: request.head.method)
      && request.context.storageCheck?.permits(response.head, bytes: body) ?? true
  }

  /// Whether a response with this head may be stored, whatever its body; a 206 as part of a response.
  static func permits(
    _ head: HTTPResponse, _ control: CacheControl, to request: Request, received: CacheInstant,
    _ rule: CacheRule
  ) -> Bool {
    guard !forbids(control, head.status, request) else { return false }
    let isRanged = request.head.headerFields.contains(.range)
    guard head.status != .partialContent else {
      return rule.isStated && isRanged && ContentPart(head) != nil
        && Freshness.statedLifetime(of: head, control, received: received) ?? .zero > .zero
    }
    // What else answers a request for a range may concern the range.
    return (!isRanged || head.status == .ok) && permits(head, control, request, received: received, rule)
  }

  /// Whether the response's directives forbid to store it.
  static func forbids(
    _ control: CacheControl, _ status: HTTPResponse.Status, _ request: Request
  ) -> Bool {
    let isUnderstood = byRule.contains(status.code) || byStatement.contains(status.code)
    if control.mustUnderstand ? !isUnderstood : control.noStore { return true }
    // In a shared cache the directives alone decide.
    if request.hasUnknownIdentity, !control.isPublic, !control.isShared { return true }
    return control.isPrivate
      || !control.permitsCredentials
        && (request.head.headerFields.contains(.authorization) || request.hasDeferredCredentials)
  }

  private static func permits(
    _ head: HTTPResponse, _ control: CacheControl, _ request: Request, received: CacheInstant,
    _ rule: CacheRule
  ) -> Bool {
    let code = head.status.code
    // A response with a 1xx as its only head is none.
    guard code >= 200 else { return false }
    if byRule.contains(code) { return true }
    guard let lifetime = Freshness.statedLifetime(of: head, control, received: received) else {
      return request.permitsHeuristicLifetime
        && Freshness.heuristicLifetime(of: head, control, received: received, rule: rule) != nil
    }
    if byStatement.contains(code) { return true }
    // An error without a lifetime would only replace a useful response.
    return rule.isStated && !never.contains(code) && lifetime > .zero
  }

  /// Whether a response with this status may get a heuristic lifetime (RFC 9111, section 4.2.2).
  static func isHeuristicallyCacheable(_ status: HTTPResponse.Status, _ control: CacheControl) -> Bool {
    heuristically.contains(status.code)
      || control.isPublic && status.code >= 200 && !never.contains(status.code)
  }

  /// Whether the body is all that the response announces, of the whole or of its part.
  private static func isWhole(_ head: HTTPResponse, body: [UInt8], method: HTTPRequest.Method) -> Bool {
    head.status == .partialContent
      ? ContentPart(head)?.bytes.count == body.count : isComplete(head, body: body, method: method)
  }

  /// Whether the body has the length stated by the response, if any (RFC 9111, section 3.3).
  private static func isComplete(_ head: HTTPResponse, body: [UInt8], method: HTTPRequest.Method) -> Bool {
    guard method != .head, head.status != .noContent,
      head.headerFields.contains(.contentLength)
    else {
      return true
    }
    return head.headerFields.contentLength == Int64(body.count)
  }
}

extension Request {
  /// Whether a response without a stated lifetime may get a heuristic one.
  ///
  /// What a query selects changes more often than a file does. A response to POST needs a stated lifetime
  /// (RFC 9110, section 9.3.3).
  var permitsHeuristicLifetime: Bool {
    (head.method == .get || head.method == .head) && !(head.path ?? "").utf8.contains(UInt8(ascii: "?"))
  }
}
