import Navigation
import Testing

@Suite struct NavigationStateTests {
  private static func entry(_ number: Int) -> NavigationEntry {
    NavigationEntry(id: EntryID(number), name: "screen \(number)")
  }

  /// Returns the state after commands that must all succeed.
  private static func state(tabs: [String] = [], _ commands: NavigationCommand...) throws -> NavigationState {
    var state = try NavigationState(tabs: tabs)
    for command in commands { _ = try state.apply(command) }
    return state
  }

  private static func push(_ number: Int) -> NavigationCommand { .show(entry(number), .push) }
  private static func present(_ number: Int) -> NavigationCommand { .show(entry(number), .present) }

  @Test("F18: Push, pop, present, replace, root and dismiss change the stacks and report the changes")
  func commands() throws {
    let e = (0...9).map(Self.entry)
    var state = NavigationState()
    #expect(try state.apply(Self.push(1)) == [.pushed(e[1])])
    #expect(try state.apply(Self.push(2)) == [.pushed(e[2])])
    #expect(try state.apply(Self.present(3)) == [.presented(e[3])])
    #expect(try state.apply(Self.push(4)) == [.pushed(e[4])])
    #expect(state.currentStack == [e[3], e[4]])
    #expect(state.entries == [e[1], e[2], e[3], e[4]])
    #expect(try state.apply(.pop) == [.removed([e[4]])])
    #expect(try state.apply(.pop) == [.removed([e[3]])])
    #expect(state.top == e[2])
    #expect(try state.apply(.show(e[5], .replace)) == [.replaced(e[2], by: e[5])])
    #expect(try state.apply(Self.present(6)) == [.presented(e[6])])
    #expect(try state.apply(Self.present(7)) == [.presented(e[7])])
    #expect(try state.apply(.dismiss) == [.removed([e[7]])])
    #expect(try state.apply(.show(e[8], .root)) == [.removed([e[6], e[5], e[1]]), .rooted(e[8])])
    #expect(state.entries == [e[8]])
  }

  @Test("popTo and popToRoot truncate the current stack")
  func truncating() throws {
    var state = try Self.state(Self.push(1), Self.push(2), Self.push(3), Self.push(4))
    #expect(try state.apply(.popTo(EntryID(2))) == [.removed([Self.entry(4), Self.entry(3)])])
    #expect(try state.apply(.popTo(EntryID(2))) == [])
    #expect(try state.apply(.popToRoot) == [.removed([Self.entry(2)])])
    #expect(state.top == Self.entry(1))
  }

  @Test("Closing an entry also closes what was opened from it")
  func closing() throws {
    var state = try Self.state(
      Self.push(1), Self.push(2), Self.push(3), Self.present(4), Self.push(5), Self.present(6))
    #expect(try state.apply(.close(EntryID(5))) == [.removed([Self.entry(6), Self.entry(5)])])
    #expect(state.currentStack == [Self.entry(4)])
    #expect(try state.apply(.close(EntryID(4))) == [.removed([Self.entry(4)])])
    #expect(state.modals.isEmpty && state.top == Self.entry(3))
    _ = try state.apply(Self.present(4))
    #expect(try state.apply(.close(EntryID(2))) == [.removed([4, 3, 2].map(Self.entry))])
    #expect(state.entries == [Self.entry(1)])
    #expect(try state.apply(.close(EntryID(1))) == [.removed([Self.entry(1)])])
    #expect(state.top == nil)
  }

  @Test("F18: Each tab keeps its stack, and switching dismisses presented stacks")
  func tabs() throws {
    var state = try Self.state(tabs: ["search", "mine"], Self.push(1), Self.present(2))
    #expect(state.selectedTab == "search")
    #expect(try state.apply(.select(tab: "mine")) == [.removed([Self.entry(2)]), .selected(tab: "mine")])
    #expect(state.top == nil)
    #expect(
      try state.apply(.show(Self.entry(3), .tab("search"))) == [
        .selected(tab: "search"), .pushed(Self.entry(3)),
      ])
    #expect(state.currentStack == [Self.entry(1), Self.entry(3)])
    #expect(try state.apply(.select(tab: "search")) == [])
    // Closing in a tab that is not selected keeps what is presented over the selected one.
    _ = try state.apply(.select(tab: "mine"))
    _ = try state.apply(Self.present(4))
    #expect(try state.apply(.close(EntryID(1))) == [.removed([Self.entry(3), Self.entry(1)])])
    #expect(state.top == Self.entry(4))
  }

  @Test(
    "F18: An impossible command is an error and changes nothing",
    arguments: [
      (.pop, .nothingBelow), (.dismiss, .nothingPresented), (.dismissAll, .nothingPresented),
      (.popTo(EntryID(9)), .unknownEntry(EntryID(9))), (.close(EntryID(9)), .unknownEntry(EntryID(9))),
      (.select(tab: "x"), .unknownTab("x", known: ["search", "mine"])),
      (.show(entry(2), .tab("x")), .unknownTab("x", known: ["search", "mine"])),
      (.show(entry(1), .push), .repeatedEntry(EntryID(1))),
    ] as [(NavigationCommand, NavigationError)])
  func errors(_ command: NavigationCommand, _ error: NavigationError) throws {
    var state = try Self.state(tabs: ["search", "mine"], Self.push(1))
    let before = state
    #expect(throws: error) { try state.apply(command) }
    #expect(state == before)
    #expect(!error.description.isEmpty)
  }

  @Test("F18: Revealing returns to an entry of any stack, and closeAll removes everything")
  func revealing() throws {
    let e = (0...9).map(Self.entry)
    var state = try Self.state(
      tabs: ["search", "mine"], Self.push(1), Self.push(2), Self.push(3), .select(tab: "mine"))
    _ = try state.apply(Self.push(4))
    _ = try state.apply(Self.present(5))
    #expect(
      try state.apply(.reveal(EntryID(2))) == [
        .removed([e[5]]), .selected(tab: "search"), .removed([e[3]]),
      ])
    #expect(state.top == e[2] && state.tabs[1].stack == [e[4]])
    #expect(try state.apply(.reveal(EntryID(2))) == [])
    _ = try state.apply(Self.present(6))
    _ = try state.apply(Self.push(7))
    _ = try state.apply(Self.present(8))
    #expect(try state.apply(.reveal(EntryID(6))) == [.removed([e[8], e[7]])])
    #expect(throws: NavigationError.unknownEntry(EntryID(8))) { try state.apply(.reveal(EntryID(8))) }
    #expect(try state.apply(.closeAll) == [.removed([e[6], e[2], e[1], e[4]])])
    #expect(state.count == 0 && state.selectedTab == "search")
    #expect(try state.apply(.closeAll) == [])
  }

  @Test("Without tabs none can be selected, and the names of tabs are unique")
  func tabNames() {
    var state = NavigationState()
    #expect(state.selectedTab == nil)
    #expect(throws: NavigationError.unknownTab("", known: [])) { try state.apply(.select(tab: "")) }
    #expect(throws: NavigationError.repeatedTab("a")) { try NavigationState(tabs: ["a", "b", "a"]) }
    #expect(throws: NavigationError.nothingBelow) { try state.apply(.popToRoot) }
  }
}
