/// Why something that modules lend each other is not to be had.
public enum ModuleError: Error, Sendable {
  /// No module provides the service.
  case noService(String)
  /// No module declares the target.
  case noTarget(String, known: [String])
  /// Making the target, service or route body failed; the next who asks makes it try again.
  case loadFailed(String, module: String, any Error)
  /// Making each of these waits for the next, and the last for the first.
  case loadCircle([String])
  /// The module did not end its work on a life-cycle event in this time.
  case late(module: String, limit: Duration)
}

extension ModuleError: CustomStringConvertible {
  /// What is missing or failed, whose it is, and what to do.
  public var description: String {
    switch self {
    case .noService(let name):
      "No module provides \(name): list the module that does, and state the service in the needs of the module that "
        + "asks, so that its absence is found at startup."
    case .noTarget(let name, let known):
      "No module declares a target \"\(name)\"; "
        + (known.isEmpty ? "there are none." : "the targets are \(known.joined(separator: ", ")).")
    case .loadFailed(let name, let module, let error):
      "\(name) of module \(module) could not be made: \(error)"
    case .loadCircle(let names):
      "Making \(names.joined(separator: " waits for ")) closes a circle; let one of them ask later, when it is used."
    case .late(let module, let limit):
      "Module \(module) did not end its work within \(limit); let it do less, or give it more time."
    }
  }
}
