/// Why calls can't be altered: they must not be, or the rules are at fault.
public struct InterventionError: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// A release build alters calls only if its code permits it.
    case releaseBuild
    /// A release build alters calls only with the environment variable.
    case variableMissing
    /// The file can't be read, for this reason.
    case unreadable(String)
    /// The rules have faults, in the order of the text.
    case faults([Fault])
  }

  /// A fault of the rules, with its place.
  package struct Fault: Sendable, Hashable {
    /// The number of the line, from 1; nil if the fault has none.
    package let line: Int?
    /// A sentence with the path of keys, the problem and the remedy.
    package let sentence: String
  }

  package let reason: Reason
  /// The file of the rules; nil if they are not from a file.
  package let path: String?

  package init(_ reason: Reason, path: String? = nil) { (self.reason, self.path) = (reason, path) }
}

extension InterventionError: CustomStringConvertible {
  /// What is wrong and what to do; of rules, each fault on a line of its own.
  public var description: String {
    switch reason {
    case .releaseBuild:
      "A release build doesn't alter calls; create the InterventionInterceptor within #if DEBUG, or pass "
        + ".releaseBuildsToo and set \(InterventionPermission.variable)=1."
    case .variableMissing:
      "A release build alters calls only if the environment permits it, too; set "
        + "\(InterventionPermission.variable)=1, or create the InterventionInterceptor within #if DEBUG."
    case .unreadable(let reason):
      "The interventions in \"\(path ?? "")\" can't be read: \(reason)."
    case .faults(let faults): faults.map(line).joined(separator: "\n")
    }
  }

  private func line(of fault: Fault) -> String {
    let place = (path ?? "interventions") + (fault.line.map { ":\($0)" } ?? "")
    return "\(place): \(fault.sentence)"
  }
}
