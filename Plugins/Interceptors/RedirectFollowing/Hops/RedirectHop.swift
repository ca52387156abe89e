import HTTPTypes
import Interception

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
  func applied(to request: Request, _ rules: RedirectRules) -> Request {
    let connectTarget = request.connectTarget
    // The hop is a request of its own, to which values of the previous attempt don't apply.
    var next = request.asAttempt(request.attempt)
    next.head.method = method
    next.head.scheme = target.scheme
    next.head.authority = target.authority
    next.head.path = target.pathAndQuery
    next.head.headerFields.removeAll { field in
      crossesOrigin && rules.originFields.contains(field.name)
        || !keepsBody && Self.contentFields.contains(field.name) || isDowngrade && field.name == .referer
    }
    if !keepsBody || request.body.isEmpty { next.body = .empty }
    if crossesOrigin {
      next.context.api = nil
      next.context.hasLeftOrigin = true
    } else {
      next.context.connectTarget = connectTarget
    }
    return next
  }
}
