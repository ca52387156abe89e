import MediationFixtures
import Navigation
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct NavigationStateModelTests {
  private static func command(
    _ generator: inout SeededRandom, _ serial: Int, _ state: NavigationState
  ) -> NavigationCommand {
    // Mostly the identity of a shown entry; sometimes one that was removed or never existed.
    let shown = state.entries.randomElement(using: &generator)?.id
    let any = EntryID(1 + generator.below(serial + 2))
    let known = generator.below(5) == 0 ? any : shown ?? any
    let fresh = generator.below(20) == 0 ? known : EntryID(serial + 1)
    let tab = ["a", "b", "c", "x"][generator.below(4)]
    let styles: [Presentation] = [.push, .push, .push, .present, .replace, .root, .tab(tab)]
    switch generator.below(20) {
    case 0...9:
      let entry = NavigationEntry(id: fresh, name: "screen \(fresh.number)")
      return .show(entry, styles[generator.below(styles.count)])
    case 10, 11: return .pop
    case 12: return .popTo(known)
    case 13: return generator.below(4) == 0 ? .popToRoot : .pop
    case 14: return .dismiss
    case 15: return generator.below(3) == 0 ? .dismissAll : .dismiss
    case 16: return .close(known)
    case 17: return .select(tab: tab)
    case 18: return .reveal(known)
    default: return generator.below(10) == 0 ? .closeAll : .pop
    }
  }

  @Test(
    "F18: Random commands match an independent model, and the changes account for every entry",
    arguments: [["a", "b", "c"], []], [3, 12, 1_000])
  func againstModel(tabs: [String], limit: Int) throws {
    var applied = 0
    var refused = 0
    for seed in 0..<40 {
      var generator = SeededRandom(seed: UInt64(seed))
      var state = try NavigationState(tabs: tabs, limit: limit)
      var model = NavigationModel(tabs: tabs, limit: limit)
      var shown: Set<Int> = []
      for serial in 0..<250 {
        let command = Self.command(&generator, serial, state)
        let before = state
        guard let gone = model.apply(command) else {
          refused += 1
          #expect(throws: NavigationError.self, "seed \(seed), \(command)") { try state.apply(command) }
          #expect(state == before)
          continue
        }
        applied += 1
        let changes = try state.apply(command)
        let removed = Self.account(changes, &shown)
        #expect(Set(removed) == gone && removed.count == gone.count, "seed \(seed), \(command)")
        Self.compare(state, model, shown, "seed \(seed), command \(serial): \(command)")
      }
    }
    #expect(applied > 2_000 && refused > 500)
  }

  /// Applies the changes to the set of entries; returns the removed ones, with repetitions.
  private static func account(_ changes: [NavigationChange], _ shown: inout Set<Int>) -> [Int] {
    var removed: [Int] = []
    for change in changes {
      switch change {
      case .pushed(let entry), .presented(let entry), .rooted(let entry): shown.insert(entry.id.number)
      case .replaced(let old, let new):
        shown.remove(old.id.number)
        removed.append(old.id.number)
        shown.insert(new.id.number)
      case .removed(let entries):
        removed += entries.map(\.id.number)
        shown.subtract(entries.map(\.id.number))
      case .restored(let entries): shown.formUnion(entries.map(\.id.number))
      case .selected: continue
      }
    }
    return removed
  }

  private static func compare(
    _ state: NavigationState, _ model: NavigationModel, _ shown: Set<Int>, _ what: Comment
  ) {
    #expect(
      state.tabs.map { $0.stack.map(\.id.number) } == state.tabs.indices.map { model.ids(in: $0) }, what)
    #expect(state.modals.map { $0.map(\.id.number) } == model.modalLayers.map { model.ids(in: $0) }, what)
    #expect(state.selectedIndex == model.selected, what)
    #expect(state.count == model.rows.count && state.entries.count == state.count, what)
    #expect(Set(state.entries.map(\.id.number)) == shown, what)
    #expect(state.modals.allSatisfy { !$0.isEmpty }, what)
    #expect(state.count <= state.limit, what)
    #expect(state.entries.allSatisfy { state.entry($0.id) == $0 }, what)
  }
}
