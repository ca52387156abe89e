/// Finds the faults in a list of interceptors from their traits alone.
struct PipelineCheck {
  struct Member {
    /// The interceptor, without its limit.
    let interceptor: any Interceptor
    let name: String
    let traits: InterceptorTraits
    /// The requests to which the interceptor is limited; nil for all.
    let scope: Request.Scope?

    init(_ interceptor: any Interceptor, scope: Request.Scope? = nil) {
      self.interceptor = interceptor
      name = interceptor.name
      traits = interceptor.traits
      self.scope = scope
    }

    var type: ObjectIdentifier { ObjectIdentifier(Swift.type(of: interceptor)) }

    /// Whether both members certainly process some request.
    func overlaps(_ other: Member) -> Bool {
      guard let scope, let otherScope = other.scope else { return true }
      return scope.certainlyOverlaps(otherScope)
    }
  }

  let members: [Member]
  let capabilities: DispatcherCapabilities
  let dispatcher: String

  func faults() -> [PipelineIssue.Fault] {
    misplaced() + repeated() + unmet() + members.filter(isFreeOnTheWire).map { .wireCallsNextFreely($0.name) }
  }

  /// Each interceptor listed after one of a later stage, with the outermost interceptor that it must precede.
  private func misplaced() -> [PipelineIssue.Fault] {
    members.indices.compactMap { index in
      let member = members[index]
      guard let first = members[..<index].first(where: { $0.traits.stage > member.traits.stage }) else {
        return nil
      }
      return .misplaced(member.name, member.traits.stage, after: first.name, first.traits.stage)
    }
  }

  private func repeated() -> [PipelineIssue.Fault] {
    var seen: Set<ObjectIdentifier> = []
    return members.compactMap { member in
      guard member.traits.multiplicity == .one, seen.insert(member.type).inserted else { return nil }
      let same = members.filter { $0.type == member.type }
      let count = same.indices.count { index in
        same.indices.contains { $0 != index && same[index].overlaps(same[$0]) }
      }
      return count > 1 ? .repeated(member.name, count: count) : nil
    }
  }

  private func unmet() -> [PipelineIssue.Fault] {
    members.flatMap { member in
      member.traits.requires.compactMap { requirement -> PipelineIssue.Fault? in
        switch requirement {
        case .stage(let stage):
          members.contains { $0.traits.stage == stage } ? nil : .missingStage(stage, neededBy: member.name)
        case .dispatcher(let needed):
          capabilities.isSuperset(of: needed)
            ? nil
            : .missingCapability(
              needed.subtracting(capabilities), neededBy: member.name, dispatcher: dispatcher)
        }
      }
    }
  }

  private func isFreeOnTheWire(_ member: Member) -> Bool {
    member.traits.stage >= .wire && member.traits.callsNext != .exactlyOnce
  }
}

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
