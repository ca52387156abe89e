import HTTPTypes

extension Request {
  /// Removes what only the origin of the caller's URL may receive, before the request is sent to another one.
  ///
  /// These are the credential fields, also among the trailers, `Host`, everything in `Referer` after its
  /// origin, the connect target and the API. ``RequestContext/hasLeftOrigin`` becomes true, so that no
  /// interceptor adds the credentials again.
  package mutating func leaveOrigin() {
    let credentials = context.credentialFields
    head.headerFields.removeAll { field in
      credentials.contains(field.name) || field.name.canonicalName == "host"
    }
    if let referer = head.headerFields[.referer] { head.headerFields[.referer] = Self.origin(of: referer) }
    if let trailers { self.trailers = trailers.without(credentials) }
    context.connectTarget = nil
    context.api = nil
    context.hasLeftOrigin = true
  }

  /// Returns the part of a referrer that another origin may know, as in browsers; nil for one that is no
  /// absolute URL (Referrer Policy, strict-origin-when-cross-origin).
  private static func origin(of referer: String) -> String? {
    let reference = URIReference(referer)
    guard let scheme = reference.scheme, let authority = reference.authority else { return nil }
    let host = authority.split(separator: "@").last ?? ""
    return host.isEmpty ? nil : "\(scheme)://\(host)/"
  }
}
