import Mediation
import MediationTesting
import Testing

@MainActor @Suite struct RoundTripTests {
  /// Ignores the parameter that it writes.
  private struct ForgetfulRoute: Route, Equatable {
    static let pattern: RoutePattern = "estate://forgetful?page={page:int?}"
    let page: Int?
    init(page: Int?) { self.page = page }
    init(from input: RouteInput) throws(RouteError) { page = nil }
    func write(to output: inout RouteOutput) { output.set("page", to: page) }
  }

  /// Its URL for the name `new` is another route's.
  private struct NamedRoute: Route, Equatable {
    static let pattern: RoutePattern = "estate://named/{name}"
    static let exposure: Exposure = .moduleOnly
    let name: String
    init(name: String) { self.name = name }
    init(from input: RouteInput) throws(RouteError) { name = try input.value("name") }
    func write(to output: inout RouteOutput) { output.set("name", to: name) }
  }
  private struct NewRoute: ParameterlessRoute { static let pattern: RoutePattern = "estate://named/new" }

  /// Is not `Equatable`.
  private struct LooseRoute: Route {
    static let pattern: RoutePattern = "estate://loose?page={page:int?}"
    let page: Int?
    init(page: Int?) { self.page = page }
    init(from input: RouteInput) throws(RouteError) {
      page = (try input.optional("page") as Int?).map { $0 / 2 * 2 }
    }
    func write(to output: inout RouteOutput) { output.set("page", to: page) }
  }

  private enum Tone: String, Codable, CaseIterable {
    case high, low
    case middle = "in between"
  }

  /// Is read and written by its properties.
  private struct ToneRoute: Route, Codable, Equatable {
    static let pattern: RoutePattern =
      "estate://tone/{tone:high|low|in%20between}?also={also:high|low|in%20between?}"
    let tone: Tone
    var also: [Tone] = []
  }

  private static func run() throws -> MediationRun {
    var kit = MediationKitTests.kit()
    kit.stub(ForgetfulRoute.self) { _, _ in }
    kit.stub(NamedRoute.self) { _, _ in }
    kit.stub(NewRoute.self) { _, _ in }
    kit.stub(LooseRoute.self) { _, _ in }
    kit.stub(ToneRoute.self) { _, _ in }
    return try kit.start()
  }

  @Test("Routes that round-trip pass")
  func intactRoutes() throws {
    let run = try Self.run()
    try run.checkRoundTrip(HomeRoute(id: 1), HomeRoute(id: -5, tab: "a/b c&d=é"))
    try run.checkRoundTrip(ListRoute(kind: "x", sort: nil), ListRoute(kind: "%2F", sort: ""))
    try run.checkRoundTrip(NamedRoute(name: "old"))
    try run.checkRoundTrip(LooseRoute(page: nil), LooseRoute(page: 4))
    try run.checkRoundTrip(ToneRoute(tone: .high), ToneRoute(tone: .middle, also: [.low, .middle, .low]))
    try MediationKit.checkRoundTrip(HomeRoute(id: 2, tab: "t"))
    try MediationKit.checkRoundTrip(ToneRoute(tone: .low, also: [.high]))
  }

  @Test("A route that does not read what it writes is reported with its URL")
  func forgetfulRoute() throws {
    let failure = #expect(throws: MediationCheckFailure.self) {
      try Self.run().checkRoundTrip(ForgetfulRoute(page: nil), ForgetfulRoute(page: 2))
    }
    #expect(
      failure?.description == """
        The URL of a route opens that route.
        - ForgetfulRoute(page: Optional(2)): its URL estate://forgetful?page=2 reads back as ForgetfulRoute(page: nil); \
        write and read the same parameters.
        """)
    #expect(throws: MediationCheckFailure.self) { try MediationKit.checkRoundTrip(ForgetfulRoute(page: 2)) }
  }

  @Test("A URL that opens another route is reported")
  func takenURL() throws {
    let failure = #expect(throws: MediationCheckFailure.self) {
      try Self.run().checkRoundTrip(NamedRoute(name: "new"))
    }
    #expect(
      failure?.problems == [
        "NamedRoute(name: \"new\"): its URL estate://named/new opens NewRoute of module Stubs; change one of the patterns."
      ])
  }

  @Test("A route without equality is compared by its URL, and a value that no URL can carry is reported")
  func otherRoutes() throws {
    let failure = #expect(throws: MediationCheckFailure.self) {
      try Self.run().checkRoundTrip(LooseRoute(page: 3))
    }
    #expect(failure?.problems.first?.contains("is written back as estate://loose?page=2") == true)
    let unwritable = #expect(throws: MediationCheckFailure.self) {
      try Self.run().checkRoundTrip(NamedRoute(name: ".."))
    }
    #expect(unwritable?.problems.first?.contains("Parameter \"name\"") == true)
  }
}
