import Mediation
import Navigation
import SwitchyardTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct ShippedAspectsTests {
  private struct TintedScreen: TintableScreen {
    let title: String
    var tint: String?
  }

  private protocol TintableScreen: Screen {
    var tint: String? { get set }
  }

  private struct LoansModule: BusinessModule {
    let name = "Loans"
    func declare(into table: inout RouteTable) {
      table.screen(at: "estate://loans/{tint?}") { request in
        TintedScreen(title: "Loans", tint: request.params["tint"])
      }
    }
  }

  let host = RecordingHost()
  let clock = TestClock()

  private func start(_ aspects: [any ScreenAspect]) throws -> (mediator: Mediator, navigator: Navigator) {
    let navigator = Navigator(host: host, aspects: try ScreenAspects(aspects, clock: clock))
    let mediator = try Mediator(
      schemes: ["estate"], modules: [HomeModule(handles: Handles()), LoansModule()],
      environment: RouteEnvironment(navigator: navigator),
      web: .screen { url, _ in TextScreen("Page", [url.text]) })
    return (mediator, navigator)
  }

  @Test("Statistics have each event with its route, module and opener, its milliseconds, and no parameter")
  func statistics() async throws {
    let recorded = WaitableValue<[ScreenStatistics.Entry]>([])
    let (mediator, navigator) = try start([ScreenStatistics { entry in recorded.update { $0.append(entry) } }]
    )
    try await mediator.open("estate://home/42?secret=1")
    clock.advance(by: .milliseconds(1_250))
    try await mediator.open("https://news.example/?secret=2")
    clock.advance(by: .seconds(2))
    try navigator.perform(.pop)
    clock.advance(by: .milliseconds(250))
    try navigator.perform(.closeAll)
    let entries = recorded.value
    #expect(
      entries.map { "\($0.name) \($0.route ?? "-") \($0.module ?? "-") \($0.milliseconds)" } == [
        "screen.entered DetailRoute Home 0", "screen.covered DetailRoute Home 1250",
        "screen.entered - - 0", "screen.left - - 2000", "screen.uncovered DetailRoute Home 1250",
        "screen.left DetailRoute Home 1500",
      ])
    #expect(!"\(entries)".contains("secret") && !"\(entries)".contains("42"))
    // Each visit once, whatever comes in between.
    #expect(entries.filter { $0.kind == .entered }.count == 2)
  }

  @Test("A module that is switched off gets a banner on its screens, and the others get none")
  func banner() async throws {
    let switchedOff = WaitableValue<Set<String>>(["Loans"])
    let (mediator, navigator) = try start([
      SwitchedOffBanner { module in
        switchedOff.value.contains(module) ? "\(module) is switched off." : nil
      } decorating: { screen, sentence in
        TextScreen(screen.title, [sentence])
      }
    ])
    try await mediator.open("estate://loans/teal")
    #expect(host.page == ["Loans is switched off."])
    try await mediator.open("estate://home/1")
    #expect(host.page == ["house 1"])
    try await mediator.open("https://news.example/")
    #expect(host.page == ["https://news.example/"])
    switchedOff.update { $0 = [] }
    try await mediator.open("estate://loans/teal")
    #expect(navigator.state.top.flatMap { navigator.screen($0.id) } is TintedScreen)
  }

  @Test("In the background the cover stands in for the screens of its scope, and the host calls nothing new")
  func cover() async throws {
    let (mediator, navigator) = try start([
      PrivacyCover { visit in TextScreen("Cover of \(visit.route ?? "a page")") }
        .only(for: .module("Home"))
    ])
    try await mediator.open("https://news.example/")
    try await mediator.open("estate://home/1")
    let titles = { navigator.state.entries.map { navigator.screen($0.id)?.title ?? "" } }
    let renders = host.updates.count
    await mediator.deliver(.background)
    #expect(host.updates.last?.topScreen?.title == "Cover of DetailRoute")
    #expect(titles() == ["Page", "Cover of DetailRoute"])
    // What is opened in the background is covered too.
    try await mediator.open("estate://home/2")
    #expect(titles() == ["Page", "Cover of DetailRoute", "Cover of DetailRoute"])
    await mediator.deliver(.foreground)
    #expect(host.updates.last?.topScreen?.title == "House 2")
    #expect(titles() == ["Page", "House 1", "House 2"])
    #expect(host.updates.count == renders + 3)
    // Without a cover there is nothing to render.
    try navigator.perform(.popToRoot)
    let others = host.updates.count
    await mediator.deliver(.background)
    await mediator.deliver(.foreground)
    #expect(host.updates.count == others)
  }

  @Test("Defaults of the appearance apply to screens of their type, values and existentials alike")
  func appearance() async throws {
    let (mediator, navigator) = try start([
      AppearanceDefaults(for: (any TintableScreen).self) { $0.tint = $0.tint ?? "teal" },
      AppearanceDefaults(for: TextScreen.self) { $0 = TextScreen($0.title + "!") },
    ])
    func tint() -> String? {
      (navigator.state.top.flatMap { navigator.screen($0.id) } as? any TintableScreen)?.tint
    }
    try await mediator.open("estate://loans")
    #expect(tint() == "teal")
    try await mediator.open("estate://loans/red")
    #expect(tint() == "red")
    try await mediator.open("estate://home/1")
    #expect(host.updates.last?.topScreen?.title == "House 1!")
  }
}
