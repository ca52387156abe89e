import APIManagers
import DNSBypass
import Deployment
import FeatureFlags
import HTTPTypes
import Interception
import Mediation
import MediationFixtures
import RouteRedirects
import ScreenContents
import SwitchyardTesting
import Synchronization
import Testing

@Suite("Parts of deployment documents", .timeLimit(.minutes(5)))
struct DeploymentPartTests {
  let app: DeployedApp

  init() throws { app = try DeployedApp() }

  private func refusal(_ part: String, _ content: String) -> DeploymentError? {
    do {
      try app.apply([part: content])
      return nil
    } catch { return error as? DeploymentError }
  }

  @Test("A redirect of a document leads to its route, and the redirects have the version of the document")
  func redirects() async throws {
    try app.apply([
      "routes": #"{"rules": [{"from": "estate://old/{id:int}", "to": "estate://home/{id:int}"}]}"#
    ])
    try await app.mediator.open("estate://old/5")
    #expect(app.journal.lines.contains("house 5"))
    #expect(app.redirects.version == 12)
    try app.apply([:])
    await #expect(throws: RouteError.self) { try await app.mediator.open("estate://old/5") }
  }

  @Test("A switched-off module's patterns match nothing, except those to which a rule applies")
  func modules() async throws {
    try app.apply(["routes": #"{"modulesOff": ["Mortgage"]}"#])
    await #expect(throws: RouteError.self) { try await app.mediator.open("estate://mortgage") }
    await #expect(throws: RouteError.self) { try await app.mediator.open("https://estate.example/mortgage") }
    await #expect(throws: RouteError.self) { try await app.mediator.call(MortgageRoute()) }
    try await app.mediator.open("estate://home/1")
    try app.apply([
      "routes": #"{"rules": [{"from": "estate://mortgage", "to": "estate://home/{id:int}?tab={tab?}","#
        + #" "values": {"id": "9", "tab": "map"}}], "modulesOff": ["Mortgage"]}"#
    ])
    try await app.mediator.open("estate://mortgage")
    #expect(app.journal.lines.contains("house 9"))
    await #expect(throws: RouteError.self) { try await app.mediator.open("https://estate.example/mortgage") }
  }

  @Test("A policy that accepts no tables, or signed ones only, refuses those of documents")
  func policies() throws {
    for policy in [RedirectPolicy.refused, .signed(by: NoVerifier())] {
      let tables = RedirectTables(policy)
      _ = try Mediator(schemes: ["estate"], modules: [], redirector: tables)
      #expect(throws: DeploymentError.self) {
        _ = try DeploymentPlan(
          try Documents.document(parts: ["routes": "{}"]), parts: [.routes(tables)])
      }
    }
    let unconnected = RedirectTables(.unsigned())
    #expect(throws: DeploymentError.self) {
      _ = try DeploymentPlan(
        try Documents.document(parts: ["routes": "{}"]), parts: [.routes(unconnected)])
    }
  }

  @Test("Screens of a document are kept as a whole, and one whose route isn't exposed refuses the document")
  func screens() throws {
    let shown = Mutex<[String: ScreenContent]>([:])
    let decoder = ScreenDecoder(
      routes: app.mediator, origin: .external(.web(host: "api.estate.example")))
    let part = DeploymentPart.screens(decoder) { screens in shown.withLock { $0 = screens } }
    func apply(_ content: String) throws {
      try DeploymentPlan(try Documents.document(parts: ["screens": content]), parts: [part]).apply()
    }
    try apply(#"{"help": {"version": 1, "title": "Help", "blocks": [{"kind": "text", "text": "Call us."}]}}"#)
    #expect(shown.withLock { $0["help"]?.blocks } == [.text("Call us.")])
    let error = #expect(throws: DeploymentError.self) {
      try apply(
        """
        {"help": {"version": 1, "title": "Help", "blocks": []},
         "loan": {"version": 1, "title": "Loan", "blocks": [], "address": "estate://nothing"}}
        """)
    }
    #expect(error?.part == "screens" && error?.line == 2, "\(error)")
    #expect(shown.withLock { $0.keys.sorted() } == ["help"])
    try DeploymentPlan(try Documents.document(parts: [:]), parts: [part]).apply()
    #expect(shown.withLock { $0.isEmpty })
  }

  @Test("Flags are read with their types, an integer as a number too, and unknown ones are ignored")
  func flags() throws {
    try app.apply([
      "flags": #"{"checkout.express": true, "checkout.attempts": 4.0, "price.factor": 2, "later": "x"}"#
    ])
    #expect(app.flags[Flags.express] && app.flags[Flags.attempts] == 4 && app.flags[Flags.factor] == 2)
    #expect(app.flags[Flags.label] == "Asking price")
  }

