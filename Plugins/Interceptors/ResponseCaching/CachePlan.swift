import HTTPTypes
import Interception

/// How the cache handles a request, before any lookup.
enum CachePlan {
  /// Forward the request without using the cache.
  case bypass
  /// Forward the request; if the server processed it, remove the stored responses of the target.
  case invalidate(target: ArraySlice<UInt8>)
  /// Look up the response, and store the server's, fresh for the lifetime.
  case consult(CacheKey, lifetime: Duration, Constraints)
  /// Respond with part of a fresh stored response, or forward the request without using the cache.
  indirect case slice(CacheKey, ByteRange, lifetime: Duration, Constraints)

  /// The constraints from the request's own `Cache-Control` (RFC 9111, section 5.2.1).
  struct Constraints: Sendable, Hashable {
    /// Whether a stored response must be revalidated.
    var requiresRevalidation: Bool
    /// The maximum age of a stored response.
    var maxAge: Duration?
  }

  /// Creates the plan for a request and its context.
  static func made(
    for request: Request, _ context: RequestContext, _ policy: CachePolicy, leavingOut volatile: VolatileParts
  ) -> CachePlan {
    let head = request.head
    let lifetime = context.cacheRule.lifetime
    guard isRead(head.method, isCachedPost: lifetime != nil && context.api != nil) else {
      return isSafe(head.method)
        ? .bypass : .invalidate(target: CacheSubject(request, leavingOut: volatile).target)
    }
    guard let lifetime, let fields = Fields(head.headerFields) else { return .bypass }
    let control = CacheControl(fields.isControlled ? head.headerFields[.cacheControl] : nil)
    guard !control.noStore,
      let key = CacheKey(
        head, request.body, partition: context.partition, api: context.api,
        hasCredentials: fields.haveCredentials, leavingOut: volatile)
    else { return .bypass }
    let constraints = Constraints(requiresRevalidation: control.noCache, maxAge: control.maxAge)
    guard fields.areRanged else { return .consult(key, lifetime: lifetime, constraints) }
    guard policy == .stated, head.method == .get,
      let range = head.headerFields[.range].flatMap({ ByteRange($0) })
    else { return .bypass }
    return .slice(key, range, lifetime: lifetime, constraints)
  }

  /// The relevant header fields of a request.
  private struct Fields {
    /// Whether there is a `Cache-Control`.
    var isControlled = false
    /// Whether there are credentials.
    var haveCredentials = false
    /// Whether there is a `Range`.
    var areRanged = false

    /// Examines the fields; nil if the request has conditions of its own.
    init?(_ fields: HTTPFields) {
      for index in fields.indices {
        let name = fields[index].name
        // The first letter rules out most names.
        switch name.canonicalName.utf8.first {
        case UInt8(ascii: "i"):
          let conditions: [HTTPField.Name] = [
            .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
          ]
          if conditions.contains(name) { return nil }
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
