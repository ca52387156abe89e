import HTTPTypes
import Switchyard
import SwitchyardTesting
import Testing

private struct Forecast: API {
  static let endpoint = Endpoint<NoParams>(
    Service("weather", at: ServiceAddress(authority: "weather.example")), "forecast", path: "/forecast")
}

private struct Homes: API {
  static let endpoint = Endpoint<NoParams>(
    Service("homes", at: ServiceAddress(authority: "homes.example")), "homes", path: "/homes")
}

private struct PlainScreen: Screen {
  let title: String
}

private struct ForecastRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://forecast"
}

private struct HomesRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://homes"
}

/// Adds its name to a header field.
private func stamp(_ text: String, _ stage: Stage) -> InlineInterceptor {
  InlineInterceptor(text, stage: stage) { request, next in
    var request = request
    request.head.headerFields[.userAgent] = (request.head.headerFields[.userAgent] ?? "") + text + ","
    return try await next.dispatch(request)
  }
}

/// Adds a word to the title of each screen.
private struct Adding: ScreenAspect {
  let name: String
  var stage = AspectStage.decoration
  let journal: WaitableValue<[String]>

  func prepare(_ screen: any Screen, for visit: ScreenVisit) async throws -> ScreenVerdict {
    .show(PlainScreen(title: "\(name)(\(screen.title))"))
  }

  func observe(_ event: ScreenEvent) {
    journal.update { $0.append("\(name): \(event.visit.route ?? "-") \(event.kind)") }
  }
}

/// A module with an interceptor for its service and aspects for its screens.
private struct WeatherModule: BusinessModule {
  let name = "Weather"
  let client: APIClient
  let aspects: [Adding]

  init(client: APIClient, aspects: [Adding]) throws(PipelineIssue) {
    self.client = try client.inserting {
      stamp("module", .signing).only(for: .service("weather"))
    }
    self.aspects = aspects
  }

  func declare(into table: inout RouteTable) {
    for aspect in aspects { table.aspect(aspect) }
    table.screen(ForecastRoute.self) { [client] _, _ in
      _ = try await client.load(Forecast())
      // The API of another service, through the same client.
      _ = try await client.load(Homes())
      return PlainScreen(title: "Forecast")
    }
  }
}

private struct HomesModule: BusinessModule {
  let name = "Homes"
  let client: APIClient

  func declare(into table: inout RouteTable) {
    table.screen(HomesRoute.self) { [client] _, _ in
      _ = try await client.load(Homes())
      _ = try await client.load(Forecast())
      return PlainScreen(title: "Homes")
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(5))) struct ModuleContributionTests {
  private let dispatcher = ScriptedDispatcher()
  private let journal = WaitableValue<[String]>([])

  private func start(
    _ aspects: [Adding], app: [Adding] = []
  ) throws -> (mediator: Mediator, navigator: Navigator) {
    let pipeline = try Pipeline(over: dispatcher) {
      stamp("app signing", .signing)
      stamp("app logging", .logging)
    }
    let client = APIClient(dispatcher: pipeline)
    let navigator = Navigator(aspects: try ScreenAspects(app))
    let mediator = try Mediator(
      schemes: ["estate"],
      modules: [try WeatherModule(client: client, aspects: aspects), HomesModule(client: client)],
      environment: RouteEnvironment(navigator: navigator), web: .screen { _, _ in PlainScreen(title: "Page") }
    )
    return (mediator, navigator)
  }

  private func title(_ navigator: Navigator) -> String? {
    navigator.state.top.flatMap { navigator.screen($0.id) }?.title
  }

  @Test(
    "J9: A module's interceptors are called for its own APIs and its aspects for its own screens, each within the app's of their stages, and for no others"
  )
  func contributions() async throws {
    let (mediator, navigator) = try start(
      [Adding(name: "tint", stage: .appearance, journal: journal), Adding(name: "own", journal: journal)],
      app: [
        Adding(name: "app", journal: journal), Adding(name: "watch", stage: .observation, journal: journal),
      ])
    try await mediator.open("estate://forecast")
    // By stage, the module's behind the app's: appearance, decoration, decoration, observation.
    #expect(title(navigator) == "watch(own(app(tint(Forecast))))")
    try await mediator.open("estate://homes")
    #expect(title(navigator) == "watch(app(Homes))")
    try await mediator.open("https://news.example/")
    #expect(title(navigator) == "watch(app(Page))")
    try navigator.perform(.closeAll)
    let own = journal.value.filter { $0.hasPrefix("own: ") }
    #expect(own == ["own: ForecastRoute entered", "own: ForecastRoute covered", "own: ForecastRoute left"])
    #expect(journal.value.filter { $0.hasPrefix("tint: ") }.count == 3)

    let app = "app signing,app logging,"
    #expect(
      dispatcher.requests.map { $0.head.headerFields[.userAgent] }
        == ["app signing,module,app logging,", app, app, app])
  }

  @Test(
    "J9: A wrong order of a module's aspects, and a faulty chain of its interceptors, are faults at startup")
  func faults() throws {
    let issue = try #require(throws: RouteTableIssue.self) {
      try start([
        Adding(name: "own", journal: journal), Adding(name: "tint", stage: .appearance, journal: journal),
      ])
    }
    #expect(issue.faults.count == 1)
    #expect(
      issue.description.contains(
        "Module Weather: Aspect tint (appearance, 300) is listed after own (decoration, 500); move it before own."
      ))
    struct Demanding: BusinessModule {
      let name = "Demanding"
      let client: APIClient
      init(_ client: APIClient) throws(PipelineIssue) {
        self.client = try client.inserting {
          InlineInterceptor(
            "demanding", traits: InterceptorTraits(stage: .signing, requires: [.stage(.caching)])
          ) {
            try await $1.dispatch($0)
          }
        }
      }
      func declare(into table: inout RouteTable) {}
    }
    #expect(throws: PipelineIssue.self) { try Demanding(APIClient(dispatcher: dispatcher)) }
  }

  @Test(
    "J9: An aspect of a module that is limited to screens of another one is a fault",
    arguments: [ScreenScope.module("Homes"), .route(HomesRoute.self)])
  func strangersScreens(scope: ScreenScope) throws {
    struct Curious: BusinessModule {
      let name = "Curious"
      let journal: WaitableValue<[String]>
      let scope: ScreenScope
      func declare(into table: inout RouteTable) {
        table.aspect(Adding(name: "own", journal: journal).only(for: scope))
      }
    }
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(
        schemes: ["estate"],
        modules: [
          Curious(journal: journal, scope: scope), HomesModule(client: APIClient(dispatcher: dispatcher)),
        ], environment: RouteEnvironment(navigator: Navigator()))
    }
    #expect(issue.faults.count == 1)
    #expect(issue.description.contains("Aspect own is limited to the screens of"))
  }

  @Test("J9: A module that declares an aspect needs a navigator")
  func withoutNavigator() throws {
    struct Lonely: BusinessModule {
      let name = "Lonely"
      let journal: WaitableValue<[String]>
      func declare(into table: inout RouteTable) { table.aspect(Adding(name: "own", journal: journal)) }
    }
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: [Lonely(journal: journal)])
    }
    #expect(issue.faults.count == 1)
    #expect(issue.description.contains("Aspect own in module Lonely"))
    #expect(issue.description.contains("needs NavigatorKey, which the environment does not hold"))
  }
}
