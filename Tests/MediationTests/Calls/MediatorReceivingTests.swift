import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct MediatorReceivingTests {
  @Test("F5: external calls reach only exposed routes, and unknown and forbidden look the same")
  func exposure() async throws {
    let journal = Journal()
    let mediator = try MediatorCallingTests.mediator(journal)
    try await mediator.receive("estate://home/42", from: .scheme("ESTATE"))
    try await mediator.receive("estate://home/42", from: .push)
    #expect(journal.lines.filter { $0.hasPrefix("house 42") }.count == 2)

    var answers: Set<String> = []
    for url in [
      "estate://price?id=1", "estate://ledger", "estate://nowhere", "estate://price?id=x", "estate://price",
    ] {
      let error = await #expect(throws: RouteError.self) {
        try await mediator.receive(url, from: .scheme("estate"))
      }
      guard case .notFound(url, nil, _) = error else {
        Issue.record("\(url): \(String(describing: error))")
        continue
      }
      answers.insert(error?.caseName ?? "")
    }
    #expect(answers == ["notFound"])
    // The observers see the difference.
    #expect(
      journal.lines.filter { $0.hasPrefix("failed") } == [
        "failed - forbidden", "failed - forbidden", "failed - notFound", "failed - forbidden",
        "failed - notFound",
      ])
  }

  @Test("F5: a source that the route does not admit, or that cannot have sent the URL, is refused")
  func sources() async throws {
    let journal = Journal()
    let mediator = try MediatorCallingTests.mediator(journal)
    for source in [
      LinkSource.web(host: "estate.example"), .shortcut, .universal(host: "estate.example"), .scheme("https"),
    ] {
      let error = await errorName { () throws(RouteError) in
        try await mediator.receive("estate://home/42", from: source)
      }
      #expect(error == "notFound", "\(source)")
    }
    #expect(!journal.lines.contains { $0.hasPrefix("house") })
    #expect(journal.lines.allSatisfy { $0 == "failed - forbidden" })
  }

  @Test(
    "F5: a URL cannot choose a module, a selector, a presentation or native values",
    arguments: [
      "estate://home/42?module=Ledgers&kCTMediatorParamsKeySwiftTargetModuleName=Other",
      "estate://home/42?selector=delete&target=Ledger&protocol=P&method=m",
      "estate://home/42?userInfo=forged&completion=x&context=y",
      "estate://home/42?jumpType=root&style=present#push",
      "estate://home/42#?id=999",
    ])
  func forgedKeys(_ url: String) async throws {
    let journal = Journal()
    let mediator = try MediatorCallingTests.mediator(journal)
    try await mediator.receive(url, from: .scheme("estate"))
    #expect(
      journal.lines == ["opened HouseRoute outside by -", "house 42 - url=\(url)", "answered HouseRoute"])
  }

  @Test(
    "F12: the name of a type, a module or a native route opens nothing",
    arguments: [
      "estate://MapRoute", "estate://Homes/MapRoute", "estate://HouseRoute/42",
      "estate://MediationTests.MapRoute",
      "estate://Homes",
    ])
  func names(_ url: String) async throws {
    let mediator = try MediatorCallingTests.mediator(Journal())
    #expect(await errorName { () throws(RouteError) in try await mediator.open(url) } == "notFound")
  }

  @Test("An action that forwards a URL of its caller does not lend it permissions")
  func forwarding() async throws {
    struct GateRoute: Route {
      static let pattern: RoutePattern = "estate://gate?next={next}"
      static let exposure: Exposure = .link([.push])
      let next: String
      init(from input: RouteInput) throws(RouteError) { next = try input.value("next") }
      func write(to output: inout RouteOutput) { output.set("next", to: next) }
    }
    let journal = Journal()
    let gate = TestModule("Gates") { table in
      table.action(GateRoute.self) { route, context in try await context.forward(route.next) }
    }
    let mediator = try Mediator(
      schemes: ["estate"], modules: [MediatorCallingTests.module(journal), gate], observers: [journal])
    try await mediator.receive("estate://gate?next=estate%3A%2F%2Fhome%2F1", from: .push)
    #expect(journal.lines.contains { $0.hasPrefix("house 1 ") })
    #expect(
      await errorName { () throws(RouteError) in
        try await mediator.receive("estate://gate?next=estate%3A%2F%2Fprice%3Fid%3D1", from: .push)
      } == "failed")
    #expect(journal.lines.contains("failed - forbidden"))
    #expect(!journal.lines.contains { $0.hasPrefix("opened PriceRoute") })
  }
}
