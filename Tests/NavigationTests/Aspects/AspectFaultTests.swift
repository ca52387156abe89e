import Mediation
import Navigation
import SwitchyardTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct AspectFaultTests {
  let host = RecordingHost()
  let journal = AspectJournal()
  let clock = TestClock()

  private func start(
    _ aspects: [any ScreenAspect], tabs: [String] = []
  ) throws -> (mediator: Mediator, navigator: Navigator) {
    let navigator = Navigator(
      host: host, state: try NavigationState(tabs: tabs),
      aspects: try ScreenAspects(aspects, limit: .seconds(3), clock: clock))
    let mediator = try Mediator(
      schemes: ["estate"], hosts: ["estate.example"],
      modules: [HomeModule(handles: Handles()), VillaModule()],
      environment: RouteEnvironment(navigator: navigator))
    return (mediator, navigator)
  }

  /// Opens a screen that must not be shown, and returns the error.
  private func refusal(_ mediator: Mediator, _ url: String = "estate://home/2") async -> ScreenAspectError? {
    let error = await #expect(throws: RouteError.self) { try await mediator.open(url) }
    if case .failed(let cause as ScreenAspectError, _)? = error { return cause }
    return nil
  }

  @Test("An aspect that throws keeps its screen from being shown, and the one that is shown stays")
  func throwing() async throws {
    let (mediator, navigator) = try start([
      ScriptedAspect("Broken", .decoration, journal) { screen, visit in
        if visit.entry.url == "estate://home/2" { throw NotLicensed() }
        return .show(screen)
      }
    ])
    try await mediator.open("estate://home/1")
    let error = await refusal(mediator)
    guard case .failed("Broken", let cause)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause is NotLicensed)
    #expect(navigator.state.entries.map(\.name) == ["estate://home/1"])
    #expect(host.updates.count == 1)
    #expect(journal.events.map(\.words) == ["1 entered 0"])
  }

  @Test("An aspect that hangs is given up at the limit, also if it ignores its cancellation")
  func hanging() async throws {
    let release = WaitableValue(false)
    let wasCancelled = WaitableValue(false)
    let (mediator, navigator) = try start([
      ScriptedAspect("Slow", .decoration, journal) { screen, visit in
        if visit.entry.url == "estate://home/2" {
          // Waits outside of the task that is cancelled.
          _ = await Task { try? await release.wait { $0 } }.value
          wasCancelled.update { $0 = Task.isCancelled }
        }
        return .show(screen)
      }
    ])
    try await mediator.open("estate://home/1")
    let opening = Task { await refusal(mediator) }
    try await clock.waitForSleepers(1)
    clock.advance(by: .seconds(3))
    let error = await opening.value
    guard case .overdue("Slow", .seconds(3))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(navigator.state.entries.map(\.name) == ["estate://home/1"])
    release.update { $0 = true }
    try await wasCancelled.wait { $0 }
    #expect(navigator.state.entries.map(\.name) == ["estate://home/1"])
  }

  /// An aspect that hangs the first time that it is asked.
  private func hangingOnce() -> ScriptedAspect {
    ScriptedAspect("Slow", .admission, journal) { [clock, journal] screen, _ in
      if journal.lines.count == 1 { try await clock.sleep(for: .seconds(1_000)) }
      return .show(screen)
    }
  }

  @Test(
    "An aspect that hangs delays a restoration once: the other screens that it applies to are reported without a question, and the rest is restored"
  )
  func hangingWhileRestoring() async throws {
    let (saving, saved) = try start([])
    for path in ["home/1", "home/2", "home", "home/3"] { try await saving.open("estate://\(path)") }
    let (mediator, navigator) = try start([hangingOnce().only(for: .route(DetailRoute.self))])
    let restoring = Task { try await navigator.restore(saved.snapshot(), through: mediator) }
    // The aspect and its limit.
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(3))
    let result = try await restoring.value
    #expect(journal.lines.filter { $0.contains("prepares") } == ["Slow prepares House 1"])
    #expect(result.restored.map(\.name) == ["estate://home"])
    #expect(result.faults.map(\.name) == (1...3).map { "estate://home/\($0)" })
    #expect(result.faults.allSatisfy { $0.description.contains("Slow did not decide within 3.0 seconds") })
    // Afterwards it is asked again.
    try await mediator.open("estate://home/4")
    #expect(navigator.state.entries.map(\.name) == ["estate://home", "estate://home/4"])
  }

  @Test("An aspect that hangs delays a link once: the other parents that it applies to are left out")
  func hangingBelowALink() async throws {
    let parentsOnly = ScreenScope.where { $0.route != "VillaRoute" }
    let (mediator, navigator) = try start([hangingOnce().only(for: parentsOnly)])
    let receiving = Task { try await mediator.receive("estate://home/Docks/7", from: .push) }
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(3))
    _ = try await receiving.value
    #expect(journal.lines == ["Slow prepares Home"])
    #expect(navigator.state.entries.map(\.name) == ["estate://home/Docks/7"])
  }

  @Test("Cancelling the caller cancels the aspect, and shows nothing")
  func cancelling() async throws {
    let started = WaitableValue(false)
    let wasCancelled = WaitableValue(false)
    let (mediator, navigator) = try start([
      ScriptedAspect("Slow", .decoration, journal) { screen, _ in
        started.update { $0 = true }
        do {
          try await WaitableValue(false).wait { $0 }
        } catch {
          wasCancelled.update { $0 = true }
          throw error
        }
        return .show(screen)
      }
    ])
    let opening = Task { try await mediator.open("estate://home/1") }
    try await started.wait { $0 }
    opening.cancel()
    await #expect(throws: RouteError.cancelled) { try await opening.value }
    try await wasCancelled.wait { $0 }
    #expect(navigator.state.count == 0 && host.updates.isEmpty && journal.events.isEmpty)
  }

  enum Way: CaseIterable, Sendable { case url, route, show }

  @Test("An aspect cannot open another screen while one opens", arguments: Way.allCases)
  func nested(way: Way) async throws {
    let opened = WaitableValue<(Mediator, Navigator)?>(nil)
    let (mediator, navigator) = try start([
      ScriptedAspect("Opening", .admission, journal) { screen, visit in
        guard visit.entry.url == "estate://home/2", let (mediator, navigator) = opened.value else {
          return .show(screen)
        }
        switch way {
        case .url: try await mediator.open("estate://home/3")
        case .route: try await mediator.call(DetailRoute(id: 3))
        case .show: try navigator.show(TextScreen("Third"), named: "third")
        }
        return .show(screen)
      }
    ])
    opened.update { $0 = (mediator, navigator) }
    try await mediator.open("estate://home/1")
    let error = await refusal(mediator)
    guard case .failed("Opening", let cause)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(cause)".contains("Aspect Opening navigates"))
    #expect(navigator.state.entries.map(\.name) == ["estate://home/1"])
    #expect(journal.lines.filter { $0.contains("prepares") }.count == 2)
  }

  @Test("A task that an aspect starts opens a screen after the answer")
  func afterwards() async throws {
    let opened = WaitableValue<Mediator?>(nil)
    let mayOpen = WaitableValue(false)
    let (mediator, navigator) = try start([
      ScriptedAspect("Opening", .admission, journal) { screen, visit in
        if visit.entry.url == "estate://home/1", let mediator = opened.value {
          Task {
            try await mayOpen.wait { $0 }
            try await mediator.open("estate://home/2")
          }
        }
        return .show(screen)
      }
    ])
    opened.update { $0 = mediator }
    try await mediator.open("estate://home/1")
    mayOpen.update { $0 = true }
    try await waitUntil("both are shown") { navigator.state.count == 2 }
  }

  @Test("Screens that an aspect opens in tasks of their own in order to decide are limited in number")
  func endless() async throws {
    let opened = WaitableValue<Mediator?>(nil)
    let (mediator, navigator) = try start([
      ScriptedAspect("Endless", .admission, journal) { screen, _ in
        if let mediator = opened.value {
          try await Task.detached { try await mediator.open("estate://home/1") }.value
        }
        return .show(screen)
      }
    ])
    opened.update { $0 = mediator }
    let error = await refusal(mediator)
    #expect(error.map { "\($0)" }?.contains("100 screens wait for aspects, which is the limit") == true)
    #expect(navigator.state.count == 0)
  }

  @Test("A veto of the first screen is a typed error that suggests a replacement", arguments: [false, true])
  func root(isReplacing: Bool) async throws {
    let (mediator, navigator) = try start([
      ScriptedAspect("Closing", .admission, journal) { screen, visit in
        visit.entry.url == "estate://home/2" ? .veto(NotLicensed()) : .show(screen)
      }
    ])
    if isReplacing { try await mediator.open("estate://home/1") }
    let error = await #expect(throws: RouteError.self) {
      try await mediator.open("estate://home/2", as: .root)
    }
    guard case .failed(ScreenAspectError.vetoed("Closing", _, let isRoot), _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(isRoot == !isReplacing)
    #expect("\(error.map { "\($0)" } ?? "")".contains("replace the screen") == !isReplacing)
    #expect(navigator.state.entries.map(\.name) == (isReplacing ? ["estate://home/1"] : []))
  }

  /// What is shown before a veto, and whether the user sees no screen after it.
  struct Root: Sendable {
    var commands: [NavigationCommand] = []
    var shown: [Presentation] = []
    let isRoot: Bool
  }

  @Test(
    "A veto says whether the user sees no other screen, which is so in an empty tab too",
    arguments: [
      Root(isRoot: true),
      Root(shown: [.push], isRoot: false),
      Root(shown: [.present], isRoot: false),
      Root(commands: [.select(tab: "b")], isRoot: true),
      Root(commands: [.select(tab: "b")], shown: [.push], isRoot: true),
      Root(commands: [.select(tab: "b"), .select(tab: "a")], shown: [.push], isRoot: false),
      Root(commands: [.select(tab: "a")], shown: [.tab("b")], isRoot: true),
      Root(commands: [.pop], shown: [.present], isRoot: true),
    ])
  func emptyTab(root: Root) async throws {
    let (mediator, navigator) = try start(
      [ScriptedAspect("Closing", .admission, journal) { _, _ in .veto(NotLicensed()) }], tabs: ["a", "b"])
    for style in root.shown { try navigator.show(TextScreen("Own"), named: "own", style: style) }
    for command in root.commands { try navigator.perform(command) }
    guard case .vetoed("Closing", _, let isRoot)? = await refusal(mediator) else {
      Issue.record("There is no veto.")
      return
    }
    #expect(isRoot == root.isRoot)
  }

  @Test("An aspect that receives an event can perform no command", arguments: ScreenEvent.Kind.allCases)
  func navigatingObserver(kind: ScreenEvent.Kind) async throws {
    let held = WaitableValue<Navigator?>(nil)
    var watching = ScriptedAspect("Watching", .observation, journal)
    watching.onEvent = { [journal] event in
      guard event.kind == kind, let navigator = held.value else { return }
      for attempt in 0..<2 {
        do {
          if attempt == 0 { try navigator.perform(.closeAll) }
          if attempt == 1 { try navigator.show(TextScreen("other"), named: "other") }
        } catch {
          journal.lines.append("error: \(error)")
        }
      }
    }
    let (mediator, navigator) = try start([watching])
    held.update { $0 = navigator }
    try await mediator.open("estate://home/1")
    try await mediator.open("estate://home/2")
    try navigator.perform(.pop)
    #expect(navigator.state.entries.map(\.name) == ["estate://home/1"])
    let errors = journal.lines.filter { $0.hasPrefix("error: ") }
    #expect(errors.count >= 2 && errors.allSatisfy { $0.contains("Aspect Watching navigates") })
  }

  @Test("A screen that an aspect ends while it receives an event leaves in order, once")
  func endingObserver() async throws {
    let handles = Handles()
    var ending = ScriptedAspect("Ending", .observation, journal)
    ending.onEvent = { event in
      if event.kind == .entered, event.visit.route == "PickRoute" { handles.picked.last?.finish("red") }
    }
    let navigator = Navigator(
      host: host, aspects: try ScreenAspects([ending, ScriptedAspect("Watching", .observation, journal)]))
    let mediator = try Mediator(
      schemes: ["estate"], modules: [HomeModule(handles: handles)],
      environment: RouteEnvironment(navigator: navigator))
    try await mediator.open("estate://home/1")
    #expect(try await mediator.call(PickRoute()) == "red")
    #expect(
      journal.lines.filter { $0.hasPrefix("Watching: ") } == [
        "Watching: 1 entered 0", "Watching: 1 covered 0", "Watching: pick entered 0",
        "Watching: pick left 0", "Watching: 1 uncovered 0",
      ])
    #expect(host.updates.last?.state == navigator.state && navigator.state.count == 1)
  }
}
