import Mediation
import Navigation

/// Screens that are shown and left, with and without aspects around them.
@MainActor struct ScreenTransitions {
  /// An aspect that decides and observes, and does as little as possible.
  private struct Counting: ScreenAspect {
    let name: String
    let stage = AspectStage.observation
    let events: EventCount

    func observe(_ event: ScreenEvent) { events.value += 1 }
  }

  @MainActor private final class EventCount {
    var value = 0
  }

  private struct PlainScreen: Screen {
    let title = "Screen"
  }

  private struct PlainRoute: ParameterlessRoute {
    static let pattern: RoutePattern = "api://screen"
  }

  private struct PlainModule: BusinessModule {
    let name = "Plain"
    func declare(into table: inout RouteTable) {
      table.screen(PlainRoute.self) { _, _ in PlainScreen() }
    }
  }

  /// The number of screens that stay open below the one that changes.
  private static let depth = 10
  private static let passes = 100

  private let navigator: Navigator
  private let mediator: Mediator
  private let events = EventCount()
  private let aspects: Int

  /// Opens the screens that stay.
  init(aspects: Int) throws {
    self.aspects = aspects
    navigator = Navigator(
      aspects: try ScreenAspects((0..<aspects).map { [events] in Counting(name: "\($0)", events: events) }))
    mediator = try Mediator(
      schemes: ["api"], modules: [PlainModule()], environment: RouteEnvironment(navigator: navigator))
    for _ in 0..<Self.depth { try navigator.show(PlainScreen(), named: "below") }
    events.value = 0
  }

  /// Returns the time of one transition, in nanoseconds, of a screen that is shown and left again.
  func transition() throws -> Double {
    try Stopwatch.nanoseconds(2 * Self.passes, rounds: 1) {
      for _ in 0..<Self.passes {
        try navigator.show(PlainScreen(), named: "screen")
        try navigator.perform(.pop)
      }
    }
  }

  /// Returns the time, in nanoseconds, of opening a screen by its URL, which aspects decide about, and
  /// leaving it.
  func opening() async throws -> Double {
    try await Stopwatch.nanoseconds(Self.passes) {
      for _ in 0..<Self.passes {
        try await mediator.open("api://screen")
        try navigator.perform(.pop)
      }
    }
  }

  /// Whether each aspect has received every event: of the screen below and of the one that changes, twice two
  /// for each time.
  func isComplete(after rounds: Int) -> Bool { events.value == rounds * 2 * Self.passes * 4 * aspects }
}
