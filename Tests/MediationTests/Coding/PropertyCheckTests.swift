import Mediation
import Testing

@Suite struct PropertyCheckTests {
  private struct Wrong: Route, Codable {
    static let pattern: RoutePattern =
      "estate://a/{id}/{kind:house|condo}/{path...}?page={page:int}&city={city?}&extra={extra}"
    let id: Int
    let kind: CodableRouteTests.HomeKind
    let path: String
    var page: Int?
    let city: String
    let price: Double
    let tags: [String]
  }

  private struct Nested: Route, Codable {
    struct Area: Codable { let width: Int }
    static let pattern: RoutePattern = "estate://b/{area}"
    let area: Area
  }

  private struct Strict: Route, Codable {
    static let pattern: RoutePattern = "estate://c/{day}"
    let day: CodableRouteTests.Day
  }

  /// Reads its parameters itself, so that its properties are its own business.
  private struct Manual: Route, Codable {
    static let pattern: RoutePattern = "estate://d/{number:int}"
    let id: Int
    init(from input: RouteInput) throws(RouteError) { id = try input.value("number") }
    func write(to output: inout RouteOutput) { output.set("number", to: id) }
  }

  private struct Start: ParameterlessRoute, Codable { static let pattern: RoutePattern = "estate://e" }

  private static func faults(_ declare: @escaping @Sendable (inout RouteTable) -> Void) -> [RouteTableIssue
    .Fault]
  {
    do {
      _ = try Mediator(schemes: ["estate"], modules: [TestModule("Homes", declare)])
      return []
    } catch {
      return error.faults
    }
  }

  @Test("Every property and placeholder that do not agree are reported at once, with file and line")
  func disagreements() throws {
    let line = #line + 1
    let faults = Self.faults { $0.action(Wrong.self) { _, _ in } }
    var problems: [String: String] = [:]
    for fault in faults {
      guard case .property(let place, let property, let placeholder, let problem) = fault else {
        Issue.record("\(fault)")
        continue
      }
      #expect(place.file.hasSuffix("PropertyCheckTests.swift") && place.line == line)
      #expect(fault.description.contains("PropertyCheckTests.swift:\(line)"))
      problems["\(property ?? "-") \(placeholder ?? "-")"] = problem
    }
    #expect(
      problems == [
        "id id": "it does not accept every text; write {id:int}",
        "kind kind": "it does not accept every house|condo; write {kind:house|condo|multi}",
        "path path": "its placeholder is a tail, whose segments are texts; make it an array of String",
        "page page":
          "it is optional, and its placeholder is not; write {page:int?}, or make the property required",
        "city city": "its placeholder is optional; make the property optional, or remove the \"?\"",
        "price -": "there is no placeholder for it; add {price:double}, or remove the property",
        "tags -": "there is no placeholder for it; add {tags...} or a query field, or remove the property",
        "- extra": "no property is called \"extra\"; add one, or remove the placeholder",
      ])
  }

  @Test("A property that cannot be checked is a fault that names it and the remedy")
  func unreadable() throws {
    let nested = Self.faults { $0.action(Nested.self) { _, _ in } }
    guard case .property(_, "area", "area", let problem)? = nested.first else {
      Issue.record("\(nested)")
      return
    }
    #expect(problem.contains("conform its type to RouteValue"))
    let strict = Self.faults { $0.action(Strict.self) { _, _ in } }
    guard case .property(_, "day", "day", let reason)? = strict.first else {
      Issue.record("\(strict)")
      return
    }
    #expect(reason.contains("Day cannot be read from the sample \"x\""))
  }

  @Test("A route that reads its parameters itself is not checked, nor is one without parameters")
  func unchecked() async throws {
    let faults = Self.faults { table in
      table.action(Manual.self) { _, _ in }
      table.action(Start.self) { _, _ in }
    }
    #expect(faults.isEmpty)
    let mediator = try Mediator(
      schemes: ["estate"], modules: [TestModule { $0.action(Manual.self) { _, _ in } }])
    #expect(mediator.canOpen("estate://d/1"))
  }
}
