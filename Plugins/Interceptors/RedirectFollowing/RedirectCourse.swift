import HTTPTypes
import Interception

/// The redirects of one call: decides for each response whether and how it is followed; performs no I/O.
struct RedirectCourse: Sendable {
  /// A request, as the search for a cycle compares it.
  private struct Visit: Hashable {
    let method: HTTPRequest.Method
    var target: RedirectTarget

    init(_ method: HTTPRequest.Method, _ target: RedirectTarget) {
      self.method = method
      self.target = target
      // A fragment is not sent.
      self.target.fragment = nil
    }
  }

  private let rules: RedirectRules
  private let mode: RedirectMode
  /// Whether the first request has a body that may contain a password or a token.
  private let hasSecretBody: Bool
  private let staysInOrigin: Bool
  /// The redirects that were followed.
  private(set) var redirects: [Exchange.Redirect] = []
  /// The first request, as errors show it.
  private var start: String?
  /// The requests that were sent, one more than redirects.
  private var visits: [Visit] = []
  private var fragment: String?

  init(
    _ rules: RedirectRules, mode: RedirectMode, hasSecretBody: Bool = false, staysInOrigin: Bool = false
  ) {
    self.rules = rules
    self.mode = mode
    self.hasSecretBody = hasSecretBody
    self.staysInOrigin = staysInOrigin
  }

  /// Returns the hop to which a response leads, or nil if the response is to be returned.
  mutating func hop(
    from request: HTTPRequest, _ body: RequestBody, by response: HTTPResponse
  ) throws(RedirectError) -> RedirectHop? {
    guard mode != .manual, let status = RedirectStatus(rawValue: response.status.code),
      Self.hasLocation(response), let base = RedirectTarget(request)
    else { return nil }
    let method = status.method(after: request.method)
    if start == nil {
      start = RedirectError.shown("\(request.method.rawValue) \(base.url)")
      visits.append(Visit(request.method, base))
    }
    guard mode != .refuse else { throw error(.refused) }
    var target = try self.target(of: response, from: base)
    // A fragment of the reference to the redirecting resource applies to the target, unless it has its own
    // (RFC 9110, section 10.2.2).
    target.fragment = target.fragment ?? fragment
    let redirect = Exchange.Redirect(status: response.status, method: method, url: target.url)
    let visit = Visit(method, target)
    guard redirects.count < rules.limit else { throw tooMany(redirect, visit) }
    try check(target, from: base, as: redirect)
    guard !staysInOrigin || target.hasOrigin(of: base) else { throw error(.otherOrigin, redirect) }
    // Also if the body is dropped: a caller that logs in must not accept a token of another server.
    guard !hasSecretBody || target.hasOrigin(of: base) else { throw error(.secretBody, redirect) }
    let keepsBody = status.keepsBody(of: request.method)
    guard !keepsBody || body.isEmpty || body.replay == .any else { throw error(.bodyNotReplayable, redirect) }
    visits.append(visit)
    redirects.append(redirect)
    fragment = target.fragment
    return RedirectHop(
      method: method, target: target, keepsBody: keepsBody, crossesOrigin: !target.hasOrigin(of: base),
      isDowngrade: base.isSecure && !target.isSecure)
  }

  /// Whether the field is there and not empty.
  private static func hasLocation(_ response: HTTPResponse) -> Bool {
    response.headerFields.contains { field in
      field.name == .location && !field.bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }
  }

  private func target(
    of response: HTTPResponse, from base: RedirectTarget
  ) throws(RedirectError) -> RedirectTarget {
    let location: HTTPField?
    do throws(RepeatedFieldError) {
      location = try response.headerFields.single(.location)
    } catch {
      throw self.error(.invalidLocation("the response has \(error.clause)"))
    }
    guard let text = location.flatMap({ LocationText.encoded($0) }) else {
      throw error(.invalidLocation("it contains a control character"))
    }
    do throws(RedirectTarget.Fault) {
      return try RedirectTarget(URIReference(text).resolved(against: base.reference))
    } catch {
      switch error {
      case .scheme(let scheme): throw self.error(.scheme(String(scheme.prefix(32))))
      case .authority(let fault): throw self.error(.invalidLocation(fault))
      }
    }
  }

