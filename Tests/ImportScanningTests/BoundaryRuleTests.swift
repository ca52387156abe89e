import ImportScanning
import Testing

@Suite struct BoundaryRuleTests {
  private let rule = BoundaryRule(
    module: "Listings",
    forbidden: [
      ForbiddenModule(name: "Mortgage", contract: "MortgageRoutes"), ForbiddenModule(name: "Help"),
    ])

  @Test func `a violation reads like a compiler error and says what to do`() {
    let source = "import MortgageRoutes\nimport struct Mortgage.Offer\n"
    #expect(
      rule.violations(in: source.utf8, path: "/a/List.swift").map(\.description) == [
        "/a/List.swift:2:15: error: module 'Listings' may not import module 'Mortgage'; "
          + "open its route by URL, or depend on MortgageRoutes"
      ])
  }

  @Test func `a module without a contract is told to declare one`() {
    #expect(
      rule.violations(in: "import Help".utf8, path: "L.swift").map(\.imported.remedy) == [
        "open its route by URL, or declare its typed routes in a target HelpRoutes and depend on that"
      ])
  }

  @Test func `every violation is reported, in order, and nothing else`() {
    let source = "import Help\nimport Mediation\n#if DEBUG\nimport Mortgage\n#endif\nimport Help"
    #expect(rule.violations(in: source.utf8, path: "").map(\.declaration.line) == [1, 4, 6])
  }
}
