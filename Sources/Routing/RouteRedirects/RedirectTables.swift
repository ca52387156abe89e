public import Mediation
import Synchronization

/// Checks the redirect tables of one mediator like code, applies them, and takes them back.
///
/// Pass it to the mediator, then apply the tables that the app receives:
///
///     let redirects = RedirectTables(.signed(by: key))
///     let mediator = try Mediator(schemes: ["estate"], modules: modules, redirector: redirects)
///     try redirects.apply(payload, signature: signature) { try decode($0) }
///
/// A table is checked against the mediator's routes: patterns, schemes and hosts, conflicts among the rules
/// and with routes, targets, the values passed to them, exposure, result types, loops. Calls in progress
/// continue with the table they began with; later calls use the new one.
public final class RedirectTables: RouteRedirector, CheckingRedirector {
  private let policy: RedirectPolicy
  private let active: ActiveRedirects
  private let routes = Mutex<RedirectableRoutes?>(nil)

  /// Creates an empty list of tables that accepts those that the policy allows.
  public init(_ policy: RedirectPolicy) {
    self.policy = policy.withLowercaseHosts
    active = ActiveRedirects(minimumVersion: policy.minimumVersion)
  }

  /// Receives the routes of the mediator, which calls this function.
  ///
  /// A web host of the policy that is not a host name is a fault, and so is a second mediator.
  package func connect(to routes: RedirectableRoutes) -> [RouteTableIssue.Fault] {
    let faults = policy.webHosts.filter { !RedirectPolicy.isHost($0) }.map {
      RouteTableIssue.Fault.address($0)
    }
    if !faults.isEmpty { return faults }
    return self.routes.withLock { known in
      if known != nil {
        return [.redirector("its tables belong to another mediator; create one RedirectTables for each.")]
      }
      known = routes
      return []
    }
  }

  /// Returns the current table for a new call; the mediator calls it.
  public func snapshot() -> (any RedirectSnapshot)? { active.current }

  /// The version of the current table, or nil if there is none.
  public var version: Int? { active.current?.version }

  /// Applies a table that the calling code trusts.
  ///
  /// Applying the current table again has no effect. Takes time proportional to the number of rules times the
  /// number of routes with the same host.
  ///
  /// - Throws: `RedirectTableError` with all faults; the current table then stays.
  public func apply(_ table: RedirectTable) throws(RedirectTableError) {
    switch policy.trust {
    case .none: throw RedirectTableError(.refused)
    case .signature: throw RedirectTableError(.unsigned)
    case .caller: try activate(table)
    }
  }

  /// Applies a table that a server has signed.
  ///
  /// - Parameters:
  ///   - payload: The received bytes, at most 1 MiB.
  ///   - signature: The signature of exactly these bytes.
  ///   - decode: Decodes the table from the bytes; called only if the signature is valid.
  /// - Throws: `RedirectTableError` with all faults; the current table then stays.
  public func apply(
    _ payload: [UInt8], signature: [UInt8], decoding decode: ([UInt8]) throws -> RedirectTable
  ) throws(RedirectTableError) {
    switch policy.trust {
    case .none: throw RedirectTableError(.refused)
    case .caller: throw RedirectTableError(.noVerifier)
    case .signature(let verifier):
      if payload.count > RedirectPolicy.payloadLimit {
        throw RedirectTableError(.tooLarge(limit: RedirectPolicy.payloadLimit))
      }
      if !verifier.isValid(signature, of: payload) { throw RedirectTableError(.badSignature) }
      let table: RedirectTable
      do {
        table = try decode(payload)
      } catch {
        throw RedirectTableError(.undecodable(error))
      }
      try activate(table)
    }
  }

  /// Restores the previous table, or none; up to 8 steps are remembered.
  ///
  /// The replaced table is not accepted again; the server must publish it with a higher version.
  ///
  /// - Returns: The version of the current table, or nil.
  @discardableResult
  public func revert() -> Int? {
    let version = active.change { $0.revert() }
    reportChange(toVersion: version)
    return version
  }

  /// Removes all tables, so that URLs open the routes that the modules declare.
  public func removeAll() {
    reportChange(toVersion: active.change { $0.clear() })
  }

