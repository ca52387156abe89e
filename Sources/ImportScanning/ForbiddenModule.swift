/// A module that another may not import, and what to use instead.
package struct ForbiddenModule: Sendable, Hashable {
  /// The module's name as an import writes it.
  package var name: String
  /// The target that holds the module's typed routes, if there is one.
  package var contract: String?

  /// Creates a forbidden module.
  package init(name: String, contract: String? = nil) {
    self.name = name
    self.contract = contract
  }

  /// What to do instead of importing the module.
  package var remedy: String {
    if let contract { return "open its route by URL, or depend on \(contract)" }
    return "open its route by URL, or declare its typed routes in a target \(name)Routes and depend on that"
  }
}
