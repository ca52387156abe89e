import Mediation
import Testing

/// Types that decode themselves in unusual ways: the check ends, and either accepts them or says what to do.
@Suite(.timeLimit(.minutes(5))) struct UnusualTypesTests {
  /// Declares a route with one property of a type, and returns what is wrong with it.
  private static func problems<R: Route>(_ route: R.Type) -> [String] where R.Output == Void {
    do {
      _ = try Mediator(
        schemes: ["estate"], modules: [TestModule { $0.action(route) { _, _ in } }])
      return []
    } catch {
      return error.faults.map { fault in
        guard case .property(_, let property, _, let problem) = fault else { return "\(fault)" }
        return "\(property ?? "-"): \(problem)"
      }
    }
  }

  private struct Endless: Codable, Sendable {
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      while (try? list.decode(Int.self)) != nil {}
    }
    func encode(to encoder: any Encoder) throws {}
  }

  private struct EndlessRoute: Route, Codable {
    static let pattern: RoutePattern = "estate://a?n={n:int?}"
    let n: Endless
  }

  private struct SelfMade: Codable, Sendable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if (try? container.decode(SelfMade.self)) == nil { _ = try container.decode(SelfMade.self) }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(self)
    }
  }

  private struct SelfMadeRoute: Route, Codable {
    static let pattern: RoutePattern = "estate://a/{value}"
    let value: SelfMade
  }

  private struct Huge: CaseIterable, Codable, Sendable {
    static var allCases: LazyMapSequence<ClosedRange<Int>, Huge> {
      (0...Int.max).lazy.map(Huge.init(rawValue:))
    }
    let rawValue: Int
    init(rawValue: Int) { self.rawValue = rawValue }
    init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(Int.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(rawValue)
    }
  }

  private struct HugeRoute: Route, Codable {
    static let pattern: RoutePattern = "estate://a/{value:int}"
    let value: Huge
  }

  @Test("A type that decodes itself without end is a fault, and an endless list or enumeration is cut off")
  func endless() {
    #expect(Self.problems(EndlessRoute.self) == [])
    #expect(
      Self.problems(SelfMadeRoute.self) == [
        "value: its type is wrapped more than 8 times; conform it to RouteValue"
      ])
    #expect(Self.problems(HugeRoute.self) == [])
  }

  /// Accepts a number as well as a text.
  private struct Flexible: Codable, Sendable {
    let text: String
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = try (try? container.decode(Int.self)).map { String($0) } ?? container.decode(String.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  private struct FlexibleRoute: Route, Codable {
    static let pattern: RoutePattern = "estate://a/{id}"
    static let aliases: [RoutePattern] = ["estate://b/{id:int}"]
    let id: Flexible
  }

  /// A code that only some texts stand for.
  private struct Code: RouteValue, Codable {
    static let routeSample: String? = "c1"
    let number: Int
    init?(routeText: String) {
      guard routeText.hasPrefix("c"), let number = Int(routeText.dropFirst()) else { return nil }
      self.number = number
    }
    var routeText: String { "c\(number)" }
  }

  private struct CodeRoute: Route, Codable {
    static let pattern: RoutePattern = "estate://a/{code}?city={city}"
    let code: Code
    let city: String?
  }

  @Test("A type that tries several types is checked with the placeholder's sample, or with its own sample")
  func samples() {
    #expect(Self.problems(FlexibleRoute.self) == [])
    #expect(
      Self.problems(CodeRoute.self) == [
        "city: it is optional, and its placeholder is not; write {city?}, or make the property required"
      ])
  }

  /// Checks its values itself.
  private struct Strict: Route, Codable {
    static let pattern: RoutePattern = "estate://a/{id:int}/{name}"
    let id: Int
    private enum CodingKeys: CodingKey { case id }
    init(from decoder: any Decoder) throws {
      id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
      if id < 100 { throw RouteError.parameter(name: "id", reason: .refused("it is less than 100")) }
    }
  }

  private struct Defaulted: Route, Codable {
    static let pattern: RoutePattern = "estate://a?page={page:int?}"
    let page: Int
    private enum CodingKeys: CodingKey { case page }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      page = try container.decodeIfPresent(Int.self, forKey: .page) ?? 1
    }
  }

  @Test("A route that decodes itself may give absent values a default, and may reject the samples")
  func ownDecoding() async throws {
    #expect(Self.problems(Strict.self) == [])
    #expect(Self.problems(Defaulted.self) == [])
  }

  private enum Cased: Route, Codable {
    static let pattern: RoutePattern = "estate://a/{id}"
    case one(id: Int)
    case all
  }

  private enum Raw: String, Route, Codable {
    static let pattern: RoutePattern = "estate://a/{raw}"
    case one, two
  }

  private struct Lists: Route, Codable {
    static let pattern: RoutePattern = "estate://a/{path...}?ids={ids:int?}&rows={rows:int?}"
    let ids: [Int]?
    let path: [Int]
    let rows: [[Int]]
  }

  private struct Gaps: Route, Codable {
    static let pattern: RoutePattern = "estate://a?gaps={gaps:int?}"
    let gaps: [Int?]
  }

  @Test("A route or a list that no URL can carry is a fault with the remedy")
  func unwritable() {
    let remedy = "write init(from:) and write(to:) for it"
    for problems in [Self.problems(Cased.self), Self.problems(Raw.self)] {
      #expect(problems.count == 1 && problems.allSatisfy { $0.hasSuffix(remedy) }, "\(problems)")
    }
    #expect(
      Self.problems(Lists.self) == [
        "rows: no single text stands for its value; give an enumeration raw values, conform its type to "
          + "RouteValue, or use its parts as properties",
        "ids: it is a list and optional; a list without elements is empty, so make it required",
        "path: its placeholder is a tail, whose segments are texts; make it an array of String",
      ])
    #expect(
      Self.problems(Gaps.self) == ["gaps: an element of a list cannot be nil; make the elements required"])
  }

  private enum Tone: String, Codable { case high, low }
  private enum Only: String, Codable, CaseIterable { case one }

  private struct Tones: Route, Codable {
    static let pattern: RoutePattern = "estate://a/{tone:high|low|middle}/{only}"
    let tone: Tone
    let only: Only
  }

  @Test("A text of an enumeration that the property does not accept is named, even without CaseIterable")
  func refusedText() {
    #expect(
      Self.problems(Tones.self) == [
        "tone: it does not accept the text \"middle\" of its placeholder; remove the text, or add a case",
        "only: its only value is \"one\"; write that in place of the placeholder, and remove the property",
      ])
  }
}