  @Test("An API that a document switches off fails with its reason, and its own switches stay")
  func downgrades() async throws {
    app.client.downgrades.switchOff(HouseList.identity, because: "The app's reason.")
    try app.apply([
      "downgrades": #"{"switchedOff": [{"service": "estate", "api": "offer", "reason": "Until 9."}]}"#
    ])
    await #expect(throws: APIError.self) { try await app.client.load(Offer()) }
    await #expect(throws: APIError.self) { try await app.client.load(HouseList()) }
    try app.apply([:])
    _ = try await app.client.load(Offer())
    await #expect(throws: APIError.self) { try await app.client.load(HouseList()) }
  }

  @Test("Time limits and cache rules of a document replace those of the endpoint, for clients and managers")
  @MainActor func endpoints() async throws {
    try app.apply([
      "endpoints": """
      [{"service": "estate", "api": "houses.list", "timeouts": {"connect": 2.5, "call": 60}, "cache": "stated",
        "staleIfError": 86400},
       {"service": "estate", "api": "balance", "cache": 600}, {"service": "estate", "api": "offer",
        "timeouts": {"idle": 0.1}}, {"service": "later", "api": "x", "cache": 5}]
      """
    ])
    _ = try await app.client.load(HouseList(), cacheMode: .revalidate)
    let houses = try #require(app.dispatcher.requests.last)
    #expect(
      houses.options.timeouts.connect == .milliseconds(2_500) && houses.options.timeouts.call == .seconds(60))
    #expect(houses.options.timeouts.idle == .seconds(20))
    #expect(houses.context.cacheRule == .stated().staleIfError(for: .seconds(86_400)).with(.revalidate))
    _ = try await APIManager(Balance(), client: app.client).load(.output)
    let balance = try #require(app.dispatcher.requests.last)
    #expect(balance.context.cacheRule == .timed(.seconds(600)).inMemoryOnly())
    _ = try await app.client.load(Offer())
    #expect(app.dispatcher.requests.last?.options.timeouts.idle == .milliseconds(100))
    try app.apply([:])
    _ = try await app.client.load(HouseList())
    #expect(app.dispatcher.requests.last?.context.cacheRule == .timed())
    #expect(app.dispatcher.requests.last?.options.timeouts == RequestOptions.Timeouts())
  }

  @Test("A cache rule of \"off\" stores nothing")
  func cacheOff() async throws {
    try app.apply(["endpoints": #"[{"service": "estate", "api": "houses.list", "cache": "off"}]"#])
    _ = try await app.client.load(HouseList())
    let rule = app.dispatcher.requests.last?.context.cacheRule
    #expect(rule?.limit == nil && rule?.isInherited == false)
  }

  @Test("A host's addresses are those of the document, and the built-in ones without it")
  func addresses() throws {
    func addresses() -> [String] {
      app.bypass.table.addresses(for: "api.estate.example", scheme: "https").map(\.address)
    }
    try app.apply(["addresses": #"{"API.estate.example": ["1.1.1.1", "[2606:4700::1]:8443"]}"#])
    #expect(addresses() == ["1.1.1.1", "2606:4700::1"])
    try app.apply(["addresses": "{}"])
    #expect(addresses() == [])
    try app.apply([:])
    #expect(addresses() == ["8.8.8.8"])
  }

  /// Contents that are refused: the part, the content, the line and a part of the reason.
  static let refusals: [(part: String, content: String, line: Int?, reason: String)] = [
    ("flags", "", nil, "is empty"), ("flags", "[]", 1, "should be an object"),
    ("flags", "{\n\n  \"checkout.attempts\": 6}", 3, "should be 1 to 5"),
    ("flags", "{\n\"checkout.attempts\": 1e999}", 2, "does not allow"),
    ("flags", "{\"price.label\":\n\"\(String(repeating: "x", count: 4_097))\"}", 2, "at most 4096 bytes"),
    ("flags", "{\"a\": null}", 1, "should be true, false"),
    ("flags", "{\"a\": 1}\n x", 2, "cannot be parsed"),
    ("flags", "{\"a\u{0}\": 1}", 1, "cannot be parsed"), ("flags", "\u{FEFF}[", 1, "ends within"),
    ("routes", "{\"rules\": [\n\n{\"from\": \"estate://x\"}]}", 3, "should have \"to\""),
    (
      "routes",
      "{\"rules\": [{\"from\": \"estate://x\", \"disabled\": true, \"to\": \"estate://home/{id:int}\"}]}", 1,
      "should have \"to\""
    ),
    ("routes", "{\"rules\": [\n{\"from\": \"estate://x\", \"to\": 7}]}", 2, "should be a string"),
    ("routes", "{\"rules\": [\n{\"form\": \"estate://x\"}]}", 2, "unknown key \"form\""),
    ("routes", "{\"rules\": [\n{\"from\": \"other://x\", \"disabled\": true}]}", 2, "is not the app's"),
    ("routes", "{\"rules\": [\n{\"from\": \"estate://x\", \"disabled\": true}]}", 2, "no route matches"),
    (
      "routes", "{\"rules\": [\n{\"from\": \"estate://x\", \"to\": \"https://evil.example\"}]}", 2,
      "is not the app's"
    ),
    (
      "routes",
      "{\"rules\": [{\"from\": \"estate://x\",\n\"to\": \"estate://mortgage\"}],\n\"modulesOff\": [\"Mortgage\"]}",
      1, "no route matches"
    ),
    ("routes", "{\"modulesOff\": \"Mortgage\"}", 1, "should be an array"),
    ("downgrades", "{}", 1, "`switchedOff` is missing"),
    (
      "downgrades", "{\"switchedOff\": [\n{\"service\": \"estate\", \"api\": \"offer\", \"reason\": \"\"}]}",
      2, "1 to 500 characters"
    ),
    ("endpoints", "{}", 1, "should be an array"),
    (
      "endpoints", "[\n{\"service\": \"estate\", \"api\": \"statement\", \"cache\": 5}]", 2,
      "permits no other cache rule"
    ),
    (
      "endpoints",
      "[{\"service\": \"estate\", \"api\": \"offer\"},\n{\"service\": \"estate\", \"api\": \"offer\"}]", 2,
      "listed twice"
    ),
    (
      "endpoints", "[{\"service\": \"estate\", \"api\": \"offer\",\n\"timeouts\": {\"idle\": 0}}]", 2,
      "0.1 to 3600.0 seconds"
    ),
    (
      "endpoints", "[{\"service\": \"estate\", \"api\": \"offer\",\n\"timeouts\": {\"idel\": 5}}]", 2,
      "unknown key \"idel\""
    ),
    ("endpoints", "[{\"service\": \"estate\", \"api\": \"houses.list\",\n\"cache\": -1}]", 2, "seconds"),
    (
      "endpoints", "[{\"service\": \"estate\", \"api\": \"houses.list\",\n\"cache\": \"always\"}]", 2,
      "\"off\", \"stated\""
    ),
    (
      "endpoints", "[{\"service\": \"estate\", \"api\": \"houses.list\",\n\"staleIfError\": 9}]", 2,
      "needs \"cache\""
    ),
    ("addresses", "[]", 1, "should be an object"),
    ("addresses", "{\"a.example\": \"1.1.1.1\"}", 1, "should be an array"),
    ("addresses", "{\"a.example\": [\"8.8.8.8\"],\n\"b.example\": [\"x\"]}", 2, "is not an IP address"),
    ("addresses", "{\"a.example\": [\"8.8.8.8\"],\n\"b.example\": [\"10.0.0.1\"]}", 2, "private"),
    ("addresses", "{\"a.example\": [\"8.8.8.8\"],\n\"A.example\": [\"8.8.8.8\"]}", 1, "twice"),
    ("pages/www.estate.example", "", nil, "ends in its first line"),
    ("note", "bad", 1, "should be a good text"),
  ]

  @Test("A content that a part refuses is named by document, part and line", arguments: refusals)
  func refused(_ part: String, _ content: String, _ line: Int?, _ reason: String) throws {
    let error = try #require(refusal(part, content))
    #expect(error.version == 12 && error.part == part && error.line == line, "\(error)")
    #expect("\(error)".contains(reason) && "\(error)".contains("part \"\(part)\""), "\(error)")
    #expect(!"\(error)".unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
  }

  @Test("An error that an app's own part throws becomes the reason, without control characters")
  func ownErrors() throws {
    struct Odd: Error, CustomStringConvertible {
      let description = "odd\u{1B}[31m" + String(repeating: "x", count: 9_000)
    }
    let part = DeploymentPart("odd") { _ in
      throw Odd()
    } reset: {
    }
    let refusal = Documents.refusal {
      _ = try DeploymentPlan(try Documents.document(parts: ["odd": ""]), parts: [part])
    }
    #expect(refusal?.hasPrefix("Deployment document 12, part \"odd\": odd?[31mxxx") == true)
    #expect(refusal.map { $0.count < 2_200 } == true)
  }
}

/// Accepts no signature.
struct NoVerifier: RedirectVerifier {
  func isValid(_ signature: [UInt8], of payload: [UInt8]) -> Bool { false }
}
