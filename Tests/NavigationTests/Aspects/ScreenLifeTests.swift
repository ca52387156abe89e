import Mediation
import Navigation
import SwitchyardTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct ScreenLifeTests {
  let host = RecordingHost()
  let journal = AspectJournal()
  let clock = TestClock()
  let navigator: Navigator
  let mediator: Mediator
  let handles = Handles()

  init() throws {
    navigator = Navigator(
      host: host, state: try NavigationState(tabs: ["a", "b"]),
      aspects: try ScreenAspects([ScriptedAspect("Watching", .observation, journal)], clock: clock))
    mediator = try Mediator(
      schemes: ["estate"], hosts: ["estate.example"], modules: [HomeModule(handles: handles), VillaModule()],
      environment: RouteEnvironment(navigator: navigator),
      web: .screen { url, _ in TextScreen("Page", [url.text]) })
  }

  /// The events since the last call.
  private func events() -> [String] {
    defer { journal.events = [] }
    return journal.events.map(\.words)
  }

  @Test("J2: A screen is entered, covered, uncovered and left once each time, with its time on screen")
  func life() async throws {
    try await mediator.open("estate://home/1")
    clock.advance(by: .seconds(2))
    // A sheet.
    try await mediator.open("estate://home/2", as: .present)
    clock.advance(by: .seconds(3))
    #expect(events() == ["1 entered 0", "1 covered 2", "2 entered 0"])
    // The host reports that it was dragged away.
    try navigator.perform(.dismiss)
    #expect(events() == ["2 left 3", "1 uncovered 2"])
    clock.advance(by: .seconds(5))
    try navigator.perform(.select(tab: "b"))
    clock.advance(by: .seconds(100))
    try navigator.perform(.select(tab: "a"))
    #expect(events() == ["1 covered 7", "1 uncovered 7"])
    try navigator.perform(.closeAll)
    #expect(events() == ["1 left 7"])
  }

  @Test("J2: Replaced, dropped and unshown screens: those that were entered leave, and no others")
  func replacedAndDropped() async throws {
    try await mediator.open("estate://home/1")
    clock.advance(by: .seconds(2))
    try await mediator.open("estate://home/2", as: .replace)
    #expect(events() == ["1 entered 0", "1 left 2", "2 entered 0"])
    clock.advance(by: .seconds(3))
    // A call that ends before its screen is shown.
    handles.immediate = "at once"
    _ = try await mediator.call(PickRoute())
    handles.immediate = nil
    #expect(events() == [])
    // A caller that is cancelled drops its screen.
    let call = Task { try await mediator.call(PickRoute()) }
    try await waitUntil("the screen is shown") { navigator.state.modals.count == 1 }
    clock.advance(by: .seconds(4))
    call.cancel()
    _ = await call.result
    #expect(events() == ["2 covered 3", "pick entered 0", "pick left 4", "2 uncovered 3"])
    clock.advance(by: .seconds(1))
    // A command that fails has no events.
    #expect(throws: NavigationError.nothingBelow) { try navigator.perform(.pop) }
    await #expect(throws: RouteError.self) { try await mediator.open("estate://home/3", as: .tab("x")) }
    #expect(events() == [])
    try await mediator.open("https://news.example/")
    clock.advance(by: .seconds(5))
    try navigator.show(TextScreen("Own"), named: "own")
    clock.advance(by: .seconds(6))
    try await mediator.open("estate://home/4", as: .root)
    #expect(
      events() == [
        "2 covered 4", "news.example entered 0", "news.example covered 5", "own entered 0", "own left 6",
        "news.example left 5", "2 left 4", "4 entered 0",
      ])
    clock.advance(by: .seconds(7))
    try navigator.perform(.closeAll)
    #expect(events() == ["4 left 7"])
  }

  @Test(
    "J2: Restored screens, and those below a screen that a link opens, are entered from the bottom up and are covered"
  )
  func restored() async throws {
    for number in 1...2 { try await mediator.open("estate://home/\(number)") }
    try await mediator.open("estate://home/3", as: .present)
    let saved = navigator.snapshot()
    try navigator.perform(.closeAll)
    _ = events()
    _ = try await navigator.restore(saved, through: mediator)
    #expect(journal.events.allSatisfy { $0.visit.isRestored })
    clock.advance(by: .seconds(4))
    #expect(
      events() == ["1 entered 0", "1 covered 0", "2 entered 0", "2 covered 0", "3 entered 0"])
    try navigator.perform(.dismiss)
    clock.advance(by: .seconds(2))
    try navigator.perform(.closeAll)
    #expect(events() == ["3 left 4", "2 uncovered 0", "2 left 2", "1 left 0"])

    // Beneath what was opened meanwhile; what was presented would cover it, and is dropped.
    try await mediator.open("estate://home/9")
    clock.advance(by: .seconds(3))
    _ = try await navigator.restore(saved, through: mediator)
    clock.advance(by: .seconds(1))
    #expect(
      events() == ["9 entered 0", "1 entered 0", "1 covered 0", "2 entered 0", "2 covered 0"])
    try navigator.perform(.pop)
    clock.advance(by: .seconds(5))
    try navigator.perform(.closeAll)
    #expect(events() == ["9 left 4", "2 uncovered 0", "2 left 5", "1 left 0"])

    try await mediator.receive("estate://home/Docks/7", from: .push)
    #expect(!journal.events.contains { $0.visit.isRestored })
    #expect(
      events() == [
        "home entered 0", "home covered 0", "Docks entered 0", "Docks covered 0", "7 entered 0",
      ])
  }

  @Test("J2: Restored screens of other tabs are entered before those of the selected one")
  func restoredTabs() async throws {
    for number in 1...2 { try await mediator.open("estate://home/\(number)") }
    try await mediator.open("estate://home/5", as: .tab("b"))
    try navigator.perform(.select(tab: "a"))
    let saved = navigator.snapshot()
    try navigator.perform(.closeAll)
    _ = events()
    _ = try await navigator.restore(saved, through: mediator)
    clock.advance(by: .seconds(2))
    try navigator.perform(.select(tab: "b"))
    #expect(
      events() == [
        "5 entered 0", "5 covered 0", "1 entered 0", "1 covered 0", "2 entered 0", "2 covered 2",
        "5 uncovered 0",
      ])
  }

  @Test("J2: Time in the background does not count, and the host calls nothing for it")
  func background() async throws {
    try await mediator.open("estate://home/1")
    clock.advance(by: .seconds(2))
    await mediator.deliver(.background)
    clock.advance(by: .seconds(60))
    await mediator.deliver(.background)
    await mediator.deliver(.memoryWarning)
    clock.advance(by: .seconds(60))
    await mediator.deliver(.foreground)
    clock.advance(by: .seconds(3))
    // Neither rendering again nor another host is an event.
    navigator.detach()
    navigator.attach(host)
    try navigator.perform(.closeAll)
    #expect(events() == ["1 entered 0", "1 left 5"])
  }

  @Test("A life-cycle event stops the time although a listener of an earlier event does not return")
  func busyListener() async throws {
    let started = WaitableValue(false)
    let release = WaitableValue(false)
    struct Busy: BusinessModule {
      let name = "Busy"
      let started: WaitableValue<Bool>
      let release: WaitableValue<Bool>
      func declare(into table: inout RouteTable) {
        table.on(.foreground) { [started, release] _, _ in
          started.update { $0 = true }
          try await release.wait { $0 }
        }
      }
    }
    let busy = try Mediator(
      schemes: ["estate"],
      modules: [Busy(started: started, release: release), HomeModule(handles: handles)],
      environment: RouteEnvironment(navigator: navigator))
    try await busy.open("estate://home/1")
    let first = Task { await busy.deliver(.foreground) }
    try await started.wait { $0 }
    let second = Task { await busy.deliver(.background) }
    try await waitUntil("the background is known") { !navigator.isInForeground }
    clock.advance(by: .seconds(60))
    release.update { $0 = true }
    _ = await (first.value, second.value)
    try navigator.perform(.closeAll)
    #expect(events() == ["1 entered 0", "1 left 0"])
  }

  @Test("Commands of a host during a render have their events in order")
  func nestedCommands() async throws {
    host.onRender = { [navigator] update in
      if case .presented? = update.changes.last { try? navigator.perform(.dismiss) }
    }
    try await mediator.open("estate://home/1")
    // The screen was shown, and left before the opening ended.
    await #expect(throws: RouteError.self) { try await mediator.open("estate://home/2", as: .present) }
    #expect(events() == ["1 entered 0", "1 covered 0", "2 entered 0", "2 left 0", "1 uncovered 0"])
  }

  @MainActor private final class MadeScreen {
    weak var screen: TextScreen?
  }

  private struct WeakModule: BusinessModule {
    let name = "Weak"
    let made: MadeScreen
    func declare(into table: inout RouteTable) {
      table.screen(at: "estate://weak") { [made] _ in
        let screen = TextScreen("weak")
        made.screen = screen
        return screen
      }
    }
  }

  @Test("A screen that aspects have decided about is released when it is left, and its cover with it")
  func released() async throws {
    let made = MadeScreen()
    let cover = MadeScreen()
    let navigator = Navigator(
      host: host,
      aspects: try ScreenAspects([
        PrivacyCover { _ in
          let screen = TextScreen("cover")
          cover.screen = screen
          return screen
        },
        ScriptedAspect("Watching", .observation, journal),
      ]))
    let weakly = try Mediator(
      schemes: ["estate"], modules: [WeakModule(made: made)],
      environment: RouteEnvironment(navigator: navigator))
    await weakly.deliver(.background)
    try await weakly.open("estate://weak")
    #expect(made.screen != nil && cover.screen != nil)
    #expect(navigator.state.top.flatMap { navigator.screen($0.id) }?.title == "cover")
    try navigator.perform(.closeAll)
    host.updates = []
    try await waitUntil("both are released") { made.screen == nil && cover.screen == nil }
  }
}
