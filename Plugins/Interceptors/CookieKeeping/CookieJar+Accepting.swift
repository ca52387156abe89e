import Interception

extension CookieJar {
  /// A refusal as an error, for `Result`.
  struct Refused: Error {
    let reason: CookieRefusal
  }

  /// Returns the cookie of a line if its attributes permit it (RFC 6265bis, section 5.7, steps 6 to 22).
  func accepted(
    _ line: SetCookieLine, from url: CookieURL, at now: WallTime, _ suffixes: PublicSuffixes
  ) -> Result<Cookie, Refused> {
    func refused(_ reason: CookieRefusal) -> Result<Cookie, Refused> { .failure(Refused(reason: reason)) }
    guard line.domain.utf8.allSatisfy({ $0 < 0x80 }) else { return refused(.foreignDomain) }
    var domain = line.domain
    if !domain.isEmpty, suffixes.contains(domain) {
      guard domain == url.host else { return refused(.publicSuffix) }
      domain = ""
    }
    guard domain.isEmpty || CookieURL.isHost(url.host, inDomain: domain) else {
      return refused(.foreignDomain)
    }
    // A server must state the path, although the default path may be the root, too.
    let hasHostAttributes = domain.isEmpty && line.path == "/"
    if suffixes.isHostsOnly, !domain.isEmpty { domain = url.host }
    let cookie = Cookie(
      nameText: line.name, valueText: line.value, domain: domain.isEmpty ? url.host : domain,
      isHostOnly: domain.isEmpty, path: line.path ?? url.defaultPath, isSecure: line.isSecure,
      isHTTPOnly: line.isHTTPOnly, sameSiteRule: line.sameSite,
      expiry: line.expiry.map { Self.time($0, from: now) },
      creation: now, lastAccess: now)
    guard url.isSecure || !cookie.isSecure else { return refused(.secureOverHTTP) }
    guard url.isSecure || !hidesSecure(cookie) else { return refused(.hidesSecure) }
    guard cookie.sameSiteRule != Cookie.SameSite.none || cookie.isSecure else {
      return refused(.sameSiteNoneWithoutSecure)
    }
    return cookie.meetsPrefix(hasHostAttributes: hasHostAttributes) ? .success(cookie) : refused(.prefix)
  }

  private static func time(_ expiry: SetCookieLine.Expiry, from now: WallTime) -> WallTime {
    let latest = WallTime(secondsSince1970: now.seconds &+ maximumAge, nanoseconds: now.nanoseconds)
    switch expiry {
    case .after(let seconds):
      return seconds <= 0 ? now : now.advanced(by: .seconds(min(seconds, maximumAge)))
    case .at(let time): return min(time, latest)
    }
  }

  /// Whether a cookie would be sent in place of one that only https may set, or beside it (step 16).
  private func hidesSecure(_ cookie: Cookie) -> Bool {
    domains.contains { domain, entries in
      // Names differ more often than domains, and are compared faster.
      guard
        entries.contains(where: { entry in
          entry.cookie.isSecure && entry.cookie.nameText == cookie.nameText
            && CookieURL.isPath(cookie.path[...], below: entry.cookie.path)
        })
      else { return false }
      let domain = String(domain)
      return CookieURL.isHost(domain, inDomain: cookie.domain)
        || CookieURL.isHost(cookie.domain, inDomain: domain)
    }
  }

}

extension Cookie {
  /// Whether the cookie meets the conditions of its name's prefix; one without a name has that of its value.
  ///
  /// - Parameter hasHostAttributes: Whether it was set for its host alone, and for all paths.
  func meetsPrefix(hasHostAttributes: Bool) -> Bool {
    // By bytes: a character that combines with the hyphen must not hide the prefix.
    let name = nameText.bytes
    let start = (name.isEmpty ? valueText.bytes : name).prefix(9).map {
      (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
    }
    let hasSecurePrefix = start.starts(with: "__secure-".utf8)
    let hasHostPrefix = start.starts(with: "__host-".utf8)
    guard hasSecurePrefix || hasHostPrefix else { return true }
    guard !name.isEmpty, isSecure else { return false }
    return !hasHostPrefix || hasHostAttributes
  }
}

/// Why a cookie was not kept (RFC 6265bis, section 5.7).
enum CookieRefusal: Sendable, Hashable {
  /// The line is empty, too long, contains a control character, or has an equals sign in a value without a
  /// name.
  case malformed
  /// The domain contains a character other than ASCII, or the host is not in it.
  case foreignDomain
  /// The domain is a public suffix, so that unrelated sites would receive the cookie.
  case publicSuffix
  /// The cookie is `Secure` and the response was received over http from another machine.
  case secureOverHTTP
  /// The response was received over http from another machine, and the cookie would hide one that is
  /// `Secure`.
  case hidesSecure
  /// `SameSite=None` requires `Secure`.
  case sameSiteNoneWithoutSecure
  /// The name has the prefix `__Secure-` or `__Host-`, and the attributes don't meet its conditions.
  case prefix
}
