/// Finds the faults in a list of interceptors from their traits alone.
struct PipelineCheck {
  struct Member {
    let name: String
    let type: ObjectIdentifier
    let traits: InterceptorTraits
    /// The requests to which the interceptor is limited; nil for all.
    let scope: Request.Scope?

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
