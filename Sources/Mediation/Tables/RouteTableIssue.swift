/// Everything that is wrong in the modules' routes, at once.
public struct RouteTableIssue: Error, Sendable, Hashable, CustomStringConvertible {
  /// All faults, in the order of their declaration.
  public let faults: [RouteFault]

  /// One line for each fault.
  public var description: String {
    let count = faults.count == 1 ? "1 fault" : "\(faults.count) faults"
    return (["The route table has \(count):"] + faults.map { "- \($0)" }).joined(separator: "\n")
  }
}
