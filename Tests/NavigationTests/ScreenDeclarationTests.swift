import Mediation
import Navigation
import Testing

private struct ParcelRoute: Route {
  static let pattern: RoutePattern = "estate://parcel/{id:int}?note={note?}"
  static let exposure: Exposure = .link([.push])
  let id: Int
  let note: String?
  init(from input: RouteInput) throws(RouteError) {
    id = try input.value("id")
    note = try input.optional("note")
  }
  func write(to output: inout RouteOutput) {
    output.set("id", to: id)
    output.set("note", to: note)
  }
}

private struct OldParcelRoute: Route {
  static let pattern: RoutePattern = "estate://package/{number:int}"
  let id: Int
  init(from input: RouteInput) throws(RouteError) { id = try input.value("number") }
  func write(to output: inout RouteOutput) { output.set("number", to: id) }
}

private struct PlayerRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://player"
}

private final class Picture: Sendable {
  let name: String
  init(name: String) { self.name = name }
}

private struct ShowPictureRoute: NativeRoute {
  let picture: Picture
  let onTap: @MainActor @Sendable (Picture) -> Void
}

/// Stores what it was made from, for the tests.
private final class ProbeScreen: Screen {
  let title: String
  var url: String?
  var params: [String: String] = [:]
  var rest: [String] = []
  var picture: Picture?
  var onTap: (@MainActor @Sendable (Picture) -> Void)?

  init(_ title: String) { self.title = title }
}

private struct ParcelModule: BusinessModule {
  let name = "Parcel"
  let player: ProbeScreen

  func declare(into table: inout RouteTable) {
    table.screen(ParcelRoute.self) { route, context in
      let screen = ProbeScreen("Parcel")
      screen.url = context.url?.text
      screen.params = ["id": "\(route.id)", "note": route.note ?? "-"]
      return screen
    }
    table.screen(OldParcelRoute.self) { route, _ in ProbeScreen("Parcel \(route.id)") }
    table.screen(PlayerRoute.self, instance: player)
    table.screen(ShowPictureRoute.self) { route, _, _ in
      let screen = ProbeScreen("Picture")
      screen.picture = route.picture
      screen.onTap = route.onTap
      return screen
    }
    table.screens([
      "estate://about": { _ in ProbeScreen("About") },
      "estate://imprint": { _ in ProbeScreen("About") },
      "estate://help/{topic}/{path...}?lang={lang?}": { request in
        let screen = ProbeScreen("Help")
        screen.url = request.url.text
        screen.params = request.params
        screen.rest = try request.input.rest("path")
        return screen
      },
    ])
    table.screen(at: "estate://offer/{id:int}", exposure: .link([.push]), style: .present) { request in
      ProbeScreen("Offer \(try request.input.value("id", as: Int.self) + 1)")
    }
    table.screen(under: "https://news.example") { url, _ in ProbeScreen("News at \(url.host)") }
  }
}

