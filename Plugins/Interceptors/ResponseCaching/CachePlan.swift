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
  /// It answers with a part of what is stored and fresh, or hands the request on and keeps out of it.
  indirect case slice(CacheKey, ByteRange, lifetime: Duration, Constraints)

  /// What the request's own `Cache-Control` asks for, RFC 9111, section 5.2.1.
  struct Constraints: Sendable, Hashable {
    /// Only an answer that the server has confirmed now will do.
    var mustConfirm: Bool
    /// Only an answer that is not older will do.
    var maxAge: Duration?
  }

  /// Plans for a request whose context is at hand.
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
    let constraints = Constraints(mustConfirm: control.noCache, maxAge: control.maxAge)
    guard fields.areRanged else { return .consult(key, lifetime: lifetime, constraints) }
    guard policy == .stated, head.method == .get,
      let range = head.headerFields[.range].flatMap({ ByteRange($0) })
    else { return .bypass }
    return .slice(key, range, lifetime: lifetime, constraints)
  }

  /// What a look at a request's header fields tells.
  private struct Fields {
    /// Whether one is `Cache-Control`.
    var isControlled = false
    /// Whether one says on whose behalf the request is sent.
    var haveCredentials = false
    /// Whether one is `Range`.
    var areRanged = false

    /// Looks at the fields; nil where the request has conditions of its own.
    init?(_ fields: HTTPFields) {
      for index in fields.indices {
        let name = fields[index].name
        // A look at the first letter answers for most names.
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

  /// Whether the request only reads: GET, HEAD and QUERY do; a POST does where a named API declares that it
  /// can be cached.
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
