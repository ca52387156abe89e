/// All faults of a pipeline that could not be built.
public struct PipelineIssue: Error, LoggableError, Sendable, Hashable {
  /// One fault, with the names of the interceptors involved.
  public enum Fault: Sendable, Hashable {
    /// An interceptor is listed after one that it must precede.
    case misplaced(String, Stage, after: String, Stage)
    /// An interceptor type that may occur once is registered `count` times.
    case repeated(String, count: Int)
    /// An interceptor requires another stage, and no interceptor of that stage is registered.
    case missingStage(Stage, neededBy: String)
    /// An interceptor requires capabilities that the dispatcher doesn't have.
    case missingCapability(DispatcherCapabilities, neededBy: String, dispatcher: String)
    /// An interceptor of the wire stage doesn't promise to call `next` exactly once.
    case wireCallsNextFreely(String)
  }

  /// The faults, in the order of registration.
  public let faults: [Fault]
}

extension PipelineIssue: CustomStringConvertible {
  /// One sentence per fault, with the names involved and the remedy.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}

extension PipelineIssue.Fault: CustomStringConvertible {
  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .misplaced(let name, let stage, after: let other, let otherStage):
      "\(name) (\(stage)) is listed after \(other) (\(otherStage)); move it before \(other)."
    case .repeated(let name, let count):
      "\(name) is registered \(count) times but may be registered only once; "
        + "remove the others, or limit each to requests of its own with only(for:)."
    case .missingStage(let stage, let name):
      "\(name) requires an interceptor of stage \(stage), and none is registered; add one, or remove \(name)."
    case .missingCapability(let capabilities, let name, let dispatcher):
      "\(name) requires the capability \(capabilities), which the dispatcher \(dispatcher) doesn't have; "
        + "use another dispatcher, or remove \(name)."
    case .wireCallsNextFreely(let name):
      "\(name) has the stage \(Stage.wire) but doesn't call next exactly once; "
        + "declare callsNext: .exactlyOnce, or move it to an outer stage."
    }
  }
}
