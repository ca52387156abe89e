import Interception

/// The cookies of one partition, by the storage model of RFC 6265bis, section 5.7; performs no I/O.
struct CookieJar: Sendable {
  /// What storing a line did.
  enum Outcome: Sendable, Hashable {
    /// A session cookie was added, replaced or removed.
    case changed
    /// A persistent cookie was added, replaced or removed, so that a file is out of date.
    case changedPersistently
    /// Nothing changed: the cookie to be removed doesn't exist.
    case unchanged
    /// The cookie was refused.
    case refused(CookieRefusal)
  }

  /// A cookie and the number of its creation, which orders cookies of the same instant.
  struct Entry: Sendable {
    var cookie: Cookie
    let number: UInt64
  }

  /// The maximum numbers of cookies (RFC 6265bis, section 6.1).
  struct Limits: Sendable {
    var perDomain = 50
    var total = 3_000
  }

  /// The maximum lifetime of a cookie, 400 days (section 5.5).
  static let maximumAge: Int64 = 400 * 86_400

  /// The maximum length of a `Cookie` field, in bytes; servers refuse longer ones.
  static let maximumFieldSize = 16_384

  let limits: Limits
  /// The cookies by domain; a lookup by a part of a host creates no string.
  var domains: [Substring: [Entry]] = [:]
  /// The number of cookies.
  var count = 0
  /// Whether the cookies are those of an account, and not of a login without a name.
  var isLasting = true
  private var lastNumber: UInt64 = 0

  init(limits: Limits = Limits()) { self.limits = limits }

  /// The cookies in the order of their creation.
  var cookies: [Cookie] {
    domains.values.joined().sorted { $0.number < $1.number }.map(\.cookie)
  }

  /// Stores the cookie of a `Set-Cookie` field.
  mutating func store(
    _ line: FieldText, from url: CookieURL, at now: WallTime, _ suffixes: PublicSuffixes
  ) -> Outcome {
    guard let line = SetCookieLine(line) else { return .refused(.malformed) }
    let cookie: Cookie
    switch accepted(line, from: url, at: now, suffixes) {
    case .success(let accepted): cookie = accepted
    case .failure(let refusal): return .refused(refusal.reason)
    }
    return insert(cookie, at: now)
  }

  /// Adds a cookie, or replaces the one with the same name, domain and path, and evicts excess ones.
  mutating func insert(_ cookie: Cookie, at now: WallTime) -> Outcome {
    var cookie = cookie
    // An expired cookie is not replaced by one of the same name, which is a new one.
    _ = removeExpired(in: cookie.domain[...], at: now)
    var entries = domains[cookie.domain[...]] ?? []
    let index = entries.firstIndex { Self.isSame($0.cookie, cookie) }
    let wasPersistent = index.map { entries[$0].cookie.isPersistent } ?? false
    if let index, !cookie.isExpired(at: now) {
      cookie.creation = entries[index].cookie.creation
      entries[index].cookie = cookie
    } else if let index {
      entries.remove(at: index)
      count -= 1
    } else if !cookie.isExpired(at: now) {
      lastNumber += 1
      entries.append(Entry(cookie: cookie, number: lastNumber))
      count += 1
    } else {
      return .unchanged
    }
    domains[cookie.domain[...]] = entries.isEmpty ? nil : entries
    let evicted = evict(around: cookie.domain[...], at: now)
    let isPersistent = cookie.isPersistent && !cookie.isExpired(at: now)
    return wasPersistent || isPersistent || evicted ? .changedPersistently : .changed
  }

  /// Returns the value of the `Cookie` field for a URL, or nil if no cookie belongs to it (section 5.8.3).
  ///
  /// - Parameter isHostsOnly: Whether cookies of the domains that the host is in are left out.
  mutating func field(for url: CookieURL, at now: WallTime, isHostsOnly: Bool = false) -> FieldText? {
    var places: [Place] = []
    let host = url.host[...]
    collect(host, for: url, at: now, into: &places)
    if !isHostsOnly, !url.isAddress {
      for index in host.utf8.indices where host.utf8[index] == UInt8(ascii: ".") {
        collect(host[host.utf8.index(after: index)...], for: url, at: now, into: &places)
      }
    }
    guard !places.isEmpty else { return nil }
    places.sort { left, right in
      guard left.pathLength == right.pathLength else { return left.pathLength > right.pathLength }
      return (left.creation, left.number) < (right.creation, right.number)
    }
    var field: [UInt8] = []
    for place in places {
      guard let cookie = domains[place.domain]?[place.index].cookie else { continue }
      let (name, value) = (cookie.nameText.bytes, cookie.valueText.bytes)
      let length = name.count + value.count + 3
      guard field.count + length <= Self.maximumFieldSize else { break }
      if !field.isEmpty { field += "; ".utf8 }
      if !name.isEmpty {
        field += name
        field.append(UInt8(ascii: "="))
      }
      field += value
      domains[place.domain]?[place.index].cookie.lastAccess = now
    }
    return FieldText(field)
  }

