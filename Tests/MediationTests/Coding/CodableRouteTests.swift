import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct CodableRouteTests {
  enum HomeKind: String, Codable, CaseIterable { case house, condo, multi }

  /// A day that only some texts stand for.
  struct Day: RouteValue, Codable, Hashable {
    let number: Int
    init(number: Int) { self.number = number }
    init?(routeText: String) {
      guard routeText.hasPrefix("day"), let number = Int(routeText.dropFirst(3)) else { return nil }
      self.number = number
    }
    var routeText: String { "day\(number)" }
  }

  struct HomeID: RawRepresentable, Codable, Hashable { let rawValue: Int }

  struct ListingsRoute: Route, Codable, Equatable {
    typealias Output = String
    static let pattern: RoutePattern =
      "estate://listings/{kind:house|condo|multi}/{id:int}?city={city?}&max={limit:double}&tag={tags?}&sold={sold:bool?}"
    static let aliases: [RoutePattern] = [
      "estate://l?kind={kind:multi|house|condo}&id={id:int}&max={limit:double}"
    ]
    static let exposure: Exposure = .link([.push])
    var kind: HomeKind
    var id: HomeID
    var city: String?
    var limit: Double
    var tags: [String] = []
    var sold: Bool?
  }

  struct FilesRoute: Route, Codable, Equatable {
    typealias Output = [String]
    static let pattern: RoutePattern = "estate://files/{path...}"
    let path: [String]
  }

  struct PageRoute: Route, Codable, Equatable {
    typealias Output = Int8
    static let pattern: RoutePattern = "estate://page/{number:int?}"
    var number: Int8?
  }

  static func mediator() throws -> Mediator {
    let module = TestModule { table in
      table.action(ListingsRoute.self) { route, _ in "\(route.kind) \(route.id.rawValue) \(route.tags)" }
      table.action(FilesRoute.self) { route, _ in route.path }
      table.action(PageRoute.self) { route, _ in route.number ?? 0 }
    }
    return try Mediator(schemes: ["estate"], modules: [module])
  }

  @Test(
    "What a Codable route writes is read back",
    arguments: [
      ListingsRoute(
        kind: .condo, id: HomeID(rawValue: -7), city: "a&b=c d/é", limit: 1.5, tags: ["x", "", "y z"]),
      ListingsRoute(kind: .multi, id: HomeID(rawValue: .max), limit: 0, sold: false),
    ])
  func roundTrip(_ route: ListingsRoute) async throws {
    let mediator = try Self.mediator()
    let url = try mediator.url(for: route)
    let answer = "\(route.kind) \(route.id.rawValue) \(route.tags)"
    #expect(try await mediator.open(url, returning: String.self) == answer)
    #expect(try await mediator.call(route) == answer)
    #expect(try mediator.route(at: url, asking: "Homes") as? ListingsRoute == route)
  }

  @Test("Tails, aliases, wrapped values and absent optionals are read")
  func shapes() async throws {
    let mediator = try Self.mediator()
    #expect(try mediator.url(for: FilesRoute(path: ["a", "b c"])) == "estate://files/a/b%20c")
    #expect(try await mediator.open("estate://files/a/b%20c", returning: [String].self) == ["a", "b c"])
    #expect(try mediator.url(for: PageRoute()) == "estate://page")
    #expect(try await mediator.open("estate://page", returning: Int8.self) == 0)
    #expect(try await mediator.open("estate://page/7", returning: Int8.self) == 7)
    #expect(
      try await mediator.open("estate://l?kind=house&id=3&max=1", returning: String.self) == "house 3 []")
  }

  @Test(
    "A value that a property does not accept is a parameter error with the remedy",
    arguments: [
      ("estate://page/300", "cannot be read as Int8"),
      ("estate://listings/flat/1?max=1", #"one of "house", "condo", "multi""#),
      ("estate://l?kind=flat&id=1&max=1", #"one of "multi", "house", "condo""#),
      ("estate://listings/house/1?max=x", "Parameter \"limit\""),
      ("estate://listings/house/1", "Parameter \"limit\""),
    ])
  func unacceptedValue(_ url: String, _ message: String) async throws {
    let mediator = try Self.mediator()
    let error = await #expect(throws: RouteError.self) { try await mediator.open(url) }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test("A repeated field of one value is an error in an external URL, and a list is not")
  func repeated() async throws {
    let mediator = try Self.mediator()
    let start = "estate://listings/house/1?max=1"
    try await mediator.receive(start + "&tag=a&tag=b", from: .push)
    let error = await #expect(throws: RouteError.self) {
      try await mediator.receive(start + "&city=a&city=b", from: .push)
    }
    #expect(error == .parameter(name: "city", reason: .repeated))
  }

  struct NumbersRoute: Route, Codable, Equatable {
    typealias Output = Float
    static let pattern: RoutePattern =
      "estate://numbers/{ratio:double}?limit={limit:int?}&range={bounds:int?}&kinds={kinds:house|condo|multi?}"
    var ratio: Float
    var limit: UInt8?
    var bounds: Range<Int>
    var kinds: Set<HomeKind> = []
  }

  @Test(
    "Numbers of any size, ranges and sets are written and read back, and a value out of range is an error")
  func numbers() async throws {
    let module = TestModule { $0.action(NumbersRoute.self) { route, _ in route.ratio } }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    for route in [
      NumbersRoute(ratio: 0.1, limit: 255, bounds: -3..<7, kinds: [.house, .multi]),
      NumbersRoute(ratio: -.greatestFiniteMagnitude, bounds: 0..<0),
    ] {
      let url = try mediator.url(for: route)
      #expect(try mediator.route(at: url, asking: "Homes") as? NumbersRoute == route)
    }
    for url in [
      "estate://numbers/1e39?range=1&range=2", "estate://numbers/1?limit=256&range=1&range=2",
      "estate://numbers/1?limit=-1&range=1&range=2", "estate://numbers/1?range=1",
      "estate://numbers/1?range=1&range=2&kinds=flat",
    ] {
      await #expect(throws: RouteError.self, "\(url)") { try await mediator.open(url) }
    }
    #expect(throws: RouteError.self) { try mediator.url(for: NumbersRoute(ratio: .nan, bounds: 0..<0)) }
  }

  private struct Lossy: Route, Encodable {
    static let pattern: RoutePattern = "estate://lossy?a={a?}&b={b?}"
    var a: [Int?] = []
    var b: [[Int]] = []
    init(a: [Int?] = [], b: [[Int]] = []) { (self.a, self.b) = (a, b) }
    init(from input: RouteInput) throws(RouteError) { self.init() }
  }

  @Test("A value that would be read back as another one is not written")
  func lossy() throws {
    let mediator = try Self.mediator()
    #expect(try mediator.url(for: Lossy(a: [1, 2])) == "estate://lossy?a=1&a=2")
    for route in [Lossy(a: [1, nil]), Lossy(b: [[1], [2]]), Lossy(b: [[]])] {
      #expect(throws: RouteError.self, "\(route)") { try mediator.url(for: route) }
    }
  }
}
