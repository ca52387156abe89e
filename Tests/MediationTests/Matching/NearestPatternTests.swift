import Testing

@testable import Mediation

@Suite struct NearestPatternTests {
  private static func nearest(_ text: String, _ patterns: [RoutePattern]) throws -> (String?, steps: Int) {
    var search = NearestPattern(to: try RouteURL(text))
    let found = search.find(among: patterns)
    return (found?.text, search.steps)
  }

  @Test(
    "The hint is the most similar pattern, if one is similar enough",
    arguments: [
      ("estate://hom/42", "estate://home/{id:int}"),
      ("estate://home/42/photo", "estate://home/{id:int}/photos"),
      ("estat://login", "estate://login"), ("estate://offers/list/2", "estate://offers/{page:int?}"),
      ("estate://ofers", "estate://offers/{page:int?}"), ("estate://files/a/b/c", "estate://file/{path...}"),
      ("estate://home", "estate://home/{id:int}"), ("estate://login/now", "estate://login"),
      ("estate://weather", nil), ("estate://x", nil), ("estate://h", nil),
    ] as [(String, String?)])
  func hint(_ text: String, _ expected: String?) throws {
    let patterns: [RoutePattern] = [
      "estate://home/{id:int}", "estate://home/{id:int}/photos", "estate://login",
      "estate://offers/{page:int?}", "estate://file/{path...}",
    ]
    #expect(try Self.nearest(text, patterns).0 == expected)
  }

  @Test("The first of two equally similar patterns is the hint")
  func firstOfEqual() throws {
    #expect(try Self.nearest("estate://hone", ["estate://home", "estate://hose"]).0 == "estate://home")
  }

  @Test("The work of a search has a limit that does not depend on the number of patterns")
  func boundedWork() throws {
    let url = "estate://a-rather-long-host-name/with-a-rather-long-segment/42"
    var steps: [Int] = []
    for count in [2_046, 20_000, 100_000] {
      // As similar as patterns can be that are not the nearest, so that none is discarded early.
      let patterns = try (0..<count).map { number in
        try RoutePattern("estate://a-rather-long-host-nome/with-a-rather-long-segment-\(number)/{id:int}")
      }
      steps.append(try Self.nearest(url, patterns).steps)
    }
    #expect(steps.allSatisfy { $0 <= NearestPattern.maximumSteps })
    #expect(steps[1] == steps[2])
  }

  @Test(
    "In a table of 2,046 patterns the hint is found, wherever it is declared", arguments: [0, 1_000, 2_045])
  func largeTable(position: Int) throws {
    var patterns = try (0..<2_046).map {
      try RoutePattern("estate://module-\($0 / 50)/screen-\($0)/{id:int}")
    }
    patterns[position] = "estate://weather/forecast/{day}"
    let (found, steps) = try Self.nearest("estate://weather/forcast/monday", patterns)
    #expect(found == "estate://weather/forecast/{day}")
    #expect(steps < NearestPattern.maximumSteps)
  }
}