  /// Where a cookie is, and what determines its place in a field.
  private struct Place {
    let domain: Substring
    let index: Int
    let pathLength: Int
    let creation: WallTime
    let number: UInt64
  }

  /// Collects the cookies of a domain that belong to a URL.
  private func collect(_ domain: Substring, for url: CookieURL, at now: WallTime, into places: inout [Place])
  {
    guard let entries = domains[domain] else { return }
    for index in entries.indices where entries[index].cookie.belongs(to: url, at: now) {
      let cookie = entries[index].cookie
      places.append(
        Place(
          domain: domain, index: index, pathLength: cookie.path.utf8.count, creation: cookie.creation,
          number: entries[index].number))
    }
  }

  static func isSame(_ left: Cookie, _ right: Cookie) -> Bool {
    // By bytes: strings are also equal if they differ only in how their characters are composed.
    left.isHostOnly == right.isHostOnly && left.domain == right.domain
      && left.nameText == right.nameText && left.path.utf8.elementsEqual(right.path.utf8)
  }
}

extension Cookie {
  /// Whether the cookie is sent with a request to a URL.
  fileprivate func belongs(to url: CookieURL, at now: WallTime) -> Bool {
    (!isHostOnly || domain == url.host) && (!isSecure || url.isSecure) && !isExpired(at: now)
      && CookieURL.isPath(url.path, below: path)
  }
}

extension CookieJar {
  /// Removes expired cookies, and excess ones, if a limit is exceeded (RFC 6265bis, section 5.7).
  ///
  /// The order is: expired cookies; of a domain with too many, those that are not `Secure`, then the others;
  /// then all. Within a group, the one that was used least recently is first. If there are too many in all,
  /// they are reduced to nine tenths of the limit.
  ///
  /// - Returns: Whether a persistent cookie was removed.
  mutating func evict(around domain: Substring, at now: WallTime) -> Bool {
    var wasPersistent = false
    if let entries = domains[domain], entries.count > limits.perDomain {
      wasPersistent = removeExpired(in: domain, at: now)
      while let entries = domains[domain], entries.count > limits.perDomain {
        let isAnyInsecure = entries.contains { !$0.cookie.isSecure }
        let candidates = entries.indices.filter { !isAnyInsecure || !entries[$0].cookie.isSecure }
        guard let index = candidates.min(by: { Self.isOlder(entries[$0], entries[$1]) }) else { break }
        wasPersistent = remove(at: index, in: domain) || wasPersistent
      }
    }
    guard count > limits.total else { return wasPersistent }
    for domain in Array(domains.keys) {
      wasPersistent = removeExpired(in: domain, at: now) || wasPersistent
    }
    guard count > limits.total else { return wasPersistent }
    return removeOldest(count - limits.total * 9 / 10) || wasPersistent
  }

  /// Removes the expired cookies of a domain, and returns whether there was one.
  mutating func removeExpired(in domain: Substring, at now: WallTime) -> Bool {
    guard let entries = domains[domain] else { return false }
    let kept = entries.filter { !$0.cookie.isExpired(at: now) }
    count -= entries.count - kept.count
    domains[domain] = kept.isEmpty ? nil : kept
    // Only persistent cookies expire.
    return kept.count < entries.count
  }

  /// Removes the persistent cookie of a domain that was used least recently, and returns it.
  mutating func removeOldestPersistent(in domain: Substring) -> Cookie? {
    guard let entries = domains[domain] else { return nil }
    let candidates = entries.indices.filter { entries[$0].cookie.isPersistent }
    guard let index = candidates.min(by: { Self.isOlder(entries[$0], entries[$1]) }) else { return nil }
    _ = remove(at: index, in: domain)
    return entries[index].cookie
  }

  private mutating func remove(at index: Int, in domain: Substring) -> Bool {
    guard let removed = domains[domain]?.remove(at: index) else { return false }
    count -= 1
    if domains[domain]?.isEmpty == true { domains[domain] = nil }
    return removed.cookie.isPersistent
  }

  /// Removes a number of cookies at once, because finding the oldest one takes a look at all of them.
  private mutating func removeOldest(_ number: Int) -> Bool {
    let oldest = domains.values.joined().sorted(by: Self.isOlder).prefix(number)
    for entry in oldest {
      let domain = entry.cookie.domain[...]
      if let index = domains[domain]?.firstIndex(where: { $0.number == entry.number }) {
        _ = remove(at: index, in: domain)
      }
    }
    return oldest.contains { $0.cookie.isPersistent }
  }

  private static func isOlder(_ left: Entry, _ right: Entry) -> Bool {
    (left.cookie.lastAccess, left.number) < (right.cookie.lastAccess, right.number)
  }
}
