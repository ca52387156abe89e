import Mediation
import Navigation
import SwitchyardTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct ScreenAspectTests {
  let host = RecordingHost()
  let journal = AspectJournal()

  private func start(
    _ aspects: [any ScreenAspect], modules: [any BusinessModule] = [], tabs: [String] = [],
    observers: [any RouteObserver] = []
  ) throws -> (mediator: Mediator, navigator: Navigator) {
    let navigator = Navigator(
      host: host, state: try NavigationState(tabs: tabs), aspects: try ScreenAspects(aspects))
    let mediator = try Mediator(
      schemes: ["estate"], hosts: ["estate.example"], modules: [HomeModule(handles: Handles())] + modules,
      observers: observers, environment: RouteEnvironment(navigator: navigator),
      web: .screen { url, _ in TextScreen("Page", [url.text]) })
    return (mediator, navigator)
  }

  private func decorating(_ name: String, _ stage: AspectStage) -> ScriptedAspect {
    ScriptedAspect(name, stage, journal) { screen, _ in .show(TextScreen("\(name)(\(screen.title))")) }
  }

  @Test(
    "J1: Aspects that are listed once decorate, replace and veto screens of a module that does not know of them, in the order of their stages"
  )
  func inOrder() async throws {
    let replacing = ScriptedAspect("Replacing", .admission, journal) { screen, visit in
      switch visit.entry.url {
      case "estate://home/2": .show(TextScreen("Closed"))
      case "estate://home/3": .veto(NotLicensed())
      default: .show(screen)
      }
    }
    let (mediator, navigator) = try start([
      replacing, decorating("Tinted", .appearance), decorating("Banner", .decoration),
      ScriptedAspect("Watching", .observation, journal),
    ])
    try await mediator.open("estate://home/1")
    #expect(host.updates.last?.topScreen?.title == "Banner(Tinted(House 1))")
    #expect(
      journal.lines == [
        "Replacing prepares House 1", "Tinted prepares House 1", "Banner prepares Tinted(House 1)",
        "Watching prepares Banner(Tinted(House 1))", "Replacing: 1 entered 0", "Tinted: 1 entered 0",
        "Banner: 1 entered 0", "Watching: 1 entered 0",
      ])
    try await mediator.open("estate://home/2")
    #expect(host.updates.last?.topScreen?.title == "Banner(Tinted(Closed))")

    journal.lines = []
    let error = await #expect(throws: RouteError.self) { try await mediator.open("estate://home/3") }
    guard case .failed(ScreenAspectError.vetoed("Replacing", let reason, isRoot: false), _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason as? NotLicensed == NotLicensed())
    // Later aspects are not asked, and what was shown stays.
    #expect(journal.lines == ["Replacing prepares House 3"])
    #expect(navigator.state.entries.map(\.name) == ["estate://home/1", "estate://home/2"])
    #expect(host.updates.count == 2)
  }

  struct Order: Sendable {
    let stages: [AspectStage]
    let words: [String]
  }

  @Test(
    "J1: A wrong order and a repeated aspect are faults at startup, with the names and the remedy",
    arguments: [
      Order(
        stages: [.decoration, .admission],
        words: [
          "Aspect 1 (admission, 100) is listed after 0 (decoration, 500); move it before 0.",
          "The right order: 1, 0.",
        ]),
      Order(
        stages: [.observation, .privacy, .appearance],
        words: [
          "Aspect 1 (privacy, 700) is listed after 0 (observation, 900); move it before 0.",
          "Aspect 2 (appearance, 300) is listed after 0 (observation, 900); move it before 0.",
          "The right order: 2, 1, 0.",
        ]),
      Order(
        stages: [AspectStage(rank: 950, name: "last"), .observation],
        words: ["Aspect 1 (observation, 900) is listed after 0 (last, 950); move it before 0."]),
    ])
  func wrongOrder(order: Order) throws {
    let issue = try #require(throws: ScreenAspectIssue.self) {
      try ScreenAspects(order.stages.enumerated().map { ScriptedAspect("\($0)", $1, journal) })
    }
    for words in order.words { #expect(issue.description.contains(words)) }
  }

  @Test("An aspect that is listed twice for the same screens is a fault; with limits of their own it is none")
  func repeated() throws {
    let aspect = ScriptedAspect("Same", .decoration, journal)
    let issue = #expect(throws: ScreenAspectIssue.self) { try ScreenAspects([aspect, aspect]) }
    #expect(issue?.faults == [.repeated("Same", count: 2)])
    #expect(issue?.description.contains("only(for:)") == true)
    #expect(throws: ScreenAspectIssue.self) {
      try ScreenAspects([aspect.only(for: .module("A")), aspect.only(for: .module("A"))])
    }
    #expect(throws: ScreenAspectIssue.self) {
      try ScreenAspects([aspect.only(for: .route(PickRoute.self)), aspect])
    }
    _ = try ScreenAspects([aspect.only(for: .module("A")), aspect.only(for: .module("B"))])
    _ = try ScreenAspects([aspect, ScriptedAspect("Other", .decoration, journal)])
    _ = try ScreenAspects([])
  }

  /// The limits of aspects of one name, and the counts of the faults.
  struct Repetition: Sendable {
    let limits: [[ScreenScope]]
    let counts: [Int]
  }

  private nonisolated static let a = ScreenScope.module("A")
  private nonisolated static let b = ScreenScope.module("B")
  private nonisolated static let pick = ScreenScope.route(PickRoute.self)
  private nonisolated static let restored = ScreenScope.where { $0.isRestored }

  @Test(
    "A repeated aspect is reported once for the same screens, with the number of aspects that apply to them",
    arguments: [
      Repetition(limits: [[], []], counts: [2]),
      Repetition(limits: [[], [], []], counts: [3]),
      Repetition(limits: [[a], [b], [b]], counts: [2]),
      Repetition(limits: [[a], [a], [b]], counts: [2]),
      Repetition(limits: [[a], [b], [a]], counts: [2]),
      Repetition(limits: [[a], [b], [pick], [b], [b]], counts: [3]),
      Repetition(limits: [[a], [a], [b], [b]], counts: [2, 2]),
      Repetition(limits: [[a], [b], []], counts: [2, 2]),
      Repetition(limits: [[], [a], [a]], counts: [3]),
      Repetition(limits: [[a], [a], []], counts: [3]),
      Repetition(limits: [[], [a], [a, pick]], counts: [3]),
      Repetition(limits: [[a, pick], [pick, a]], counts: [2]),
      Repetition(limits: [[a, pick], [b, pick], [b, pick]], counts: [2]),
      Repetition(limits: [[restored], [b], []], counts: [2, 2]),
      Repetition(limits: [[a], [b], [pick], [a, restored], [b, pick]], counts: [2, 3]),
      // What is not known to overlap is no fault.
      Repetition(limits: [[a], [b]], counts: []),
      Repetition(limits: [[a], [pick]], counts: []),
      Repetition(limits: [[restored], [restored]], counts: []),
    ])
  func repetitions(repetition: Repetition) {
    let aspects = repetition.limits.map { scopes in
      let same: any ScreenAspect = ScriptedAspect("Same", .decoration, journal)
      return scopes.reduce(same) { $0.only(for: $1) }
    }
    var faults: [ScreenAspectIssue.Fault] = []
    do { _ = try ScreenAspects(aspects) } catch { faults = error.faults }
    #expect(faults == repetition.counts.map { .repeated("Same", count: $0) })
  }

  @Test(
    "An aspect that is limited to a module or a route that is not declared is a fault of the table",
    arguments: [
      (ScreenScope.module("Hoem"), "limited to the screens of module \"Hoem\", and sees only those of Home;"),
      (
        .route(RootRoute.self),
        "limited to the screens of RootRoute, which none of these modules declares: Home;"
      ),
    ])
  func unknownScope(scope: ScreenScope, words: String) throws {
    let issue = try #require(throws: RouteTableIssue.self) {
      try start([ScriptedAspect("Tinted", .appearance, journal).only(for: scope)])
    }
    #expect(issue.faults.count == 1)
    #expect(issue.description.contains("Aspect Tinted is \(words)"))
  }

  @Test(
    "Without time to decide no screen could be shown, which is a fault",
    arguments: [Duration.zero, .seconds(-1)])
  func noTime(limit: Duration) {
    let issue = #expect(throws: ScreenAspectIssue.self) { try ScreenAspects([], limit: limit) }
    #expect(issue?.faults == [.limit(limit)])
  }

  @Test(
    "An aspect applies to the screens of its scope and to no others",
    arguments: [
      (ScreenScope.module("Home"), ["House 1", "Pick"]), (.module("Villas"), ["Home"]),
      (.route(DetailRoute.self), ["House 1"]), (.route(PickRoute.self), ["Pick"]),
      (.where { $0.module == nil }, ["Page"]), (.where { $0.entry.url == nil }, []),
      (.where { _ in true }, ["House 1", "Pick", "Home", "Page"]),
    ])
  func scopes(scope: ScreenScope, titles: [String]) async throws {
    let (mediator, navigator) = try start(
      [ScriptedAspect("Limited", .decoration, journal).only(for: scope)], modules: [VillaModule()])
    for url in ["estate://home/1", "estate://pick", "estate://home", "https://news.example/"] {
      try await mediator.open(url)
    }
    #expect(
      journal.lines.filter { $0.contains("prepares") } == titles.map { "Limited prepares \($0)" })
    try navigator.perform(.closeAll)
    // Each of them has been entered and left.
    #expect(journal.events.filter { $0.kind == .entered }.count == titles.count)
    #expect(journal.events.filter { $0.kind == .left }.count == titles.count)
  }

  @Test("Two limits apply together")
  func twoLimits() async throws {
    let aspect = ScriptedAspect("Limited", .decoration, journal)
      .only(for: .route(DetailRoute.self)).only(for: .where { $0.entry.url == "estate://home/2" })
    let (mediator, _) = try start([aspect])
    for url in ["estate://home/1", "estate://home/2", "estate://pick"] { try await mediator.open(url) }
    #expect(journal.lines.filter { $0.contains("prepares") } == ["Limited prepares House 2"])
  }

  @Test("An aspect knows the route, the module and the opener of a screen, without their parameters")
  func visit() async throws {
    struct AskRoute: NativeRoute {}
    struct Asking: BusinessModule {
      let name = "Asking"
      func declare(into table: inout RouteTable) {
        table.screen(AskRoute.self) { _, context, _ in
          try await context.open("estate://home/7?secret=1")
          return TextScreen("Ask")
        }
        table.screen(at: "estate://help/{topic}") { request in
          try await request.context.open("estate://pick")
          return TextScreen("Help")
        }
      }
    }
    let (mediator, _) = try start([ScriptedAspect("Watching", .observation, journal)], modules: [Asking()])
    try await mediator.call(AskRoute())
    try await mediator.open("estate://help/loans?secret=2")
    try await mediator.open("https://news.example/?secret=3")
    let visits = journal.events.filter { $0.kind == .entered }.map(\.visit)
    #expect(visits.map(\.route) == ["DetailRoute", "AskRoute", "PickRoute", "estate://help/{topic}", nil])
    #expect(visits.map(\.module) == ["Home", "Asking", "Home", "Asking", nil])
    #expect(visits.map(\.openerRoute) == ["AskRoute", nil, "estate://help/{topic}", nil, nil])
    #expect(visits[0].entry.opener == "AskRoute" && visits[0].entry.url == "estate://home/7?secret=1")
  }

  @Test("A screen that exists once is found again although an aspect decorates or replaces it")
  func instance() async throws {
    let (mediator, navigator) = try start([decorating("Banner", .decoration)], modules: [VillaModule()])
    try await mediator.open("estate://video")
    try await mediator.open("estate://home/1")
    try await mediator.open("estate://video")
    #expect(navigator.state.entries.map(\.name) == ["estate://video"])
    #expect(host.updates.last?.topScreen?.title == "Banner(Video)")
  }

  /// Records of each vetoed screen whether it was called the only one.
  private final class VetoRecorder: RouteObserver {
    let areRoots = WaitableValue<[Bool]>([])
    func observe(_ event: RouteEvent) {
      if case .failed(_, _, _, .failed(ScreenAspectError.vetoed(_, _, let isRoot), _)) = event {
        areRoots.update { $0.append(isRoot) }
      }
    }
  }

  @Test("A parent that an aspect vetoes is left out, and the link's own screen is shown")
  func parent() async throws {
    let closing = ScriptedAspect("Closing", .admission, journal) { screen, _ in
      screen.title == "Docks" ? .veto(NotLicensed()) : .show(screen)
    }
    let recorder = VetoRecorder()
    let (mediator, navigator) = try start([closing], modules: [VillaModule()], observers: [recorder])
    try await mediator.receive("estate://home/Docks/7", from: .push)
    // The user sees the link's own screen.
    #expect(recorder.areRoots.value == [false])
    #expect(navigator.state.entries.map(\.name) == ["estate://home", "estate://home/Docks/7"])
  }

  @Test(
    "A vetoed screen of a saved navigation is reported, and the others are restored; none is called the only one",
    arguments: [[2], [1], [3], [1, 2, 3]])
  func restoring(vetoed: [Int]) async throws {
    let (mediator, navigator) = try start([])
    for number in 1...3 { try await mediator.open("estate://home/\(number)") }
    let saved = navigator.snapshot()
    let closing = ScriptedAspect("Closing", .admission, journal) { screen, visit in
      visit.isRestored && vetoed.contains { screen.title == "House \($0)" }
        ? .veto(NotLicensed()) : .show(screen)
    }
    let (other, restored) = try start([closing])
    let result = try await restored.restore(saved, through: other)
    let names = (1...3).filter { !vetoed.contains($0) }.map { "estate://home/\($0)" }
    #expect(result.restored.map(\.name) == names)
    #expect(result.faults.map(\.name) == vetoed.map { "estate://home/\($0)" })
    #expect(result.faults.allSatisfy { $0.description.hasSuffix("There is no license.") })
    #expect(restored.state.entries.map(\.name) == names)
  }
}
