import Interception

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
