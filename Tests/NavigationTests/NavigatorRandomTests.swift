import Mediation
import MediationFixtures
import Navigation
import SwitchyardTesting
import Testing

private enum Outcome: Equatable {
  case value(Int)
  case dismissed
  case cancelled
  case other(String)
}

private struct AskRoute: NativeRoute {
  typealias Output = Int
  let number: Int
}

@MainActor private final class Desk {
  var handles: [Int: ScreenHandle<Int>] = [:]
  var screens = Weak()

  final class Weak {
    private var all: [() -> TextScreen?] = []
    func note(_ screen: TextScreen) { all.append { [weak screen] in screen } }
    var alive: Int { all.count { $0() != nil } }
    var made: Int { all.count }
  }
}

private struct DeskModule: BusinessModule {
  let name = "Desk"
  let desk: Desk

  func declare(into table: inout RouteTable) {
    table.screen(AskRoute.self, style: .present) { [desk] route, _, handle in
      desk.handles[route.number] = handle
      // Some screens take time to make.
      if route.number % 3 == 0 { await Task.yield() }
      let screen = TextScreen("Ask \(route.number)")
      desk.screens.note(screen)
      return screen
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(5))) struct NavigatorRandomTests {
  @Test(
    "F19: Under random commands every waiting caller resumes once and no screen is leaked",
    arguments: 0..<25)
  func everyCallerOnce(seed: Int) async throws {
    var generator = SeededRandom(seed: UInt64(seed))
    let host = RecordingHost()
    let navigator = Navigator(host: host, state: try NavigationState(tabs: ["a", "b"]))
    let desk = Desk()
    let mediator = try Mediator(
      schemes: ["estate"], modules: [DeskModule(desk: desk)],
      environment: RouteEnvironment(navigator: navigator))
    var calls: [Task<Outcome, Never>] = []
    var counted: [Int: Int] = [:]
    let styles: [Presentation] = [.push, .push, .present, .replace, .root, .tab("b")]
    for _ in 0..<120 {
      switch generator.below(10) {
      case 0...4:
        let route = AskRoute(number: calls.count)
        let style = styles[generator.below(styles.count)]
        calls.append(
          Task {
            await Self.outcome { () async throws(RouteError) in try await mediator.call(route, as: style) }
          })
      case 5 where !calls.isEmpty: calls[generator.below(calls.count)].cancel()
      case 6, 7:
        guard !calls.isEmpty else { continue }
        let number = generator.below(calls.count)
        let isOpen = desk.handles[number]?.isOpen
        let hasCounted = desk.handles[number]?.finish(number * 10)
        #expect(isOpen == hasCounted)
        if hasCounted == true {
          #expect(counted.updateValue(number * 10, forKey: number) == nil, "finished twice")
        }
      case 8:
        if let entry = navigator.state.entries.randomElement(using: &generator) {
          try navigator.perform(generator.below(2) == 0 ? .close(entry.id) : .reveal(entry.id))
        }
      default:
        let commands: [NavigationCommand] = [
          .pop, .dismiss, .popToRoot, .select(tab: "a"), .select(tab: "b"), .dismissAll,
        ]
        try? navigator.perform(commands[generator.below(commands.count)])
      }
      for _ in 0..<generator.below(4) { await Task.yield() }
      #expect(navigator.state.entries.allSatisfy { navigator.screen($0.id) != nil })
    }
    // Some screens are still being made; each is closed until every caller has resumed.
    let all = calls
    var isOver = false
    let end = Task {
      for call in all { _ = await call.value }
      isOver = true
    }
    try await waitUntil("all calls have ended") {
      if !isOver { try navigator.perform(.closeAll) }
      return isOver
    }
    await end.value
    for (number, call) in calls.enumerated() {
      let outcome = await call.value
      if let value = counted[number] {
        #expect(outcome == .value(value))
      } else {
        #expect(outcome == .dismissed || (outcome == .cancelled && call.isCancelled), "\(number): \(outcome)")
      }
    }
    #expect(navigator.state.count == 0)
    #expect(desk.screens.made > 20)
    #expect(desk.screens.alive == 0)
    #expect(desk.handles.values.allSatisfy { !$0.isOpen && !$0.finish(0) })
  }

  private static func outcome(_ call: () async throws(RouteError) -> Int) async -> Outcome {
    do throws(RouteError) {
      return .value(try await call())
    } catch {
      switch error {
      case .dismissed: return .dismissed
      case .cancelled: return .cancelled
      default: return .other("\(error)")
      }
    }
  }
}
