import HTTPTypes
import Interception

/// What the cache does with a request, before it has looked anything up.
enum CachePlan {
  /// It hands the request on and keeps out of it.
  case bypass
  /// It hands the request on; if the server acted on it, what is stored for the target is out of date.
  case invalidate(target: ArraySlice<UInt8>)
  /// It looks the answer up, and stores the server's, fresh for a time.
  case consult(CacheKey, lifetime: Duration, Constraints)

  /// What the request's own `Cache-Control` asks for, RFC 9111, section 5.2.1.
  struct Constraints: Sendable, Hashable {
    /// Only an answer that the server has confirmed now will do.
    var mustConfirm: Bool
    /// Only an answer that is not older will do.
    var maxAge: Duration?
  }

  init(
    for request: Request, _ head: HTTPRequest, _ context: RequestContext, leavingOut volatile: VolatileParts
  ) {
    let lifetime = context.cacheRule.lifetime
    guard Self.isRead(head.method, isCachedPost: lifetime != nil && context.api != nil) else {
      self =
        Self.isSafe(head.method)
        ? .bypass : .invalidate(target: CacheSubject(request, leavingOut: volatile).target)
      return
    }
    self = .bypass
    guard let lifetime else { return }
    guard let control = Self.control(of: head.headerFields), !control.noStore,
      let key = CacheKey(request, head, context, leavingOut: volatile)
    else { return }
    self = .consult(
      key, lifetime: lifetime,
      Constraints(mustConfirm: control.noCache, maxAge: control.maxAge))
  }

  /// The request's own `Cache-Control`; nil where it has conditions or a range of its own.
  private static func control(of fields: HTTPFields) -> CacheControl? {
    var isControlled = false
    for field in fields {
      let name = field.name
      // A look at the first letter answers for most names.
      switch name.canonicalName.utf8.first {
      case UInt8(ascii: "i"):
        let conditions: [HTTPField.Name] = [
          .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
        ]
        if conditions.contains(name) { return nil }
      case UInt8(ascii: "r"): if name == .range { return nil }
      case UInt8(ascii: "c"): if name == .cacheControl { isControlled = true }
      default: break
      }
    }
    return isControlled ? CacheControl(fields[.cacheControl]) : CacheControl(nil)
  }

  /// Whether the request only reads: GET, HEAD and QUERY do; a POST does where a named API declares that it can be cached.
  private static func isRead(_ method: HTTPRequest.Method, isCachedPost: Bool) -> Bool {
    switch method.rawValue {
    case "GET", "HEAD", "QUERY": true
    case "POST": isCachedPost
    default: false
    }
  }

  /// The methods that RFC 9110, section 9.2.1, calls safe, and QUERY, which is defined to be.
  private static func isSafe(_ method: HTTPRequest.Method) -> Bool {
    ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(method.rawValue)
  }
}
