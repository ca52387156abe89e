/// A module that another may not import, and what to use instead.
public struct ForbiddenModule: Sendable, Hashable {
  /// The module's name as an import writes it.
  public var name: String
  /// The target that holds the module's typed routes, if there is one.
  public var contract: String?

  /// Creates a forbidden module.
  public init(name: String, contract: String? = nil) {
    self.name = name
    self.contract = contract
  }

  /// What to do instead of importing the module.
  public var remedy: String {
    if let contract { return "open its route by URL, or depend on \(contract)" }
    return "open its route by URL, or declare its typed routes in a target \(name)Routes and depend on that"
  }
}
