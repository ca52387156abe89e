import HTTPTypes
import Interception

/// How the cache handles a request, before any lookup.
enum CachePlan {
  /// Forward the request without using the cache.
  case bypass(Exchange.CacheStatus.ForwardReason)
  /// Forward the request; if the server processed it, remove the stored responses of the target.
  case invalidate(target: ArraySlice<UInt8>, Exchange.CacheStatus.ForwardReason)
  /// Look up the response, and store the server's.
  case consult(CacheKey, Constraints)
  /// Respond with part of a fresh stored response, or forward the request without using the cache.
  indirect case slice(CacheKey, ByteRange, Constraints)
  /// Respond with a 504: the request's `only-if-cached` forbids to forward it, and it can't be looked up.
  case refuse

  /// Creates the plan for a request and its context.
  ///
  /// - Parameter rule: The rule that applies to the request.
  static func made(
    for request: Request, _ context: RequestContext, _ rule: CacheRule, schema: String,
    sharing: CacheSharing = .private, leavingOut volatile: VolatileParts
  ) -> CachePlan {
    let head = request.head
    // A default rule doesn't make a POST a request that only reads.
    let isCachedPost = context.cacheRule.limit != nil && context.api != nil
    guard isRead(head.method, isCachedPost: isCachedPost) else {
      let reason: Exchange.CacheStatus.ForwardReason = rule.limit == nil ? .bypass : .method
      return isSafe(head.method)
        ? .bypass(reason)
        : .invalidate(target: CacheSubject(request, leavingOut: volatile).target, reason)
    }
    guard rule.limit != nil, rule.mode != .noStore else { return .bypass(.bypass) }
    let fields = Fields(head.headerFields)
    let control = CacheControl(fields.isControlled ? head.headerFields[.cacheControl] : nil)
    guard !fields.haveConditions, !control.noStore,
      let key = CacheKey(
        head, request.body, partition: context.partition, api: context.api, schema: schema,
        hasCredentials: fields.haveCredentials && sharing == .private, keepsOrder: rule.isStated,
        leavingOut: volatile)
    else { return control.onlyIfCached ? .refuse : .bypass(.bypass) }
    let constraints = Constraints(control)
    guard fields.areRanged else { return .consult(key, constraints) }
    guard rule.isStated, head.method == .get,
      let range = head.headerFields[.range].flatMap({ ByteRange($0) })
    else { return control.onlyIfCached ? .refuse : .bypass(.bypass) }
    return .slice(key, range, constraints)
  }

  /// The relevant header fields of a request.
  private struct Fields {
    /// Whether there is a `Cache-Control`.
    var isControlled = false
    /// Whether there are credentials.
    var haveCredentials = false
    /// Whether there is a `Range`.
    var areRanged = false
    /// Whether the request has conditions of its own.
    var haveConditions = false

    /// Examines the fields.
    init(_ fields: HTTPFields) {
      for index in fields.indices {
        let name = fields[index].name
        // The first letter rules out most names.
        switch name.canonicalName.utf8.first {
        case UInt8(ascii: "i"):
          let conditions: [HTTPField.Name] = [
            .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
          ]
          if conditions.contains(name) { haveConditions = true }
        case UInt8(ascii: "r"): if name == .range { areRanged = true }
        case UInt8(ascii: "a"), UInt8(ascii: "c"):
          if name == .cacheControl { isControlled = true }
          if CacheKey.isCredential(name) { haveCredentials = true }
        default: break
        }
      }
    }
  }

  /// Whether the request only reads: GET, HEAD and QUERY do, and a POST to a named API that declares it
  /// cacheable.
  private static func isRead(_ method: HTTPRequest.Method, isCachedPost: Bool) -> Bool {
    switch method.rawValue {
    case "GET", "HEAD", "QUERY": true
    case "POST": isCachedPost
    default: false
    }
  }

  /// Whether a method is safe by RFC 9110, section 9.2.1, or QUERY, which is safe by definition.
  private static func isSafe(_ method: HTTPRequest.Method) -> Bool {
    ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(method.rawValue)
  }
}