  private func check(
    _ target: RedirectTarget, from base: RedirectTarget, as redirect: Exchange.Redirect
  ) throws(RedirectError) {
    guard rules.allowsDowngrades || target.isSecure || !base.isSecure else {
      throw error(.downgrade, redirect)
    }
    guard rules.allowsPrivateAddresses || !target.isPrivate || base.isPrivate else {
      throw error(.privateAddress, redirect)
    }
  }

  private func error(_ rule: RedirectError.Rule, _ refused: Exchange.Redirect? = nil) -> RedirectError {
    let redirects = redirects + (refused.map { [$0] } ?? [])
    return RedirectError(
      rule: rule, hops: (start.map { [$0] } ?? []) + redirects.map { RedirectError.shown($0.description) })
  }

  /// Returns the error of a redirect beyond the limit, with the cycle if the request was sent before.
  private func tooMany(_ redirect: Exchange.Redirect, _ visit: Visit) -> RedirectError {
    var error = error(.tooMany(limit: rules.limit), redirect)
    if let last = visits.lastIndex(of: visit) { error.cycle = Array(error.hops[last...]) }
    return error
  }
}

/// The next request of a redirected call, as its differences from the previous one.
struct RedirectHop: Sendable {
  let method: HTTPRequest.Method
  let target: RedirectTarget
  let keepsBody: Bool
  /// Whether the target has another scheme, host or port than the previous request.
  let crossesOrigin: Bool
  /// Whether the scheme changes from https to http.
  let isDowngrade: Bool

  // The fields that describe a body, or its transfer (RFC 9110, section 15.4; RFC 9530).
  private static let contentFields: Set<HTTPField.Name> = Set(
    [
      .contentDisposition, .contentEncoding, .contentLanguage, .contentLength, .contentLocation,
      .contentRange, .contentType, .expect, .lastModified, .trailer, .transferEncoding,
    ] + ["Content-Digest", "Content-MD5", "Digest", "Repr-Digest"].compactMap { HTTPField.Name($0) })

  /// Returns the request that follows `request`.
  func applied(to request: Request) -> Request {
    let connectTarget = request.connectTarget
    // The hop is a request of its own, to which values of the previous attempt don't apply.
    var next = request.asAttempt(request.attempt)
    next.head.method = method
    next.head.scheme = target.scheme
    next.head.authority = target.authority
    next.head.path = target.pathAndQuery
    next.head.headerFields.removeAll { field in
      !keepsBody && Self.contentFields.contains(field.name) || isDowngrade && field.name == .referer
    }
    if !keepsBody || request.body.isEmpty {
      next.body = .empty
      next.trailers = nil
    }
    if crossesOrigin { next.leaveOrigin() } else { next.context.connectTarget = connectTarget }
    return next
  }
}

/// A status whose `Location` a client may follow by itself (RFC 9110, section 15.4).
///
/// 300 offers a choice, 304 concerns a cache, 305 and 306 are no longer used.
enum RedirectStatus: Int, Sendable {
  case movedPermanently = 301
  case found = 302
  case seeOther = 303
  case temporaryRedirect = 307
  case permanentRedirect = 308

  /// Returns the method of the next request.
  ///
  /// For 301 and 302, RFC 9110 permits to change POST into GET, and all browsers do (Fetch Standard,
  /// HTTP-redirect fetch, step 12); other methods are kept.
  func method(after method: HTTPRequest.Method) -> HTTPRequest.Method {
    switch self {
    case .movedPermanently, .found: method == .post ? .get : method
    case .seeOther: method == .head ? .head : .get
    case .temporaryRedirect, .permanentRedirect: method
    }
  }

  /// Returns whether the next request has the body of this one.
  func keepsBody(of method: HTTPRequest.Method) -> Bool {
    self != .seeOther && self.method(after: method) == method
  }
}

/// What an interceptor's redirects may do.
struct RedirectRules: Sendable {
  /// The maximum number of redirects per call.
  let limit: Int
  /// Whether a redirect from https to http is followed.
  let allowsDowngrades: Bool
  /// Whether a redirect from a public host to a private address is followed.
  let allowsPrivateAddresses: Bool

  init(limit: Int = 20, allowsDowngrades: Bool = false, allowsPrivateAddresses: Bool = true) {
    self.limit = max(0, limit)
    self.allowsDowngrades = allowsDowngrades
    self.allowsPrivateAddresses = allowsPrivateAddresses
  }
}
