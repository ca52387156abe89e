import HTTPTypes
public import Interception
import Synchronization

/// Sends the cookies that belong to a request, and keeps those that its response sets (RFC 6265bis).
///
/// Use it for servers that track sessions with cookies. Don't use it for an API with tokens, which belong in
/// `Authorization`. Without it, `Set-Cookie` is a field like any other, and nothing is kept.
///
/// ```swift
/// let cookies = CookieStore()
/// let pipeline = try Pipeline(over: CurlDispatcher()) { CookieInterceptor(cookies) }
/// ```
///
/// It stands at stage `cookies`, after redirects and retry, so that each hop and each attempt has the cookies
/// that the previous one set, and before signing and caching, which cover the field. The field is renewed
/// when the request leaves the device, so that a replay after a 401 has the cookies that came with it; an
/// interceptor that signs the field must sign at its departure, too. A response to a request whose cookies
/// have changed between the two is not stored in a cache.
///
/// The cookies of every response that arrives are kept, also those of a 304 and of a response that another
/// interceptor replaces or repeats. The cookies of a cached response were kept when it was received, and are
/// not kept again. A request with a `Cookie` field of its own is sent as it is; the cookies of its response
/// are kept. A response to a request that left before its partition's cookies were removed sets none.
///
/// A name or value that is not UTF-8, such as a binary session id, goes back byte for byte.
///
/// Cookies are refused silently, as RFC 6265bis prescribes: for foreign domains and public suffixes, from
/// http if they are `Secure` or would hide one that is, with control characters, with more than 4,096 bytes,
/// against the prefixes `__Secure-` and `__Host-`, and, so that no server takes them for other ones, with an
/// equals sign in a value without a name, or with white space of Unicode around the name. As in browsers,
/// http counts as https for this machine: `localhost`, names that end in `.localhost`, 127.0.0.0/8 and
/// `[::1]`. Without a list of ``PublicSuffixes``, a cookie is sent only to the host that set it. A `Cookie`
/// field has at most 16 KiB. `SameSite` has no effect, because no page of another site sends the app's
/// requests.
public struct CookieInterceptor: LastingKeeper {
  /// At stage `cookies`; calls `next` once.
  public let traits = InterceptorTraits(stage: .cookies)
  package var keepsBeyondProcess: Bool { store.hasFile }
  private let store: CookieStore

  /// Creates an interceptor with a store, in memory by default.
  public init(_ store: CookieStore = CookieStore()) { self.store = store }

  /// Sends the request with its cookies, and keeps those of each response that the server sends to it.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let cookies = SentCookies(of: request, in: store)
    return try await next.dispatch(cookies.attached(to: request), onDeparture: Request.Departure(cookies))
  }
}

extension CookieInterceptor: Request.IdentityProvider {
  /// The state of the cookies that the request would be sent with; nil if there are none.
  ///
  /// A request after a login that set a cookie therefore never joins one that was sent before it.
  public func identity(for request: Request) -> Request.Identity? {
    guard !request.head.headerFields.contains(where: { $0.name == .cookie }) else { return nil }
    return store.field(for: request.head, in: request.context.partition).map { .state(of: $0) }
  }
}

/// The cookies of a request at the stage of cookies and when it leaves, and those of its responses.
private final class SentCookies: Request.DepartureHandler {
  private let store: CookieStore
  private let request: Request
  private let hasOwnField: Bool
  /// The field at the stage of cookies, if any.
  private let field: FieldText?
  private let renewal = Renewal()
  /// The number of the store's removals when the request left.
  private let mark = Atomic<UInt64>(0)

  /// Whether the request has left with another field.
  ///
  /// The request that leaves refers to it alone, and so never keeps the request before it, with its body and
  /// what its interceptors do when it leaves.
  private final class Renewal: Sendable {
    let hasHappened = Atomic(false)
  }

  init(of request: Request, in store: CookieStore) {
    self.store = store
    self.request = request
    hasOwnField = request.head.headerFields.contains { $0.name == .cookie }
    field = hasOwnField ? nil : store.field(for: request.head, in: request.context.partition)
  }

  /// Returns the request as the following interceptors see it, such as a cache, which compares the field.
  func attached(to request: Request) -> Request {
    guard !hasOwnField else { return request }
    var request = request
    if let field { Self.append(field, to: &request) }
    // The cache would store the response for the cookies that it has seen.
    request.context.storageCheck = .requiring(
      { [renewal] in !renewal.hasHappened.load(ordering: .acquiring) }, and: request.context.storageCheck)
    return request
  }

  /// Replaces the field if the cookies have changed since the stage of cookies.
  private func renew(in request: inout Request) {
    // Before the cookies are read: a removal in between is one after the request has left.
    mark.store(store.mark, ordering: .relaxed)
    guard !hasOwnField else { return }
    let current = store.field(for: request.head, in: self.request.context.partition)
    guard current != field else { return }
    if let field {
      request.head.headerFields.removeAll { $0.name == .cookie && $0.bytes == field.bytes }
    } else if request.head.headerFields.contains(where: { $0.name == .cookie }) {
      // Of another interceptor.
      return
    }
    if let current { Self.append(current, to: &request) }
    renewal.hasHappened.store(true, ordering: .releasing)
  }

  /// Keeps the cookies of a response that isn't from a store.
  private func keep(_ response: Response) {
    let fields = response.head.headerFields
    guard fields.contains(where: { $0.name == .setCookie }), response.cacheStatus?.isHit != true
    else { return }
    store.store(
      fields[fields: .setCookie].map { FieldText($0.bytes) }, from: request,
      since: mark.load(ordering: .relaxed))
  }

  func completeWithoutSuspending(_ request: inout Request) -> Bool {
    renew(in: &request)
    return true
  }

  func complete(_ request: inout Request) { renew(in: &request) }

  func receive(_ response: Response) { keep(response) }

  private static func append(_ field: FieldText, to request: inout Request) {
    // The subscript would split it into a field for each cookie, and HTTP/1.1 permits one (RFC 6265bis,
    // section 5.8.1).
    request.head.headerFields.append(HTTPField(name: .cookie, value: field.bytes))
  }
}
