import Navigation
import Testing

@Suite struct ScreenLifecycleTests {
  /// A transition, and the events that it has.
  struct Transition: Sendable, CustomTestStringConvertible {
    let before: [NavigationCommand]
    let command: NavigationCommand
    let events: [String]

    var testDescription: String { "\(command) after \(before.count) commands" }
  }

  private static func show(_ number: Int, _ style: Presentation = .push) -> NavigationCommand {
    .show(NavigationEntry(id: EntryID(number), name: "\(number)"), style)
  }

  private static let stack = [show(1), show(2), show(3)]

  @Test(
    "J2: A transition has the events of the screens that differ, in order",
    arguments: [
      Transition(before: [], command: show(1), events: ["1 entered"]),
      Transition(before: [show(1)], command: show(2), events: ["1 covered", "2 entered"]),
      Transition(before: [show(1)], command: show(2, .present), events: ["1 covered", "2 entered"]),
      Transition(before: [show(1)], command: show(2, .replace), events: ["1 left", "2 entered"]),
      Transition(
        before: stack, command: show(4, .root), events: ["3 left", "2 left", "1 left", "4 entered"]),
      Transition(before: stack, command: show(4, .tab("b")), events: ["3 covered", "4 entered"]),
      Transition(before: stack, command: .pop, events: ["3 left", "2 uncovered"]),
      Transition(before: stack, command: .popToRoot, events: ["3 left", "2 left", "1 uncovered"]),
      Transition(before: stack, command: .popTo(EntryID(2)), events: ["3 left", "2 uncovered"]),
      Transition(before: stack, command: .popTo(EntryID(3)), events: []),
      Transition(before: stack, command: .reveal(EntryID(1)), events: ["3 left", "2 left", "1 uncovered"]),
      Transition(before: stack, command: .close(EntryID(3)), events: ["3 left", "2 uncovered"]),
      Transition(before: stack, command: .closeAll, events: ["3 left", "2 left", "1 left"]),
      Transition(before: stack, command: .select(tab: "b"), events: ["3 covered"]),
      Transition(before: stack, command: .select(tab: "a"), events: []),
      Transition(
        before: stack + [.select(tab: "b")], command: .select(tab: "a"), events: ["3 uncovered"]),
      Transition(
        before: stack + [show(4, .tab("b"))], command: .select(tab: "a"),
        events: ["4 covered", "3 uncovered"]),
      Transition(
        before: stack + [show(4, .tab("b"))], command: .reveal(EntryID(2)),
        events: ["3 left", "4 covered", "2 uncovered"]),
      Transition(
        before: [show(1), show(2, .present), show(3), show(4, .present)], command: .dismiss,
        events: ["4 left", "3 uncovered"]),
      Transition(
        before: [show(1), show(2, .present), show(3), show(4, .present)], command: .dismissAll,
        events: ["4 left", "3 left", "2 left", "1 uncovered"]),
      Transition(
        before: [show(1), show(2, .present)], command: .select(tab: "b"), events: ["2 left"]),
      Transition(
        before: [show(1), show(2, .present), show(3)], command: show(4, .tab("a")),
        events: ["3 left", "2 left", "4 entered"]),
      Transition(
        before: [show(1), show(2, .tab("b")), show(3, .present)], command: .closeAll,
        events: ["3 left", "2 left", "1 left"]),
    ])
  func transitions(transition: Transition) throws {
    var state = try NavigationState(tabs: ["a", "b"])
    var lifecycle = ScreenLifecycle(state)
    for command in transition.before {
      _ = try state.apply(command)
      _ = lifecycle.advance(to: state, at: .zero)
    }
    _ = try state.apply(transition.command)
    let steps = lifecycle.advance(to: state, at: .zero)
    #expect(steps.map { "\($0.id.number) \($0.kind)" } == transition.events)
    // The same state again has no events, whatever renders it.
    #expect(lifecycle.advance(to: state, at: .zero).isEmpty)
  }

  /// The selected tab of a restoration, its screens, and their events.
  struct Restored: Sendable {
    var shown: [NavigationCommand] = []
    let selectedIndex: Int?
    let tabs: [Int: [Int]]
    var modals: [[Int]] = []
    let events: [String]
  }

