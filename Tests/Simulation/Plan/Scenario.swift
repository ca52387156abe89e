/// A story of two events at the same instant, whose order decides what the app may rely on.
///
/// Random histories seldom meet one. A checker that compares times takes the first of each pair for a fault,
/// or overlooks one in the second.
package enum Scenario: String, Sendable, CaseIterable {
  /// A list is read, its first page from the store; then it changes, and the app learns it.
  case changeAfterRead = "change-after-read"
  /// A list changes, and the app learns it; then the list is read.
  case readAfterChange = "read-after-change"
  /// A read joins one that was sent before a write; then the write ends.
  case writeEndsAfterRead = "write-ends-after-read"
  /// A write ends; then a read begins.
  case readAfterWriteEnds = "read-after-write-ends"
  /// A load without a network gets a stale response; then the network returns.
  case returnAfterLoad = "return-after-load"
  /// The network returns; then a load begins.
  case loadAfterReturn = "load-after-return"

  /// Returns the plans of the scenario: one for each order of jobs.
  package func plans() throws -> [Plan] { try Scheduler.Order.allCases.map { try plan($0) } }

  private func plan(_ order: Scheduler.Order) throws -> Plan {
    func plan(_ actions: (time: Duration, action: Action)...) -> Plan {
      // With this seed the server responds to the read of an edit before it makes the change, and the
      // response arrives after that of the change.
      let seed: UInt64 = 8
      return Plan(seed: seed, .faultless(order, seed: seed), actions)
    }
    let second = Duration.seconds(1)
    switch self {
    case .changeAfterRead, .readAfterChange:
      let shown = (Duration.zero, Action.screen(list: 1, .scroll, count: 1))
      let read = (second, Action.export(list: 1, size: 3, looksAhead: false, pauses: false))
      let change = (second, Action.push(list: 1))
      return self == .changeAfterRead ? plan(shown, read, change) : plan(shown, change, read)
    case .writeEndsAfterRead, .readAfterWriteEnds:
      let connected = (Duration.zero, Action.call(Call(path: "/me/3")))
      let edit = (second, Action.edit("/me/7"))
      let written = plan(connected, edit)
      guard self == .writeEndsAfterRead, let end = try History(written).writeEnds.last else { return written }
      // What a call meets on the network does not depend on other calls, so the write ends at the same time.
      return plan(connected, edit, (end, .call(Call(path: "/me/7", way: .pipeline))))
    case .returnAfterLoad, .loadAfterReturn:
      let (stored, stale) = (Duration.zero, Duration.seconds(100))
      let (down, up) = ((second, Action.network(isUp: false)), (stale, Action.network(isUp: true)))
      let load = Action.call(Call(path: "/items/0"))
      return self == .returnAfterLoad
        ? plan((stored, load), down, (stale, load), up) : plan((stored, load), down, up, (stale, load))
    }
  }
}
