/// A module that another one may not import, and its alternative.
public struct ForbiddenModule: Sendable, Hashable {
  /// The name of the module in an import.
  public var name: String
  /// The target with the module's typed routes, if there is one.
  public var contract: String?

  /// Creates a forbidden module.
  public init(name: String, contract: String? = nil) {
    self.name = name
    self.contract = contract
  }

  /// The alternative to importing the module.
  public var remedy: String {
    if let contract { return "open its route by URL, or depend on \(contract)" }
    return "open its route by URL, or declare its typed routes in a target \(name)Routes and depend on that"
  }
}
