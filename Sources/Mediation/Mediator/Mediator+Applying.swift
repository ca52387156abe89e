extension Mediator {
  /// The version of the current redirect table, or nil if there is none.
  public var redirectVersion: Int? { redirects.current?.version }

  /// Applies a redirect table that the calling code trusts.
  ///
  /// The table is checked like code: patterns, schemes and hosts, conflicts among the rules and with routes,
  /// targets, the values passed to them, exposure, result types, loops. Calls in progress continue with the
  /// table they began with; later calls use the new table. Applying the current table again has no effect.
  /// Takes time proportional to the number of rules times the number of routes with the same host.
  ///
  /// - Throws: `RedirectTableError` with all faults; the current table then stays.
  public func apply(_ table: RedirectTable) throws(RedirectTableError) {
    switch redirectPolicy.trust {
    case .none: throw .refused
    case .signature: throw .unsigned
    case .caller: try enter(table)
    }
  }

  /// Applies a redirect table that a server has signed.
  ///
  /// - Parameters:
  ///   - payload: The received bytes, at most 1 MiB.
  ///   - signature: The signature of exactly these bytes.
  ///   - decode: Decodes the table from the bytes; called only if the signature is valid.
  /// - Throws: `RedirectTableError` with all faults; the current table then stays.
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

  /// Restores the previous redirect table, or none; up to 8 steps are remembered.
  ///
  /// The table that was replaced is not accepted again: the server must publish it with a higher version.
  ///
  /// - Returns: The version of the current table, or nil.
  @discardableResult
  public func revertRedirects() -> Int? {
    let version = redirects.change { $0.revert() }
    observe(.redirectsChanged(version: version))
    return version
  }

  /// Removes all redirect tables, so that URLs open the routes that the modules declare.
  public func removeRedirects() {
    let version = redirects.change { $0.clear() }
    observe(.redirectsChanged(version: version))
  }

  private func enter(_ table: RedirectTable) throws(RedirectTableError) {
    guard try redirects.isNews(table) else { return }
    if table.rules.count > redirectPolicy.ruleLimit { throw .tooLarge(limit: redirectPolicy.ruleLimit) }
    var review = RedirectReview(table, registry: registry, webHosts: Set(redirectPolicy.webHosts))
    let snapshot = try review.snapshot(isWebOpen: web != nil)
    if try redirects.enter(snapshot) { observe(.redirectsChanged(version: table.version)) }
  }
}
