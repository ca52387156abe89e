import Mediation

/// A table of a deployment document that was checked, with the modules that the document switches off.
package struct DeployedRedirects: Sendable {
  let table: CheckedTable
}

extension RedirectTables {
  /// Returns the first of some modules that has no route with a pattern, or that the app doesn't have.
  package func firstUnknown(among modules: Set<String>) throws(RedirectTableError) -> String? {
    modules.subtracting(try connectedRoutes().entries.map(\.place.module)).min()
  }

  /// Checks the rules of a deployment document, whose signature and version were verified.
  ///
  /// The policy is that of tables that the calling code trusts.
  ///
  /// - Parameters:
  ///   - modules: The modules none of whose patterns match any more, except those to which a rule applies.
  ///   - version: The version of the document.
  /// - Throws: ``RedirectTableError`` with all faults; the rules of modules follow those of the document.
  package func checked(
    _ rules: [RedirectRule], switchingOff modules: Set<String>, version: UInt64
  ) throws(RedirectTableError) -> DeployedRedirects {
    let routes = try connectedRoutes()
    try checkCount(of: rules)
    let ruled = rules.compactMap { try? RoutePattern($0.from) }
    let patterns = routes.entries.filter { modules.contains($0.place.module) }.map(\.pattern)
    let disabled = patterns.filter { pattern in !ruled.contains { $0.relation(to: pattern) == .same } }
    let all = rules + disabled.map { RedirectRule.disable($0.text) }
    let table = RedirectTable(version: Int(clamping: version), rules: all)
    return DeployedRedirects(table: try checked(table, routes))
  }

  /// Replaces the current table and forgets the previous ones; nil removes all tables.
  ///
  /// The version is not compared with earlier ones: the deployment may go back to its document before.
  package func deploy(_ redirects: DeployedRedirects?) {
    replaceAll(with: redirects?.table)
  }
}
