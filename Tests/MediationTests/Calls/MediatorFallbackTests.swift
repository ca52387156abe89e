import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct MediatorFallbackTests {
  private static func mediator(_ journal: Journal) throws -> Mediator {
    let news = TestModule("News") { table in
      table.fallback(under: "https://news.example") { url, _ in "news of \(url.text)" }
      table.fallback(under: "estate://home") { url, context in
        "home's own: \(url.url?.segments ?? []) in \(context.module ?? "-")"
      }
      table.fallback(under: "estate://home/deep") { url, _ in "deeper" }
    }
    return try Mediator(
      schemes: ["estate"], hosts: ["estate.example"], modules: [MediatorCallingTests.module(journal), news],
      observers: [journal],
      web: RouteFallback { url, _ in "web \(url.text)" },
      notFound: RouteFallback { url, _ in
        "\(url.host) \(url.url?.segments ?? []) \(url.url?.query.map(\.value) ?? []) \(url.error.caseName)"
      })
  }

  @Test(
    "F6: an unknown URL reaches the app's fallback with all its parts; the fallback's result is returned"
  )
  func notFound() async throws {
    let mediator = try Self.mediator(Journal())
    let answer = try await mediator.open("estate://target/action?p=1", returning: String.self)
    #expect(answer == "target [\"action\"] [\"1\"] notFound")
    #expect(
      await errorName { () throws(RouteError) in
        _ = try await mediator.open("estate://target", returning: Int.self)
      }
        == "resultMismatch Int String")
    let parts = try Mediator(
      schemes: ["estate"], modules: [],
      notFound: RouteFallback { url, _ in
        [
          url.text, url.scheme, url.target, url.action, url.parameters["p"] ?? "-",
          url.query.map(\.value).joined(separator: ","), url.url?.fragment ?? "-",
        ]
      })
    #expect(
      try await parts.open("estate://target/an/action?p=1&p=2#end", returning: [String].self) == [
        "estate://target/an/action?p=1&p=2#end", "estate", "target", "an/action", "1", "1,2", "end",
      ])
  }

  @Test("F7: an unknown action reaches the fallback of its longest prefix")
  func prefix() async throws {
    let mediator = try Self.mediator(Journal())
    #expect(
      try await mediator.open("estate://HOME/some/where", returning: String.self)
        == "home's own: [\"some\", \"where\"] in News")
    #expect(try await mediator.open("estate://home/deep/1", returning: String.self) == "deeper")
    #expect(
      try await mediator.open("estate://home/deeper/1", returning: String.self)
        == "home's own: [\"deeper\", \"1\"] in News")
  }

  @Test(
    "F15: unmatched http and https URLs open the web screen; a host may have its own",
    arguments: [
      ("https://elsewhere.example/a?q=100%#x", "web https://elsewhere.example/a?q=100%#x"),
      ("http://elsewhere.example/a//b", "web http://elsewhere.example/a//b"),
      ("http://estate.example/unknown", "web http://estate.example/unknown"),
      ("https://estate.example/unknown", "web https://estate.example/unknown"),
      ("https://estate.example/a//b?q=100%", "web https://estate.example/a//b?q=100%"),
      ("https://NEWS.example./today", "news of https://NEWS.example./today"),
    ])
  func web(_ url: String, _ expected: String) async throws {
    let mediator = try Self.mediator(Journal())
    #expect(try await mediator.open(url, returning: String.self) == expected)
    #expect(mediator.canOpen(url))
  }

  @Test(
    "F15: a web URL that disguises its host is not opened",
    arguments: [
      "https://good.example@evil.example/", "https://good.example\\@evil.example/", "https://ex%61mple.com/",
    ])
  func hiddenHosts(_ url: String) async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    #expect(await errorName { () throws(RouteError) in try await mediator.open(url) } == "malformedURL")
    #expect(!mediator.canOpen(url))
    #expect(journal.lines == ["failed - malformedURL"])
  }

  @Test("F5: for an external caller, unknown and forbidden URLs reach the same fallback")
  func sameFallback() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    try await mediator.receive("estate://price?id=1", from: .push)
    try await mediator.receive("estate://nowhere", from: .push)
    #expect(
      journal.lines == ["fellBack estate://price?id=1 forbidden", "fellBack estate://nowhere notFound"])
  }

  @Test("Without a web screen, a URL of the app's own site that violates the profile is malformed")
  func withoutWebScreen() async throws {
    let mediator = try MediatorCallingTests.mediator(
      Journal(), notFound: RouteFallback { _, _ in "not found" })
    let url = "https://estate.example/a//b"
    #expect(await errorName { () throws(RouteError) in try await mediator.open(url) } == "malformedURL")
    #expect(!mediator.canOpen(url))
  }

  @Test("A URL that is forbidden to the app's own code is an error and reaches no fallback")
  func forbidden() async throws {
    let mediator = try Self.mediator(Journal())
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("estate://ledger") } == "forbidden")
  }

  /// Returns a mediator whose modules Homes and Offers share the host `homes`; only Homes has `homes/rent`.
  private static func chained(
    homes: @escaping @Sendable (UnroutedURL, RouteContext) async throws -> String = { url, context in
      "homes' not-found for \(url.action) in \(context.module ?? "-")"
    }
  ) throws -> Mediator {
    let rents = TestModule("Homes") { table in
      table.action(RentRoute.self) { _, _ in }
      table.action(HiddenRoute.self) { _, _ in }
      table.notFound(homes)
      table.fallback(under: "estate://homes/rent/old") { _, _ -> String in throw RouteFallback.DeclinedError()
      }
    }
    let offers = TestModule("Offers") { table in
      table.action(OfferRoute.self) { _, _ in }
      table.notFound { url, _ in "offers' not-found for \(url.action)" }
    }
    return try Mediator(
      schemes: ["estate"], modules: [rents, offers],
      notFound: RouteFallback { url, _ in "the app's for \(url.target) \(url.action) \(url.parameters)" })
  }

  private struct RentRoute: ParameterlessRoute {
    static let pattern: RoutePattern = "estate://homes/rent/now"
    static let exposure: Exposure = .link([.push])
  }
  private struct HiddenRoute: ParameterlessRoute { static let pattern: RoutePattern = "estate://vault/key" }
  private struct OfferRoute: ParameterlessRoute {
    static let pattern: RoutePattern = "estate://homes/offers/now"
    static let exposure: Exposure = .link([.push])
  }

  @Test(
    "F7: an unknown action reaches its module's fallback, then the app's; the fallback's result is returned",
    arguments: [
      ("estate://homes/rent/later?x=1", "homes' not-found for rent/later in Homes"),
      ("estate://homes/offers", "offers' not-found for offers"),
      ("estate://homes/other?x=1&x=2", "the app's for homes other [\"x\": \"1\"]"),
      ("estate://homes/rent/old/1", "homes' not-found for rent/old/1 in Homes"),
      ("estate://vault/other", "homes' not-found for other in Homes"),
      ("estate://elsewhere", "the app's for elsewhere  [:]"),
    ])
  func modules(_ url: String, _ expected: String) async throws {
    #expect(try await Self.chained().open(url, returning: String.self) == expected)
  }

  @Test("F7: a fallback that throws DeclinedError leaves the URL to the next; one that fails does not")
  func passingOn() async throws {
    let passing = try Self.chained { _, _ in throw RouteFallback.DeclinedError() }
    #expect(
      try await passing.open("estate://homes/rent/x", returning: String.self)
        == "the app's for homes rent/x [:]")
    struct Broken: Error {}
    let failing = try Self.chained { _, _ in throw Broken() }
    #expect(
      await errorName { () throws(RouteError) in try await failing.open("estate://homes/rent/x") } == "failed"
    )
    let alone = try Mediator(
      schemes: ["estate"], modules: [],
      notFound: RouteFallback { _, _ -> Int in throw RouteFallback.DeclinedError() })
    #expect(
      await errorName { () throws(RouteError) in try await alone.open("estate://homes/rent/x") } == "notFound"
    )
  }

  @Test("F5: which fallback answers an external call does not reveal routes that it cannot reach")
  func hiddenTargets() async throws {
    let journal = Journal()
    let module = TestModule("Vault") { table in
      table.action(HiddenRoute.self) { _, _ in }
      table.notFound { url, _ in journal.note("vault's") }
    }
    let mediator = try Mediator(
      schemes: ["estate"], modules: [module], notFound: RouteFallback { _, _ in journal.note("the app's") })
    for url in ["estate://vault/key", "estate://vault/none", "estate://nowhere"] {
      try await mediator.receive(url, from: .push)
    }
    #expect(journal.lines == ["the app's", "the app's", "the app's"])
    try await mediator.open("estate://vault/none")
    #expect(journal.lines.last == "vault's")
  }
}
