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
  let credentialFields: CredentialFields

  /// Returns all faults as an error, or nil if there is none.
  func issue() -> PipelineIssue? {
    let misplaced = misplaced()
    let faults =
      misplaced + repeated() + unmet() + members.flatMap(empty)
      + members.filter(isFreeOnTheWire).map { PipelineIssue.Fault.wireCallsNextFreely($0.name) }
      + credentialFields.malformedNames.map { .malformedCredentialField($0) }
    guard !faults.isEmpty else { return nil }
    return PipelineIssue(faults: faults, order: misplaced.isEmpty ? [] : membersInOrder.map(\.name))
  }

  /// Each pair of interceptors in which the one listed first is of a later stage.
  private func misplaced() -> [PipelineIssue.Fault] {
    members.indices.flatMap { index -> [PipelineIssue.Fault] in
      let member = members[index]
      return members[..<index].filter { $0.traits.stage > member.traits.stage }.map {
        .misplaced(member.name, member.traits.stage, after: $0.name, $0.traits.stage)
      }
    }
  }

  /// The members by stage; those of one stage keep their order.
  private var membersInOrder: [Member] {
    members.enumerated()
      .sorted { ($0.element.traits.stage.rank, $0.offset) < ($1.element.traits.stage.rank, $1.offset) }
      .map(\.element)
  }

  private func repeated() -> [PipelineIssue.Fault] {
    var seen: Set<ObjectIdentifier> = []
    return members.compactMap { member in
      guard !member.traits.allowsSeveral, seen.insert(member.type).inserted else { return nil }
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

  private func empty(_ member: Member) -> [PipelineIssue.Fault] {
    (member.scope?.rule.malformedAuthorities ?? []).map { .malformedAuthority($0, ofLimit: member.name) }
  }

  private func isFreeOnTheWire(_ member: Member) -> Bool {
    member.traits.stage >= .wire && member.traits.callsNext != .exactlyOnce
  }
}

extension PipelineCheck {
  /// Returns why responses to requests with the credentials of interceptors are not stored and shared as
  /// others, with the remedies.
  func notices(of providers: [any Request.IdentityProvider]) -> [String] {
    let noticing = providers.compactMap { provider in
      ((provider as? any ScopedStep)?.unlimited ?? provider) as? any Request.NoticingIdentityProvider
    }
    var notices: [String] = []
    if members.contains(where: { $0.traits.stage == .caching || $0.traits.stage == .sharing }) {
      notices += noticing.compactMap { provider in provider.notice.map { "\(provider.name): \($0)" } }
    }
    let keepers = members.filter { ($0.interceptor as? any LastingKeeper)?.keepsBeyondProcess == true }
    guard !keepers.isEmpty else { return notices }
    let names = keepers.map(\.name).joined(separator: " and ")
    // An account determines the partition; the holder of a key beside it has none of its own.
    let onlyHolders = providers.allSatisfy { provider in
      provider.traits.stage == .cookies || noticing.contains { $0.name == provider.name && $0.isHolderAtMost }
    }
    notices += noticing.filter { provider in
      guard let login = provider.presentLogin, login.isAccount, !login.isLasting else { return false }
      return !login.isOfHolder || onlyHolders
    }.map { provider in
      "\(provider.name): Its login has no account name, so the responses and cookies of requests without another "
        + "partition are kept in memory only, and \(names) writes none of them to its store; "
        + "\(provider.namingRemedy)."
    }
    return notices
  }
}

extension Request.NoticingIdentityProvider {
  /// Whether it provides no account: only the holder of a key, or the app.
  fileprivate var isHolderAtMost: Bool {
    guard let presentLogin else { return notice != nil }
    return presentLogin.isOfHolder || !presentLogin.isAccount
  }
}

/// An interceptor that may keep something beyond the end of the process, such as on the disk.
package protocol LastingKeeper: Interceptor {
  /// Whether it does.
  var keepsBeyondProcess: Bool { get }
}

/// An interceptor that reports the notices of its chain.
package protocol NoticeReceiver: Interceptor {
  /// Reports the notices of the chain.
  func receive(_ notices: [String])
}
