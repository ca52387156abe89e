import ImportScanning
import Testing

@Suite struct BoundaryRuleTests {
  private let rule = BoundaryRule(
    module: "Listings",
    forbidden: [
      ForbiddenModule(name: "Mortgage", contract: "MortgageRoutes"), ForbiddenModule(name: "Help"),
    ])

  @Test("A violation has the format of a compiler error and contains the remedy")
  func description() {
    let source = "import MortgageRoutes\nimport struct Mortgage.Offer\n"
    #expect(
      rule.violations(in: source.utf8, path: "/a/List.swift").map(\.description) == [
        "/a/List.swift:2:15: error: module 'Listings' may not import module 'Mortgage'; "
          + "open its route by URL, or depend on MortgageRoutes"
      ])
  }

  @Test("The remedy for a module without a contract is to declare one")
  func noContract() {
    #expect(
      rule.violations(in: "import Help".utf8, path: "L.swift").map(\.imported.remedy) == [
        "open its route by URL, or declare its typed routes in a target HelpRoutes and depend on that"
      ])
  }

  @Test("All violations are reported in source order")
  func order() {
    let source = "import Help\nimport Mediation\n#if DEBUG\nimport Mortgage\n#endif\nimport Help"
    #expect(rule.violations(in: source.utf8, path: "").map(\.declaration.line) == [1, 4, 6])
  }
}
