import HTTPTypes

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
