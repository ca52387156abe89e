extension Mediator {
  /// The version of the redirect table in force, or nil if none is.
  public var redirectVersion: Int? { redirects.current?.version }

  /// Puts a redirect table in force that the calling code vouches for.
  ///
  /// It is checked like code: patterns, schemes and hosts, conflicts among the rules and with routes,
  /// targets, the values carried over, exposure, answers, circles. Calls under way end under the table they
  /// began with; each later one sees the new table whole. The very table in force is accepted and changes
  /// nothing. Linear in the rules times the routes of the same host.
  ///
  /// - Throws: `RedirectTableError`, with all faults at once; nothing has changed then.
  public func apply(_ table: RedirectTable) throws(RedirectTableError) {
    switch redirectPolicy.trust {
    case .none: throw .refused
    case .signature: throw .unsigned
    case .caller: try enter(table)
    }
  }

  /// Puts a redirect table in force that a server signed.
  ///
  /// - Parameters:
  ///   - payload: The bytes as they came, at most 1 MiB.
  ///   - signature: The signature of exactly these bytes.
  ///   - decode: Reads the table from the bytes; called only if the signature is valid.
  /// - Throws: `RedirectTableError`, with all faults at once; nothing has changed then.
  public func apply(
    _ payload: [UInt8], signature: [UInt8], decoding decode: ([UInt8]) throws -> RedirectTable
  ) throws(RedirectTableError) {
    switch redirectPolicy.trust {
    case .none: throw .refused
    case .caller: throw .noVerifier
    case .signature(let verifier):
      if payload.count > RedirectPolicy.payloadLimit { throw .tooLarge(limit: RedirectPolicy.payloadLimit) }
      if !verifier.isValid(signature, of: payload) { throw .badSignature }
      let table: RedirectTable
      do {
        table = try decode(payload)
      } catch {
        throw .undecodable(error)
      }
      try enter(table)
    }
  }

  /// Goes back to the redirect table that was in force before, or to none; up to 8 steps are remembered.
  ///
  /// The table that was left is not taken again: the server publishes it under a higher version.
  ///
  /// - Returns: The version in force now, or nil.
  @discardableResult
  public func revertRedirects() -> Int? {
    let version = redirects.change { $0.revert() }
    observe(.redirectsChanged(version: version))
    return version
  }

  /// Takes every redirect table out of force: URLs lead where the modules' code says.
  public func removeRedirects() {
    observe(.redirectsChanged(version: redirects.change { $0.clear() }))
  }

  private func enter(_ table: RedirectTable) throws(RedirectTableError) {
    guard try redirects.isNews(table) else { return }
    if table.rules.count > redirectPolicy.ruleLimit { throw .tooLarge(limit: redirectPolicy.ruleLimit) }
    var review = RedirectReview(table, registry: registry, webHosts: Set(redirectPolicy.webHosts))
    let snapshot = try review.snapshot(isWebOpen: web != nil)
    if try redirects.enter(snapshot) { observe(.redirectsChanged(version: table.version)) }
  }
}