@MainActor @Suite(.timeLimit(.minutes(5))) struct ScreenDeclarationTests {
  private let host = RecordingHost()
  private let player = ProbeScreen("Player")
  private let navigator: Navigator
  private let mediator: Mediator

  init() throws {
    navigator = Navigator(host: host)
    mediator = try Mediator(
      schemes: ["estate"], modules: [ParcelModule(player: player)],
      environment: RouteEnvironment(navigator: navigator),
      web: .screen { url, _ in ProbeScreen("Web \(url.text)") })
  }

  private var top: ProbeScreen? { host.updates.last?.topScreen as? ProbeScreen }

  @Test(
    "F13: Screens are declared one by one, by table, and as an instance; one class can serve several URLs")
  func waysToDeclare() async throws {
    let titles = [
      ("estate://parcel/7", "Parcel"), ("estate://package/7", "Parcel 7"), ("estate://about", "About"),
      ("estate://imprint", "About"), ("estate://offer/1", "Offer 2"),
    ]
    for (url, title) in titles {
      try await mediator.open(url)
      #expect(top?.title == title)
      #expect(navigator.state.top?.url == url)
    }
    #expect(navigator.state.modals.count == 1)
    // Each call makes a new screen, except for the instance.
    let first = top
    try await mediator.open("estate://offer/1")
    #expect(top !== first)
  }

  @Test("F13: An instance is shown once, and later calls return to it")
  func instance() async throws {
    try await mediator.open("estate://player")
    #expect(top === player)
    let id = navigator.state.top?.id
    try await mediator.open("estate://about")
    try await mediator.open("estate://offer/1")
    try await mediator.call(PlayerRoute())
    #expect(top === player && navigator.state.top?.id == id)
    #expect(navigator.state.count == 1)
    try navigator.perform(.closeAll)
    try await mediator.open("estate://player")
    #expect(top === player && navigator.state.top?.id != id)
  }

  @Test("F13: A pattern that is repeated in a table is a fault with both places")
  func repeated() throws {
    struct Twice: BusinessModule {
      let name = "Twice"
      func declare(into table: inout RouteTable) {
        table.screens([
          "estate://a/{x}": { _ in ProbeScreen("1") }, "estate://a/{y}": { _ in ProbeScreen("2") },
        ])
      }
    }
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(
        schemes: ["estate"], modules: [Twice()], environment: RouteEnvironment(navigator: navigator))
    }
    #expect(issue.faults.count == 1)
    #expect(
      issue.description.contains("\"estate://a/{x}\"") && issue.description.contains("\"estate://a/{y}\""))
    let bare = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: [ParcelModule(player: player)])
    }
    #expect(bare.description.contains("build the mediator with environment: RouteEnvironment(navigator: …)"))
  }

  @Test("F14: A screen gets its URL, its parameters as text or values, and objects by a native route")
  func whatScreensGet() async throws {
    try await mediator.receive("estate://parcel/7?note=a%2Fb+c&other=1", from: .push)
    #expect(top?.url == "estate://parcel/7?note=a%2Fb+c&other=1")
    #expect(top?.params == ["id": "7", "note": "a/b c"])
    try await mediator.open("estate://help/loans/a%2Fb/c?lang=de#top")
    #expect(top?.url == "estate://help/loans/a%2Fb/c?lang=de#top")
    #expect(top?.params == ["topic": "loans", "lang": "de"])
    #expect(top?.rest == ["a/b", "c"])
    // Three segments are not two of which one contains a slash.
    try await mediator.open("estate://help/loans/a/b/c?lang=")
    #expect(top?.params == ["topic": "loans", "lang": ""])
    #expect(top?.rest == ["a", "b", "c"])
    let picture = Picture(name: "house")
    var tapped: Picture?
    try await mediator.call(ShowPictureRoute(picture: picture) { tapped = $0 })
    #expect(top?.picture === picture)
    top?.onTap?(picture)
    #expect(tapped === picture)
    #expect(navigator.state.top?.url == nil && navigator.state.top?.name == "ShowPictureRoute")
  }

  @Test("F5: Outside callers reach only exposed screens, and pass no objects")
  func outside() async throws {
    try await mediator.receive("estate://offer/1", from: .push)
    #expect(top?.title == "Offer 2")
    for url in ["estate://about", "estate://help/a/b", "estate://player", "estate://ShowPictureRoute"] {
      await #expect(throws: RouteError.self) { try await mediator.receive(url, from: .push) }
    }
    #expect(navigator.state.count == 1)
  }

  @Test(
    "F15: An http or https URL without a route opens the web screen; a host can have its own",
    arguments: [
      ("http://a.example/x?y=%zz", "Web http://a.example/x?y=%zz"),
      ("https://a.example", "Web https://a.example"),
      ("https://news.example/today", "News at news.example"),
      ("http://news.example/today", "Web http://news.example/today"),
      ("https://news.example.evil.example/", "Web https://news.example.evil.example/"),
    ])
  func web(url: String, title: String) async throws {
    try await mediator.open(url)
    #expect(top?.title == title)
    #expect(navigator.state.top?.url == url)
    try await mediator.receive(url, from: .push)
    #expect(navigator.state.count == 2)
  }

  @Test("F18: A module can choose how a screen is presented, for that screen only")
  func chosenStyle() async throws {
    struct Caller: BusinessModule {
      let name = "Caller"
      func declare(into table: inout RouteTable) {
        table.action(AskAsRoute.self) { _, context in
          try await context.open("estate://about", as: .present)
          let picture = ShowPictureRoute(picture: Picture(name: "x")) { _ in }
          try await context.call(picture, as: .present)
          try await context.call(PlayerRoute(), as: .push)
          try await context.open("estate://offer/1", as: .replace)
          try await context.open("https://a.example/", as: .present)
          try await context.open("estate://imprint")
        }
      }
    }
    let mediator = try Mediator(
      schemes: ["estate"], modules: [ParcelModule(player: player), Caller()],
      environment: RouteEnvironment(navigator: navigator), web: .screen { _, _ in ProbeScreen("Web") })
    try await mediator.open("estate://ask/as")
    let state = navigator.state
    #expect(
      state.modals.map { $0.map(\.name) } == [
        ["estate://about"], ["ShowPictureRoute", "estate://offer/1"],
        ["https://a.example/", "estate://imprint"],
      ])
    #expect(state.tabs[0].stack.isEmpty)
  }

  @Test("F17: An entry knows its opener")
  func opener() async throws {
    struct Caller: BusinessModule {
      let name = "Caller"
      func declare(into table: inout RouteTable) {
        table.action(AskRoute.self) { _, context in try await context.open("estate://about") }
      }
    }
    let mediator = try Mediator(
      schemes: ["estate"], modules: [ParcelModule(player: player), Caller()],
      environment: RouteEnvironment(navigator: navigator))
    try await mediator.open("estate://about")
    #expect(navigator.state.top?.opener == nil)
    try await mediator.open("estate://ask?for=more")
    #expect(navigator.state.top?.opener == "estate://ask?for=more")
  }
}

private struct AskAsRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://ask/as"
}

private struct AskRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://ask"
}