  @Test(
    "J2: Restored screens are entered from the bottom up: other tabs, the selected tab, presented stacks",
    arguments: [
      Restored(
        selectedIndex: 0, tabs: [0: [1, 2], 1: [5]],
        events: ["5 entered", "5 covered", "1 entered", "1 covered", "2 entered"]),
      Restored(
        selectedIndex: 1, tabs: [0: [1, 2], 1: [5]],
        events: ["1 entered", "1 covered", "2 entered", "2 covered", "5 entered"]),
      Restored(
        selectedIndex: 1, tabs: [0: [1], 1: [5], 2: [7]],
        events: ["7 entered", "7 covered", "1 entered", "1 covered", "5 entered"]),
      Restored(
        selectedIndex: 0, tabs: [1: [5, 6]],
        events: ["5 entered", "5 covered", "6 entered", "6 covered"]),
      Restored(
        selectedIndex: 0, tabs: [0: [1], 1: [5]], modals: [[8], [9]],
        events: [
          "5 entered", "5 covered", "1 entered", "1 covered", "8 entered", "8 covered", "9 entered",
        ]),
      Restored(
        shown: [show(3)], selectedIndex: 1, tabs: [0: [1], 1: [5]],
        events: ["5 entered", "5 covered", "1 entered", "1 covered"]),
      Restored(
        shown: [show(3), show(4, .tab("b"))], selectedIndex: 0, tabs: [0: [1], 1: [5]],
        events: ["1 entered", "1 covered", "5 entered", "5 covered"]),
      // An empty tab was on top.
      Restored(
        shown: [show(3), .select(tab: "b")], selectedIndex: 0, tabs: [0: [1], 1: [5]],
        events: ["1 entered", "1 covered", "5 entered"]),
    ])
  func restored(row: Restored) throws {
    func entries(_ numbers: [Int]) -> [NavigationEntry] {
      numbers.map { NavigationEntry(id: EntryID($0), name: "\($0)") }
    }
    var state = try NavigationState(tabs: ["a", "b", "c"])
    for command in row.shown { _ = try state.apply(command) }
    var lifecycle = ScreenLifecycle(state)
    var stacks = NavigationState.RestoredStacks()
    stacks.tabs = row.tabs.mapValues(entries)
    stacks.modals = row.modals.map(entries)
    stacks.selectedIndex = row.selectedIndex
    _ = state.insertRestored(stacks)
    let steps = lifecycle.advance(to: state, at: .zero)
    #expect(steps.map { "\($0.id.number) \($0.kind)" } == row.events)
  }

  @Test("J2: The time on screen is that on top in the foreground, until the event")
  func times() throws {
    var state = try NavigationState(tabs: ["a", "b"])
    var lifecycle = ScreenLifecycle(state)
    var now = Duration.zero
    func step(_ seconds: Int, _ command: NavigationCommand) throws -> [String] {
      now += .seconds(seconds)
      _ = try state.apply(command)
      return lifecycle.advance(to: state, at: now).map {
        "\($0.id.number) \($0.kind) \($0.timeOnScreen.components.seconds)"
      }
    }
    #expect(try step(5, Self.show(1)) == ["1 entered 0"])
    #expect(try step(2, Self.show(2, .present)) == ["1 covered 2", "2 entered 0"])
    now += .seconds(3)
    lifecycle.setForeground(false, at: now)
    now += .seconds(1_000)
    // What is opened and left in the background counts nothing.
    #expect(try step(0, Self.show(3)) == ["2 covered 3", "3 entered 0"])
    #expect(try step(100, .pop) == ["3 left 0", "2 uncovered 3"])
    lifecycle.setForeground(true, at: now)
    #expect(try step(4, .dismiss) == ["2 left 7", "1 uncovered 2"])
    #expect(try step(10, .select(tab: "b")) == ["1 covered 12"])
    #expect(try step(50, .closeAll) == ["1 left 12"])
    // Twice in the background, and twice in the foreground, are once.
    #expect(try step(1, Self.show(4)) == ["4 entered 0"])
    lifecycle.setForeground(false, at: now + .seconds(1))
    lifecycle.setForeground(false, at: now + .seconds(2))
    lifecycle.setForeground(true, at: now + .seconds(3))
    lifecycle.setForeground(true, at: now + .seconds(5))
    #expect(try step(6, .closeAll) == ["4 left 4"])
  }

  @Test("A clock that is turned back counts nothing twice")
  func turnedBack() throws {
    var state = NavigationState()
    var lifecycle = ScreenLifecycle(state)
    _ = try state.apply(Self.show(1))
    _ = lifecycle.advance(to: state, at: .seconds(10))
    _ = lifecycle.advance(to: state, at: .seconds(4))
    _ = try state.apply(.closeAll)
    #expect(lifecycle.advance(to: state, at: .seconds(12)).map(\.timeOnScreen) == [.seconds(2)])
  }
}
