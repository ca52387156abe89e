/// An error that lists all faults in the modules' declarations.
public struct RouteTableIssue: Error, Sendable, Hashable, CustomStringConvertible {
  /// All faults, in declaration order.
  public let faults: [Fault]

  /// One line per fault.
  public var description: String {
    let count = faults.count == 1 ? "1 fault" : "\(faults.count) faults"
    return (["The route table has \(count):"] + faults.map { "- \($0)" }).joined(separator: "\n")
  }
}
