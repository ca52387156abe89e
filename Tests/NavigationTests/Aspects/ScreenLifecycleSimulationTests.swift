import Mediation
import MediationFixtures
import Navigation
import SwitchyardTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct ScreenLifecycleSimulationTests {
  nonisolated private static func command(
    _ generator: inout SeededRandom, _ serial: Int, _ state: NavigationState
  ) -> NavigationCommand {
    let shown = state.entries.randomElement(using: &generator)?.id ?? EntryID(1)
    let tab = ["a", "b", "c"][generator.below(3)]
    let styles: [Presentation] = [.push, .push, .present, .replace, .root, .tab(tab)]
    switch generator.below(20) {
    case 0...9:
      let entry = NavigationEntry(id: EntryID(serial + 1), name: "\(serial + 1)")
      return .show(entry, styles[generator.below(styles.count)])
    case 10, 11: return .pop
    case 12: return .popTo(shown)
    case 13: return generator.below(4) == 0 ? .popToRoot : .pop
    case 14: return .dismiss
    case 15: return generator.below(3) == 0 ? .dismissAll : .dismiss
    case 16: return .close(shown)
    case 17: return .select(tab: tab)
    case 18: return .reveal(shown)
    default: return generator.below(10) == 0 ? .closeAll : .pop
    }
  }

  /// Stacks of new screens for some of the tabs, presented ones, and a tab to select.
  nonisolated private static func restoration(
    _ generator: inout SeededRandom, _ serial: Int, _ state: NavigationState
  ) -> NavigationState.RestoredStacks {
    var number = 1_000 + serial * 100
    func entries(_ generator: inout SeededRandom) -> [NavigationEntry] {
      (0..<generator.below(3)).map { _ in
        number += 1
        return NavigationEntry(id: EntryID(number), name: "\(number)")
      }
    }
    var stacks = NavigationState.RestoredStacks()
    for tab in state.tabs.indices { stacks.tabs[tab] = entries(&generator) }
    for _ in 0..<generator.below(3) { stacks.modals.append(entries(&generator)) }
    stacks.modals.removeAll(where: \.isEmpty)
    stacks.selectedIndex = generator.below(3) == 0 ? nil : generator.below(state.tabs.count)
    return stacks
  }

  /// The numbers of all entries from the bottom up: the other tabs, the selected one, presented stacks.
  nonisolated private static func fromTheBottom(_ state: NavigationState) -> [Int] {
    let others = state.tabs.indices.reversed().filter { $0 != state.selectedIndex }
    let stacks = (others + [state.selectedIndex]).map { state.tabs[$0].stack } + state.modals
    return stacks.flatMap { $0.map(\.id.number) }
  }

  @Test(
    "J2: In random histories each screen is entered once, covered and uncovered by turns, and left once, with its time on top",
    arguments: 0..<10)
  nonisolated func histories(block: Int) throws {
    var (transitions, restorations) = (0, 0)
    for seed in (block * 60)..<((block + 1) * 60) {
      var generator = SeededRandom(seed: UInt64(seed))
      var state = try NavigationState(tabs: seed % 4 == 0 ? [] : ["a", "b", "c"], limit: 12)
      var lifecycle = ScreenLifecycle(state)
      var model = ScreenLifecycleModel()
      var now = 0
      for serial in 0..<40 {
        let seconds = generator.below(4)
        now += seconds
        model.wait(seconds)
        if generator.below(6) == 0 {
          model.isForeground.toggle()
          lifecycle.setForeground(model.isForeground, at: .seconds(now))
        }
        if serial == 0 || generator.below(8) == 0 {
          _ = state.insertRestored(Self.restoration(&generator, serial, state))
          restorations += 1
        } else if (try? state.apply(Self.command(&generator, serial, state))) == nil {
          continue
        }
        transitions += 1
        let steps = lifecycle.advance(to: state, at: .seconds(now))
        let fault = model.check(
          steps.map { ($0.kind, $0.id.number, Int($0.timeOnScreen.components.seconds)) },
          reaching: Self.fromTheBottom(state), top: state.top?.id.number)
        if let fault {
          Issue.record("seed \(seed), command \(serial): \(fault)")
          return
        }
      }
    }
    #expect(transitions > 800 && restorations > 200)
  }

  /// A change to the right events of a transition.
  struct Planted: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout [(kind: ScreenEvent.Kind, id: Int, seconds: Int)]) -> Void

    init(
      _ testDescription: String,
      _ change: @escaping @Sendable (inout [(kind: ScreenEvent.Kind, id: Int, seconds: Int)]) -> Void
    ) {
      self.testDescription = testDescription
      self.change = change
    }
  }

  @Test(
    "The oracle finds a planted fault",
    arguments: [
      Planted("twice") { $0.append($0[3]) },
      Planted("a missing covering") { $0.remove(at: 2) },
      Planted("a missing entering") { $0.removeSubrange(3...4) },
      Planted("a time that is too short") { $0[2].seconds = 2 },
      Planted("a time in advance") { $0[7].seconds = 1 },
      Planted("another kind") { $0[2].kind = .uncovered },
      Planted("left from the bottom up") { $0.swapAt(0, 1) },
      Planted("covered before left") { $0.swapAt(1, 2) },
      Planted("left at last") { $0.append($0.removeFirst()) },
      Planted("entered before covered") { $0.insert($0.remove(at: 2), at: 4) },
      Planted("entered before left") { $0.insert($0.remove(at: 3), at: 1) },
      Planted("entered from the top down") {
        $0.swapAt(3, 5)
        $0.swapAt(4, 6)
      },
      Planted("covered after the next one is entered") { $0.swapAt(4, 5) },
      Planted("uncovered before entered") { $0.insert($0.removeLast(), at: 3) },
    ])
  nonisolated func planted(fault: Planted) {
    typealias Step = (kind: ScreenEvent.Kind, id: Int, seconds: Int)
    var model = ScreenLifecycleModel()
    let before: [Step] = [
      (.entered, 1, 0), (.covered, 1, 0), (.entered, 2, 0), (.covered, 2, 0), (.entered, 3, 0),
      (.covered, 3, 0), (.entered, 4, 0),
    ]
    #expect(model.check(before, reaching: [1, 2, 3, 4], top: 4) == nil)
    model.wait(3)
    let right: [Step] = [
      (.left, 3, 0), (.left, 2, 0), (.covered, 4, 3), (.entered, 5, 0), (.covered, 5, 0), (.entered, 6, 0),
      (.covered, 6, 0), (.uncovered, 1, 0),
    ]
    var wrong = right
    fault.change(&wrong)
    var other = model
    #expect(model.check(right, reaching: [4, 5, 6, 1], top: 1) == nil)
    #expect(other.check(wrong, reaching: [4, 5, 6, 1], top: 1) != nil)
  }

  private struct SlowRoute: NativeRoute {
    let number: Int
  }

  private struct SlowModule: BusinessModule {
    let name = "Slow"
    func declare(into table: inout RouteTable) {
      table.screen(SlowRoute.self) { route, _, handle in
        for _ in 0..<(route.number % 4) { await Task.yield() }
        // Some end before they are shown.
        if route.number % 7 == 0 { handle.finish() }
        return TextScreen("Slow \(route.number)")
      }
    }
  }

  @Test(
    "J2: The events of a navigator fit its states and times under concurrent openings, vetoes, restorations, a background and a busy host",
    arguments: 0..<25)
  func navigators(seed: Int) async throws {
    var generator = SeededRandom(seed: UInt64(seed))
    let journal = AspectJournal()
    let clock = TestClock()
    let host = RecordingHost()
    var vetoing = ScriptedAspect("Vetoing", .admission, journal) { screen, visit in
      visit.entry.id.number % 5 == 0 ? .veto(NotLicensed()) : .show(screen)
    }
    let watch = TopWatch()
    vetoing.onEvent = { event in
      let seconds = watch.seconds[event.visit.entry.id] ?? 0
      #expect(event.timeOnScreen == .seconds(seconds), "seed \(seed): \(event.words), not \(seconds)")
    }
    let navigator = Navigator(
      host: host, state: try NavigationState(tabs: ["a", "b"], limit: 12),
      aspects: try ScreenAspects([vetoing], limit: .seconds(1_000), clock: clock))
    let mediator = try Mediator(
      schemes: ["estate"], hosts: ["estate.example"],
      modules: [SlowModule(), HomeModule(handles: Handles()), VillaModule()],
      environment: RouteEnvironment(navigator: navigator))
    // A host that sometimes leaves what it was just given.
    var renders = 0
    host.onRender = { [weak navigator] _ in
      renders += 1
      if renders % 6 == 0 { try? navigator?.perform(.pop) }
    }
    var tasks: [Task<Void, Never>] = []
    let styles: [Presentation] = [.push, .present, .replace, .root, .tab("b")]
    for number in 1...80 {
      let style = styles[generator.below(styles.count)]
      switch generator.below(10) {
      case 0...3:
        tasks.append(Task { try? await mediator.call(SlowRoute(number: number), as: style) })
      case 4: tasks.append(Task { try? await mediator.receive("estate://home/Docks/\(number)", from: .push) })
      case 5:
        let saved = navigator.snapshot()
        tasks.append(Task { _ = try? await navigator.restore(saved, through: mediator) })
      case 6:
        if let entry = navigator.state.entries.randomElement(using: &generator) {
          try? navigator.perform(generator.below(2) == 0 ? .close(entry.id) : .reveal(entry.id))
        }
      case 7: tasks.randomElement(using: &generator)?.cancel()
      default:
        let commands: [NavigationCommand] = [.pop, .dismiss, .select(tab: "a"), .select(tab: "b"), .closeAll]
        try? navigator.perform(commands[generator.below(commands.count)])
      }
      for _ in 0..<generator.below(6) { await Task.yield() }
      let seconds = generator.below(4)
      watch.wait(seconds, navigator.state.top?.id)
      clock.advance(by: .seconds(seconds))
      if generator.below(8) == 0 {
        watch.isForeground.toggle()
        await mediator.deliver(watch.isForeground ? .foreground : .background)
      }
      #expect(Self.fault(journal.events, navigator.state) == nil, "seed \(seed), \(number)")
      #expect(Self.fault(journal.events, host.updates) == nil, "seed \(seed), \(number)")
    }
    for task in tasks { await task.value }
    try? navigator.perform(.closeAll)
    #expect(Self.fault(journal.events, navigator.state) == nil)
    #expect(Self.fault(journal.events, host.updates) == nil)
    #expect(watch.seconds.values.contains { $0 > 0 })
    #expect(journal.events.count > 20 && navigator.state.count == 0)
    let entered = journal.events.filter { $0.kind == .entered }.map(\.visit.entry.id)
    let left = journal.events.filter { $0.kind == .left }.map(\.visit.entry.id)
    #expect(Set(entered).count == entered.count && Set(left).count == left.count)
    #expect(Set(entered) == Set(left) && !entered.contains { $0.number % 5 == 0 })
  }

  /// The seconds that each entry has been on top in the foreground.
  @MainActor private final class TopWatch {
    private(set) var seconds: [EntryID: Int] = [:]
    var isForeground = true

    func wait(_ seconds: Int, _ top: EntryID?) {
      if isForeground, let top { self.seconds[top, default: 0] += seconds }
    }
  }

  /// Compares the order of the events with that of the changes that a host received.
  private static func fault(_ events: [ScreenEvent], _ updates: [NavigationUpdate]) -> String? {
    var (entered, left): ([EntryID], [EntryID]) = ([], [])
    for change in updates.flatMap(\.changes) {
      switch change {
      case .pushed(let entry), .presented(let entry), .rooted(let entry): entered.append(entry.id)
      case .replaced(let old, let new):
        left.append(old.id)
        entered.append(new.id)
      case .removed(let entries): left += entries.map(\.id)
      // The host receives restored screens by tab; `ScreenLifecycleTests` states the order of their events.
      case .selected, .restored: continue
      }
    }
    let leaving = events.filter { $0.kind == .left }.map(\.visit.entry.id)
    if leaving != left { return "left are \(leaving), not \(left)" }
    let entering = events.filter { $0.kind == .entered && !$0.visit.isRestored }.map(\.visit.entry.id)
    return entering == entered ? nil : "entered are \(entering), not \(entered)"
  }

  /// Follows the lives of all screens event by event; returns the first fault against the state at the end.
  private static func fault(
    _ events: [ScreenEvent], _ state: NavigationState
  ) -> String? {
    var last: [EntryID: ScreenEvent.Kind] = [:]
    // The screen on top, and one that is entered below it and must be covered next.
    var (top, below): (EntryID?, EntryID?)
    for event in events {
      let id = event.visit.entry.id
      if let below, below != id || event.kind != .covered {
        return "\(event.words) before \(below) is covered"
      }
      switch event.kind {
      case .entered where top != nil: below = id
      case .entered, .uncovered:
        if let top { return "\(event.words) while \(top) is on top" }
        top = id
      case .covered, .left:
        if top == id, below == nil { top = nil }
        below = nil
      }
      switch (last[id], event.kind) {
      case (nil, .entered), (.entered, .covered), (.uncovered, .covered), (.covered, .uncovered),
        (.entered, .left), (.covered, .left), (.uncovered, .left):
        last[id] = event.kind
      default: return "\(event.words) after \(last[id].map { "\($0)" } ?? "nothing")"
      }
    }
    let open = last.filter { $0.value != .left }
    if Set(open.keys) != Set(state.entries.map(\.id)) { return "open are \(open.keys), not the entries" }
    return open.filter { $0.value != .covered }.map(\.key) == (state.top.map { [$0.id] } ?? [])
      ? nil : "not only \(state.top.map { "\($0.id)" } ?? "nothing") is on top"
  }
}
