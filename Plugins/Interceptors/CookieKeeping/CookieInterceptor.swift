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
/// The cookies of every response that arrives are kept, also of a 304 and of one that is replaced or repeated
/// by another interceptor. Those of a response that was stored in a cache are not: they were kept when it was
/// received. A request with a `Cookie` field of its own is sent as it is; the cookies of its response are
/// kept.
///
/// Cookies are refused silently, as RFC 6265bis prescribes: for foreign domains and public suffixes, from
/// http if they are `Secure` or would hide one that is, with control characters, with more than 4,096 bytes,
/// and against the prefixes `__Secure-` and `__Host-`. Without a list of ``PublicSuffixes``, a cookie is sent
/// only to the host that set it. A `Cookie` field has at most 16 KiB. `SameSite` has no effect, because no
/// page of another site sends the app's requests.
public struct CookieInterceptor: Interceptor {
  /// At stage `cookies`; calls `next` once.
  public let traits = InterceptorTraits(stage: .cookies)
  private let store: CookieStore

  /// Creates an interceptor with a store, in memory by default.
  public init(_ store: CookieStore = CookieStore()) { self.store = store }

  /// Sends the request with its cookies, and keeps those of each response that the server sends to it.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let cookies = SentCookies(of: request, in: store)
    let departure = Request.Departure(receive: { cookies.keep($0) }) { cookies.renew(in: &$0) }
    return try await next.dispatch(cookies.attached(to: request), onDeparture: departure)
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
private final class SentCookies: Sendable {
  private let store: CookieStore
  private let request: Request
  private let hasOwnField: Bool
  /// The field at the stage of cookies, if any.
  private let field: String?
  /// Whether the request has left with another field.
  private let isRenewed = Atomic(false)

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
      { [self] in !isRenewed.load(ordering: .acquiring) }, and: request.context.storageCheck)
    return request
  }

  /// Replaces the field if the cookies have changed since the stage of cookies.
  func renew(in request: inout Request) {
    guard !hasOwnField else { return }
    let current = store.field(for: request.head, in: self.request.context.partition)
    guard current != field else { return }
    if let field {
      request.head.headerFields.removeAll { $0.name == .cookie && $0.value == field }
    } else if request.head.headerFields.contains(where: { $0.name == .cookie }) {
      // Of another interceptor.
      return
    }
    if let current { Self.append(current, to: &request) }
    isRenewed.store(true, ordering: .releasing)
  }

  /// Keeps the cookies of a response that isn't from a store.
  func keep(_ response: Response) {
    let fields = response.head.headerFields
    guard fields.contains(where: { $0.name == .setCookie }), response.cacheStatus?.isHit != true
    else { return }
    store.store(fields[values: .setCookie], from: request)
  }

  private static func append(_ field: String, to request: inout Request) {
    // The subscript would split it into a field for each cookie, and HTTP/1.1 permits one (RFC 6265bis,
    // section 5.8.1).
    request.head.headerFields.append(HTTPField(name: .cookie, value: field))
  }
}

/// The cookies of an app, separate for each partition, in memory or also in a file.
///
/// A partition is the value of `RequestContext.partition`, usually the account: a cookie that one account
/// received is never sent on behalf of another one. Each partition has at most 50 cookies per domain and
/// 3,000 in all; those that were used least recently are evicted first. A cookie lasts at most 400 days.
///
/// ```swift
/// let store = CookieStore(file: "/var/lib/estate/cookies") { print($0) }
/// store.removeAll(in: "account-7")
/// ```
public final class CookieStore: Sendable {
  private struct State {
    var jars: [String: CookieJar] = [:]
    /// The number of changes of persistent cookies.
    var version: UInt64 = 0
  }

  private let state: Mutex<State>
  /// Whether the state has no cookie; read without the lock.
  private let isVacant: Atomic<Bool>
  private let suffixes: PublicSuffixes
  private let file: CookieFile?
  private let onFault: @Sendable (CookieFileError) -> Void
  private let time: TimeSource

  /// Creates an empty store in memory.
  ///
  /// - Parameters:
  ///   - publicSuffixes: The domains for which no cookie is accepted; by default there is no list, and a
  ///     cookie is sent only to the host that set it.
  ///   - time: The clock that determines when cookies expire.
  public init(publicSuffixes: PublicSuffixes = .hostsOnly, time: TimeSource = .system) {
    state = Mutex(State())
    isVacant = Atomic(true)
    suffixes = publicSuffixes
    file = nil
    onFault = { _ in }
    self.time = time
  }

