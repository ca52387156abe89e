/// An error of a module's provider, lazy route or life-cycle listener.
public struct ModuleError: Error, Sendable, CustomStringConvertible {
  /// What is missing or failed.
  package enum Kind: Sendable {
    /// No module declares a provider for the type.
    case noProvider(String)
    /// No module declares a provider or lazy route of this name.
    case noObject(String, known: [String])
    /// Creating the provider or route body failed; the next use tries again.
    case loadFailed(String, module: String, any Error)
    /// Each of these loads waits for the next, and the last one for the first.
    case loadCycle([String])
    /// The module's listener did not finish within the limit.
    case late(module: String, limit: Duration)
  }

  /// What is missing or failed.
  package let kind: Kind

  package init(_ kind: Kind) { self.kind = kind }

  /// The error for which a provider or a route's body could not be created; nil if there is none.
  public var underlying: (any Error)? {
    if case .loadFailed(_, module: _, let error) = kind { error } else { nil }
  }

  /// What is missing or failed, in which module, and what to do.
  public var description: String {
    switch kind {
    case .noProvider(let name):
      "No module provides \(name): list the module that does, and add the provider to the needs of the module that "
        + "uses it, so that a missing one is found at startup."
    case .noObject(let name, let known):
      "No module declares a provider or lazy route \"\(name)\"; "
        + (known.isEmpty ? "there are none." : "the names are \(known.joined(separator: ", ")).")
    case .loadFailed(let name, let module, let error):
      "\(name) of module \(module) could not be created: \(error)"
    case .loadCycle(let names):
      "Cyclic load: \(names.joined(separator: " waits for ")); request one of them later, when it is used."
    case .late(let module, let limit):
      "Module \(module) did not finish within \(limit); do less work in its listener, or raise the limit."
    }
  }
}
