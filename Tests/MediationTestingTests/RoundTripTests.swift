import Mediation
import MediationTesting
import Testing

@MainActor @Suite struct RoundTripTests {
  /// Forgets what it reads.
  private struct ForgetfulRoute: Route, Equatable {
    static let pattern: RoutePattern = "estate://forgetful?page={page:int?}"
    let page: Int?
    init(page: Int?) { self.page = page }
    init(from input: RouteInput) throws(RouteError) { page = nil }
    func write(to output: inout RouteOutput) { output.set("page", to: page) }
  }

  /// Its `new` is another route's.
  private struct NamedRoute: Route, Equatable {
    static let pattern: RoutePattern = "estate://named/{name}"
    static let exposure: Exposure = .moduleOnly
    let name: String
    init(name: String) { self.name = name }
    init(from input: RouteInput) throws(RouteError) { name = try input.value("name") }
    func write(to output: inout RouteOutput) { output.set("name", to: name) }
  }
  private struct NewRoute: ParameterlessRoute { static let pattern: RoutePattern = "estate://named/new" }

  /// Has no equality.
  private struct LooseRoute: Route {
    static let pattern: RoutePattern = "estate://loose?page={page:int?}"
    let page: Int?
    init(page: Int?) { self.page = page }
    init(from input: RouteInput) throws(RouteError) {
      page = (try input.optional("page") as Int?).map { $0 / 2 * 2 }
    }
    func write(to output: inout RouteOutput) { output.set("page", to: page) }
  }

  private static func run() throws -> MediationRun {
    var kit = MediationKitTests.kit()
    kit.stub(ForgetfulRoute.self) { _, _ in }
    kit.stub(NamedRoute.self) { _, _ in }
    kit.stub(NewRoute.self) { _, _ in }
    kit.stub(LooseRoute.self) { _, _ in }
    return try kit.start()
  }

  @Test func `routes that keep the law pass`() throws {
    let run = try Self.run()
    try run.checkRoundTrip(HomeRoute(id: 1), HomeRoute(id: -5, tab: "a/b c&d=é"))
    try run.checkRoundTrip(ListRoute(kind: "x", sort: nil), ListRoute(kind: "%2F", sort: ""))
    try run.checkRoundTrip(NamedRoute(name: "old"))
    try run.checkRoundTrip(LooseRoute(page: nil), LooseRoute(page: 4))
    try MediationKit.checkRoundTrip(HomeRoute(id: 2, tab: "t"))
  }

  @Test func `a route that reads other than it writes is named with its URL`() throws {
    let failure = #expect(throws: MediationCheckFailure.self) {
      try Self.run().checkRoundTrip(ForgetfulRoute(page: nil), ForgetfulRoute(page: 2))
    }
    #expect(
      failure?.description == """
        The URL of a route leads back to it.
        - ForgetfulRoute(page: Optional(2)): its URL estate://forgetful?page=2 reads back as ForgetfulRoute(page: nil); \
        write and read the same parameters.
        """)
    #expect(throws: MediationCheckFailure.self) { try MediationKit.checkRoundTrip(ForgetfulRoute(page: 2)) }
  }

  @Test func `a URL that another route takes is found`() throws {
    let failure = #expect(throws: MediationCheckFailure.self) {
      try Self.run().checkRoundTrip(NamedRoute(name: "new"))
    }
    #expect(
      failure?.problems == [
        "NamedRoute(name: \"new\"): its URL estate://named/new leads to NewRoute of module Stubs; change one of the patterns."
      ])
  }

  @Test func `a route without equality is compared by its URL, and one that no URL can carry is named`()
    throws
  {
    let failure = #expect(throws: MediationCheckFailure.self) {
      try Self.run().checkRoundTrip(LooseRoute(page: 3))
    }
    #expect(failure?.problems.first?.contains("is written again as estate://loose?page=2") == true)
    let unwritable = #expect(throws: MediationCheckFailure.self) {
      try Self.run().checkRoundTrip(NamedRoute(name: ".."))
    }
    #expect(unwritable?.problems.first?.contains("Parameter \"name\"") == true)
  }
}