  /// Creates a store with the persistent cookies of a file, and writes changes of them to the file.
  ///
  /// The file is replaced atomically, with permissions for its owner only, before a response that changed a
  /// persistent cookie is returned, so the cookie survives the end of the process. The file is not encrypted.
  /// Only one store may use it at a time. Session cookies, which have no expiry, are kept in memory only,
  /// as are those of a login without a name (`Request.Identity.unnamed()`).
  ///
  /// - Parameters:
  ///   - path: The path of the file, in a folder that exists. The file is created when necessary; at most 16
  ///     MiB are read.
  ///   - publicSuffixes: The domains for which no cookie is accepted; by default there is no list, and a
  ///     cookie is sent only to the host that set it.
  ///   - time: The clock that determines when cookies expire.
  ///   - onFault: Receives the faults of the file, on the thread that reads or writes it. The store continues
  ///     in memory; without the file's cookies if it can't be read.
  public init(
    file path: String, publicSuffixes: PublicSuffixes = .hostsOnly, time: TimeSource = .system,
    onFault: @escaping @Sendable (CookieFileError) -> Void
  ) {
    let file = CookieFile(path: path)
    var state = State()
    do throws(CookieFileError) {
      let now = time.wallTime()
      for (partition, cookie) in try file.read() {
        _ = state.jars[partition, default: CookieJar()].insert(cookie, at: now)
      }
    } catch {
      onFault(error)
    }
    isVacant = Atomic(state.jars.values.allSatisfy { $0.count == 0 })
    self.state = Mutex(state)
    suffixes = publicSuffixes
    self.file = file
    self.onFault = onFault
    self.time = time
  }

  /// Returns the cookies of a partition in the order of their creation, without expired ones.
  public func cookies(in partition: String = "") -> [Cookie] {
    let now = time.wallTime()
    return state.withLock { $0.jars[partition]?.cookies ?? [] }.filter { !$0.isExpired(at: now) }
  }

  /// Removes the cookies of a partition, for example when the user logs out; from the file, too.
  public func removeAll(in partition: String = "") {
    change { $0.jars.removeValue(forKey: partition) != nil }
  }

  /// Removes all cookies, from the file, too.
  public func removeAll() {
    change { state in
      state.jars = [:]
      return true
    }
  }

  /// Whether there is no cookie in any partition; doesn't lock.
  var isEmpty: Bool { isVacant.load(ordering: .acquiring) }

  /// Returns the value of the `Cookie` field for a request's URL, or nil if no cookie belongs to it.
  func field(for head: HTTPRequest, in partition: String) -> String? {
    guard !isEmpty, let url = CookieURL(head) else { return nil }
    let now = time.wallTime()
    return state.withLock {
      $0.jars[partition]?.field(for: url, at: now, isHostsOnly: suffixes.isHostsOnly)
    }
  }

  /// Stores the cookies of a response.
  func store(_ lines: [String], from request: Request) {
    guard let url = CookieURL(request.head) else { return }
    let now = time.wallTime()
    let partition = request.context.partition
    // Its partition has no meaning in another process.
    let isUnnamed = request.identity?.isLasting == false && !request.hasUnknownIdentity
    change { state in
      // Taken out, so that it is changed in place.
      var jar = state.jars.removeValue(forKey: partition) ?? CookieJar()
      var isOutdated = false
      for line in lines {
        let outcome = jar.store(line, from: url, at: now, suffixes)
        isOutdated = outcome == .changedPersistently || isOutdated
      }
      if isUnnamed { (jar.isLasting, isOutdated) = (false, false) }
      state.jars[partition] = jar.count == 0 ? nil : jar
      return isOutdated
    }
  }

  /// Changes the cookies, and then writes the file if the closure returns that a persistent one changed.
  private func change(_ body: (inout State) -> Bool) {
    let version: UInt64? = state.withLock { state in
      let isOutdated = body(&state)
      isVacant.store(state.jars.isEmpty, ordering: .releasing)
      guard isOutdated else { return nil }
      state.version += 1
      return state.version
    }
    guard let version, let file else { return }
    do throws(CookieFileError) {
      try file.write(version) {
        state.withLock { state in
          let jars = state.jars.filter(\.value.isLasting).sorted { $0.key < $1.key }
          return (state.version, jars.flatMap { jar in jar.value.cookies.map { (jar.key, $0) } })
        }
      }
    } catch {
      onFault(error)
    }
  }
}
