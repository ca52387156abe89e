/// Every fault of a pipeline that could not be built, all at once.
public struct PipelineIssue: Error, Sendable, Hashable {
  /// One fault, with the names of those concerned.
  public enum Fault: Sendable, Hashable {
    /// An interceptor stands further in than one that it must precede.
    case misplaced(String, Stage, after: String, Stage)
    /// More than one interceptor of a type that allows one; `count` says how many there are.
    case repeated(String, count: Int)
    /// An interceptor needs another stage, and nobody stands there.
    case missingStage(Stage, neededBy: String)
    /// An interceptor needs abilities that the dispatcher doesn't have.
    case missingCapability(DispatcherCapabilities, neededBy: String, dispatcher: String)
    /// An interceptor of the wire stage doesn't promise to call `next` exactly once.
    case wireCallsNextFreely(String)
  }

  /// The faults, in the order of registration.
  public let faults: [Fault]
}

extension PipelineIssue: CustomStringConvertible {
  /// One sentence a fault, with both names and the remedy.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}

extension PipelineIssue.Fault: CustomStringConvertible {
  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .misplaced(let name, let stage, after: let other, let otherStage):
      "\(name) (\(stage)) stands after \(other) (\(otherStage)); move it before."
    case .repeated(let name, let count):
      "\(name) is registered \(count) times and may be registered once; remove the others."
    case .missingStage(let stage, let name):
      "\(name) needs an interceptor of stage \(stage), and there is none; register one, or remove \(name)."
    case .missingCapability(let capabilities, let name, let dispatcher):
      "\(name) needs the dispatcher's ability \(capabilities), which \(dispatcher) doesn't have; "
        + "use another dispatcher, or remove \(name)."
    case .wireCallsNextFreely(let name):
      "\(name) stands at stage \(Stage.wire) and doesn't call next exactly once; "
        + "declare callsNext: .exactlyOnce, or move it to an outer stage."
    }
  }
}
