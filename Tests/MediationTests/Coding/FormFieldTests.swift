import Testing

@testable import Mediation

/// The fields that a form sends for what was left out, and sets.
@Suite struct FormFieldTests {
  enum Sort: String, Codable, RouteValue {
    case price, age
    static let routeSample: String? = "age"
  }
  enum Kind: String, Codable, CaseIterable { case house, condo }

  struct SearchRoute: Route, Codable, Equatable {
    static let pattern: RoutePattern =
      "estate://search?page={page:int?}&max={max:double?}&new={isNew:bool?}&kind={kind:house|condo?}&sort={sort?}&q={words?}&n={numbers:int?}"
    static let exposure: Exposure = .link([.push])
    var page: Int?
    var max: Double?
    var isNew: Bool?
    var kind: Kind?
    var sort: Sort?
    var words: String?
    var numbers: [Int] = []
  }

  /// The same, read without Codable and from placeholders of any text.
  struct LooseRoute: Route {
    static let pattern: RoutePattern = "estate://loose?page={page?}&new={isNew?}&q={words?}&n={numbers?}"
    static let exposure: Exposure = .link([.push])
    let page: Int?
    let isNew: Bool?
    let words: String?
    let numbers: [Int]
    init(from input: RouteInput) throws(RouteError) {
      page = try input.optional("page")
      isNew = try input.optional("isNew")
      words = try input.optional("words")
      numbers = try input.all("numbers")
    }
    func write(to output: inout RouteOutput) {}
  }

  private static func mediator() throws -> Mediator {
    let module = TestModule { table in
      table.action(SearchRoute.self) { _, _ in }
      table.action(LooseRoute.self) { _, _ in }
      table.action(PriceRoute.self) { route, _ in route.id }
    }
    return try Mediator(schemes: ["estate"], modules: [module])
  }

  @Test(
    "An empty field for an optional number, Bool or enumeration is nil, and for a text an empty text",
    arguments: ["page=&max=&new=&kind=&sort=&q=&n=", "page&max&new&kind&sort&q&n", "n=&page=&sort=&q="])
  func empty(_ query: String) async throws {
    let mediator = try Self.mediator()
    let route = try mediator.route(at: "estate://search?\(query)", asking: "Homes")
    #expect(route as? SearchRoute == SearchRoute(words: ""))
    // From outside, too.
    try await mediator.receive("estate://search?\(query)", from: .push)
  }

  @Test("An empty field beside another of its name counts as absent")
  func besides() async throws {
    let mediator = try Self.mediator()
    let route = try mediator.route(at: "estate://search?page=&page=3&n=&n=4&n=5", asking: "Homes")
    #expect(route as? SearchRoute == SearchRoute(page: 3, numbers: [4, 5]))
    try await mediator.receive("estate://search?page=&page=3", from: .push)
  }

  @Test("A route that reads placeholders of any text reads empty fields alike")
  func loose() throws {
    let route = try Self.mediator().route(at: "estate://loose?page=&new=&q=&n=&n=1", asking: "Homes")
    let loose = try #require(route as? LooseRoute)
    #expect(loose.page == nil && loose.isNew == nil && loose.words == "" && loose.numbers == [1])
  }

  @Test(
    "A field that is not empty, and an empty one that is required, still have to be of their kind",
    arguments: [
      ("estate://search?page=x", "page"), ("estate://search?new=1", "isNew"),
      ("estate://search?kind=x", "kind"),
      ("estate://search?sort=x", "sort"), ("estate://price?id=", "id"),
    ])
  func refused(_ url: String, _ name: String) async throws {
    let error = await #expect(throws: RouteError.self) { try await Self.mediator().open(url) }
    guard case .parameter(name, _, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  struct TagsRoute: Route, Codable, Equatable {
    static let pattern: RoutePattern = "estate://tags?tag={tags?}&n={numbers:int?}&more={more?}"
    /// Writes its set as its own single value.
    struct Wrapped: Codable, Equatable {
      var texts: Set<String>
      init(_ texts: Set<String>) { self.texts = texts }
      init(from decoder: any Decoder) throws {
        texts = try decoder.singleValueContainer().decode(Set<String>.self)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(texts)
      }
    }
    let tags: Set<String>
    let numbers: Set<Int>
    var more = Wrapped([])
  }

  @Test("Equal sets write one URL, in the order of their texts", arguments: 1..<20)
  func sets(_ round: Int) throws {
    let texts = (0..<40).map { "t\(($0 * 7919 * round) % 101)" }
    var other = Set(texts.reversed())
    // A set with room for more iterates in another order.
    other.reserveCapacity(64 << (round % 6))
    let numbers = Set(texts.map(\.utf8.count) + [10, 9, round])
    let mediator = try Self.mediator()
    let url = try mediator.url(
      for: TagsRoute(tags: Set(texts), numbers: numbers, more: TagsRoute.Wrapped(Set(texts))))
    #expect(
      try mediator.url(for: TagsRoute(tags: other, numbers: numbers, more: TagsRoute.Wrapped(other))) == url)
    let tags = try RouteURL(url).values(named: "tag")
    #expect(tags == Set(texts).sorted())
    #expect(try RouteURL(url).values(named: "more") == tags)
    #expect(try RouteURL(url).values(named: "n") == numbers.map(String.init).sorted())
  }
}
