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

  @Test(
    "J2: In random histories each screen is entered once, covered and uncovered by turns, and left once, with its time on top",
    arguments: 0..<10)
  nonisolated func histories(block: Int) throws {
    var transitions = 0
    for seed in (block * 300)..<((block + 1) * 300) {
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
        guard (try? state.apply(Self.command(&generator, serial, state))) != nil else { continue }
        transitions += 1
        let steps = lifecycle.advance(to: state, at: .seconds(now))
        let fault = model.check(
          steps.map { ($0.kind, $0.id.number, Int($0.timeOnScreen.components.seconds)) },
          reaching: state.entries.map(\.id.number), top: state.top?.id.number)
        if let fault {
          Issue.record("seed \(seed), command \(serial): \(fault)")
          return
        }
      }
    }
    #expect(transitions > 4_000)
  }

  @Test("The oracle finds a planted fault", arguments: ["twice", "missing", "late", "order"])
  nonisolated func planted(fault: String) {
    var model = ScreenLifecycleModel()
    #expect(model.check([(.entered, 1, 0)], reaching: [1], top: 1) == nil)
    model.wait(3)
    let right: [(kind: ScreenEvent.Kind, id: Int, seconds: Int)] = [(.covered, 1, 3), (.entered, 2, 0)]
    let wrong: [(kind: ScreenEvent.Kind, id: Int, seconds: Int)] =
      switch fault {
      case "twice": [(.covered, 1, 3), (.entered, 2, 0), (.entered, 2, 0)]
      case "missing": [(.entered, 2, 0)]
      case "late": [(.covered, 1, 2), (.entered, 2, 0)]
      default: [(.uncovered, 1, 3), (.entered, 2, 0)]
      }
    var other = model
    #expect(model.check(right, reaching: [1, 2], top: 2) == nil)
    #expect(other.check(wrong, reaching: [1, 2], top: 2) != nil)
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
    "J2: The events of a navigator fit its states under concurrent openings, vetoes, restorations and a busy host",
    arguments: 0..<25)
  func navigators(seed: Int) async throws {
    var generator = SeededRandom(seed: UInt64(seed))
    let journal = AspectJournal()
    let clock = TestClock()
    let host = RecordingHost()
    let vetoing = ScriptedAspect("Vetoing", .admission, journal) { screen, visit in
      visit.entry.id.number % 5 == 0 ? .veto(NotLicensed()) : .show(screen)
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
      #expect(Self.fault(journal.events, navigator.state) == nil, "seed \(seed), \(number)")
    }
    for task in tasks { await task.value }
    try? navigator.perform(.closeAll)
    #expect(Self.fault(journal.events, navigator.state) == nil)
    #expect(journal.events.count > 20 && navigator.state.count == 0)
    let entered = journal.events.filter { $0.kind == .entered }.map(\.visit.entry.id)
    let left = journal.events.filter { $0.kind == .left }.map(\.visit.entry.id)
    #expect(Set(entered).count == entered.count && Set(left).count == left.count)
    #expect(Set(entered) == Set(left) && !entered.contains { $0.number % 5 == 0 })
  }

  /// Follows the lives of all screens event by event; returns the first fault against the state at the end.
  private static func fault(
    _ events: [ScreenEvent], _ state: NavigationState
  ) -> String? {
    var last: [EntryID: ScreenEvent.Kind] = [:]
    for event in events {
      let id = event.visit.entry.id
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
