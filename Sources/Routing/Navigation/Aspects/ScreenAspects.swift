import Mediation

/// The aspects of an app in the order of their stages, checked when the list is created.
///
/// ```swift
/// let aspects = try ScreenAspects([
///   PrivacyCover { _ in Curtain() },
///   ScreenLog(log: logger),
/// ])
/// let navigator = Navigator(host: host, aspects: aspects)
/// ```
public struct ScreenAspects: Sendable {
  /// The maximum number of screens that are prepared at a time.
  static let questionLimit = 100

  let members: [AspectMember]
  /// The maximum time for all decisions about one screen.
  let limit: Duration
  let clock: any Clock<Duration>

  /// Creates an empty list.
  public init() {
    members = []
    limit = .seconds(5)
    clock = SuspendingClock()
  }

  /// Creates the list, or throws an error that names every fault with its remedy.
  ///
  /// - Parameters:
  ///   - aspects: The aspects in the order of their stages.
  ///   - limit: The maximum time for all decisions about one screen. An aspect that exceeds it is cancelled
  ///     and no longer awaited, and the call ends with ``ScreenAspectError/overdue(_:limit:)``. The same
  ///     restoration, and the same link for further parents, do not ask it again.
  ///   - clock: Measures the time on screen and the limit. The default one stands still while the device
  ///     sleeps.
  /// - Throws: ``ScreenAspectIssue``.
  public init(
    _ aspects: [any ScreenAspect], limit: Duration = .seconds(5),
    clock: any Clock<Duration> = SuspendingClock()
  ) throws(ScreenAspectIssue) {
    members = aspects.map { AspectMember($0) }
    self.limit = limit
    self.clock = clock
    let faults = members.faults + (limit > .zero ? [] : [.limit(limit)])
    if !faults.isEmpty { throw ScreenAspectIssue(faults: faults, order: members.ordered.map(\.name)) }
  }

  /// Returns the aspects that apply to a screen, in the order of their stages.
  ///
  /// - Parameter own: The aspects of the screen's module, each behind the app's of its stage.
  func applying(to visit: ScreenVisit, with own: [AspectMember]) -> [any ScreenAspect] {
    let all = own.isEmpty ? members : (members + own).ordered
    return all.filter { $0.applies(to: visit) }.map(\.aspect)
  }
}

/// An aspect of a list, without its limits.
struct AspectMember: Sendable {
  let aspect: any ScreenAspect
  let scopes: [ScreenScope]
  let stage: AspectStage
  let name: String

  init(_ aspect: any ScreenAspect) {
    let limited = aspect as? any LimitableAspect
    self.aspect = limited?.unlimited ?? aspect
    scopes = limited?.scopes ?? []
    stage = aspect.stage
    name = aspect.name
  }

  func applies(to visit: ScreenVisit) -> Bool { scopes.allSatisfy { $0.contains(visit) } }

  /// Whether it has the name of another one and certainly applies to all screens to which that one applies.
  func repeats(_ other: AspectMember) -> Bool { name == other.name && includes(other) }

  private func includes(_ other: AspectMember) -> Bool {
    scopes.allSatisfy { scope in other.scopes.contains { scope.certainlyEquals($0) } }
  }
}

extension [AspectMember] {
  /// The members by stage; those of one stage keep their order.
  var ordered: [AspectMember] {
    enumerated().sorted { ($0.element.stage.rank, $0.offset) < ($1.element.stage.rank, $1.offset) }
      .map(\.element)
  }

  /// What is wrong with the list.
  var faults: [ScreenAspectIssue.Fault] {
    var faults: [ScreenAspectIssue.Fault] = []
    for index in indices {
      let member = self[index]
      if let first = self[..<index].first(where: { $0.stage > member.stage }) {
        faults.append(.misplaced(member.name, member.stage, after: first.name, first.stage))
      }
    }
    for (index, member) in enumerated() {
      // Of those that apply to the same screens, the first one with the narrowest limits is reported.
      let isReportedElsewhere = enumerated().contains { other in
        member.repeats(other.element) && (other.offset < index || !other.element.repeats(member))
      }
      let others = enumerated().filter { $0.offset != index && $0.element.repeats(member) }
      if !others.isEmpty, !isReportedElsewhere {
        faults.append(.repeated(member.name, count: others.count + 1))
      }
    }
    return faults
  }
}
