import Mediation
import Testing

/// Hostile links against a mediator with many kinds of routes.
@Suite(.timeLimit(.minutes(5))) struct HostileURLTests {
  private struct TailRoute: Route {
    static let pattern: RoutePattern = "estate://files/{path...}"
    static let exposure: Exposure = .link([.push])
    let path: [String]
    init(from input: RouteInput) throws(RouteError) { path = try input.rest("path") }
    func write(to output: inout RouteOutput) { output.set("path", toRest: path) }
  }

  private static func mediator(_ journal: Journal) throws -> Mediator {
    let files = TestModule("Files") { table in
      table.action(TailRoute.self) { route, _ in journal.note("file \(route.path.joined(separator: " | "))") }
    }
    return try Mediator(
      schemes: ["estate"], hosts: ["estate.example"], modules: [MediatorCallingTests.module(journal), files],
      observers: [journal])
  }

  private static func fault(_ text: String, _ mediator: Mediator) async -> RouteURL.SyntaxError.Reason? {
    var fault: RouteURL.SyntaxError.Reason?
    do throws(RouteError) {
      try await mediator.receive(text, from: .push)
    } catch {
      if case .malformedURL(let found) = error { fault = found.reason }
    }
    return fault
  }

  @Test(
    "F2: an ambiguous text is a typed error for external links (U1 to U12)",
    arguments: [
      ("estate://files/a%zz", .percent), ("estate://files/a%", .percent), ("estate://files/%FF", .encoding),
      ("estate://files/%C0%AE%C0%AE/x", .encoding), ("estate://files/%00", .nul),
      ("estate://files/a\0", .nul),
      ("estate://files/../x", .dotSegment), ("estate://files/%2e%2e/x", .dotSegment),
      ("estate://files/.%2E", .dotSegment),
      ("estate://files//x", .emptySegment), ("estate://user@files/x", .userInformation),
      ("https://estate.example@evil.example/x", .userInformation), ("estate://files:1/x", .port),
      ("https://estate.example:99999/x", .port),
      ("https://estate.example\\@evil.example/", .illegalCharacter(0x5C)),
      ("estate://files/a b", .illegalCharacter(0x20)), ("estate://files/\t", .illegalCharacter(0x09)),
      ("estate:files/x", .noAuthority), ("files/x", .noScheme), ("", .noScheme), ("estate:///x", .emptyHost),
    ] as [(String, RouteURL.SyntaxError.Reason)])
  func refused(_ text: String, _ reason: RouteURL.SyntaxError.Reason) async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    #expect(await Self.fault(text, mediator) == reason)
    #expect(!mediator.canOpen(text, origin: .external(.push)))
    #expect(!journal.lines.contains { $0.hasPrefix("file") })
  }

  @Test("F2: a URL of a megabyte and one of ten thousand segments are rejected at the limits (U1, U12)")
  func large() async throws {
    let mediator = try Self.mediator(Journal())
    let texts = [
      "estate://files/" + String(repeating: "x", count: 1 << 20), String(repeating: "%", count: 1 << 20),
      "estate://files" + String(repeating: "/x", count: 10_000),
      String(repeating: "estate://", count: 100_000),
      "estate://files?" + String(repeating: "a=b&", count: 300_000),
      "\u{1F468}\u{200D}" + String(repeating: "/", count: 1 << 20),
    ]
    for text in texts {
      #expect(await Self.fault(text, mediator) == .tooLong(limit: 8192))
      #expect(!mediator.canOpen(text))
    }
    #expect(
      await Self.fault("estate://files" + String(repeating: "/x", count: 4000), mediator)
        == .tooManySegments(limit: 64))
    #expect(
      await Self.fault("estate://files/" + String(repeating: "x", count: 4000), mediator)
        == .parameterTooLong(limit: 1024))
  }

  @Test("F2: an encoded slash stays in its segment, and nothing is decoded twice (U8)")
  func slashes() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    try await mediator.receive("estate://files/a%2Fb/%252e%252e/%2525", from: .push)
    #expect(journal.lines.contains("file a/b | %2e%2e | %25"))
  }

  @Test(
    "F5: a URL that names a module, a type, a method or a native route opens nothing (M19)",
    arguments: [
      "estate://Homes", "estate://Homes/HouseRoute", "estate://HouseRoute", "estate://MapRoute?transform=x",
      "estate://Mediation.Mediator/call", "estate://Module.Files/TailRoute/init", "estate://native/MapRoute",
      "estate://ledger?module=Homes", "estate://ledger?origin=native&source=push", "estate://LEDGER",
      "estate://call.service/HouseRoute.Route.init/1", "estate://Target_House/Action_native",
    ])
  func forged(_ url: String) async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    for source in [LinkSource.push, .scheme("estate"), .web(host: "evil.example"), .shortcut] {
      #expect(
        await errorName { () throws(RouteError) in try await mediator.receive(url, from: source) }
          == "notFound")
    }
    #expect(!journal.lines.contains { $0.hasPrefix("opened") })
  }

  @Test("F5: a query cannot replace a value from the path or repeat a single value (M18, M19)")
  func overrides() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    try await mediator.receive("estate://home/42?id=7&%7Bid%7D=8&id:int=9#id=10", from: .push)
    #expect(journal.lines.contains { $0.hasPrefix("house 42 -") })
    #expect(
      await errorName { () throws(RouteError) in
        try await mediator.receive("estate://home/42?tab=a&tab=b", from: .push)
      } == "parameter tab \(RouteError.ParameterFault.repeated)")
    #expect(
      await errorName { () throws(RouteError) in
        try await mediator.receive("estate://home/42?tab=a&t%61b=b", from: .push)
      } == "parameter tab \(RouteError.ParameterFault.repeated)")
    #expect(
      await errorName { () throws(RouteError) in
        try await mediator.receive("estate://home/x", from: .push)
      } == "parameter id \(RouteError.ParameterFault.notOfKind(.int))")
  }

  @Test("F11: canOpen returns false for hostile URLs and runs nothing")
  func canOpen() throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    for url in [
      "estate://home/x", "estate://price?id=1", "estate://home/1/..", "evil://home/1", "estate://home:8/1",
    ] {
      #expect(!mediator.canOpen(url, origin: .external(.push)), "\(url)")
    }
    #expect(mediator.canOpen("estate://home/1", origin: .external(.push)))
    #expect(journal.lines.isEmpty)
  }
}