  /// Returns the mediator's routes for a table that the calling code trusts.
  func connectedRoutes() throws(RedirectTableError) -> RedirectableRoutes {
    switch policy.trust {
    case .none: throw RedirectTableError(.refused)
    case .signature: throw RedirectTableError(.unsigned)
    case .caller: break
    }
    guard let routes = routes.withLock({ $0 }) else { throw RedirectTableError(.notConnected) }
    return routes
  }

  /// Replaces the current table without comparing versions.
  func replaceAll(with table: CheckedTable?) {
    let isChanged = active.replaceAll(with: table)
    if isChanged { reportChange(toVersion: table?.version) }
  }

  private func activate(_ table: RedirectTable) throws(RedirectTableError) {
    guard let routes = routes.withLock({ $0 }) else { throw RedirectTableError(.notConnected) }
    guard try active.isNew(table) else { return }
    try checkCount(of: table.rules)
    let checked = try checked(table, routes)
    if try active.activate(checked) { routes.reportChange(toVersion: table.version) }
  }

  /// Checks the number of rules of a document or table.
  func checkCount(of rules: [RedirectRule]) throws(RedirectTableError) {
    if rules.count > policy.ruleLimit { throw RedirectTableError(.tooLarge(limit: policy.ruleLimit)) }
  }

  /// Checks the rules of a table against the routes.
  func checked(
    _ table: RedirectTable, _ routes: RedirectableRoutes
  ) throws(RedirectTableError) -> CheckedTable {
    var review = RedirectReview(table, routes: routes, webHosts: Set(policy.webHosts))
    return try review.checkedTable()
  }

  private func reportChange(toVersion version: Int?) {
    routes.withLock { $0 }?.reportChange(toVersion: version)
  }
}

/// The current redirect table, shared by all threads; a reader sees one table or another, never a mixture.
final class ActiveRedirects: Sendable {
  private let history: Mutex<RedirectHistory>

  init(minimumVersion: Int) { history = Mutex(RedirectHistory(minimumVersion: minimumVersion)) }

  /// The current table.
  var current: CheckedTable? { history.withLock { $0.current } }

  /// Returns whether the table differs from the current one; throws if it is out of date.
  func isNew(_ table: RedirectTable) throws(RedirectTableError) -> Bool {
    try history.withLock { history throws(RedirectTableError) in try history.isNew(table) }
  }

  /// Makes a table the current one; returns false if it has become so in the meantime.
  func activate(_ checked: CheckedTable) throws(RedirectTableError) -> Bool {
    try history.withLock { history throws(RedirectTableError) in
      guard try history.isNew(checked.table) else { return false }
      history.activate(checked)
      return true
    }
  }

  /// Makes a table the only one; returns false if it is the current one already, or there was and is none.
  func replaceAll(with table: CheckedTable?) -> Bool {
    history.withLock { history in
      let isChanged = history.current?.table != table?.table
      history.clear()
      if let table { history.activate(table) }
      return isChanged
    }
  }

  /// Changes the history and returns the version of the current table.
  func change(_ body: (inout RedirectHistory) -> Void) -> Int? {
    history.withLock { history in
      body(&history)
      return history.current?.version
    }
  }
}

/// The current redirect table, the previous ones, and the minimum version of the next one.
struct RedirectHistory: Sendable {
  /// The maximum number of previous tables.
  static let depth = 8

  private(set) var current: CheckedTable?
  /// The previous tables, latest last; nil means no table.
  private var earlier: [CheckedTable?] = []
  /// The minimum version of the next table.
  ///
  /// It never decreases, so an old table cannot be replayed.
  private(set) var minimumVersion: Int

  init(minimumVersion: Int) { self.minimumVersion = minimumVersion }

  /// Returns whether the table differs from the current one.
  ///
  /// - Throws: ``RedirectTableError`` if it differs and its version is below the minimum.
  func isNew(_ table: RedirectTable) throws(RedirectTableError) -> Bool {
    if current?.table == table { return false }
    if table.version < minimumVersion {
      throw RedirectTableError(.notNewer(version: table.version, minimum: minimumVersion))
    }
    return true
  }

  mutating func activate(_ checked: CheckedTable) {
    earlier.append(current)
    if earlier.count > Self.depth { earlier.removeFirst() }
    current = checked
    minimumVersion = checked.version == .max ? .max : checked.version + 1
  }

  /// Restores the previous table, or none if none is remembered.
  mutating func revert() { current = earlier.popLast() ?? nil }

  mutating func clear() {
    earlier = []
    current = nil
  }
}
