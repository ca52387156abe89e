import Observation
import Testing

@testable import FeatureFlags

@Suite("Deployed flags")
struct DeployedFlagsTests {
  enum Style: String, FlagValue, CaseIterable { case rows, map }

  enum Flags {
    static let express = FeatureFlag("checkout.express", default: false)
    static let attempts = FeatureFlag("checkout.attempts", default: 3, in: 1...5)
    static let discount = FeatureFlag("checkout.discount", default: 0.0, in: 0...0.5)
    static let label = FeatureFlag("price.label", default: "Asking price")
    static let style = FeatureFlag("list.style", default: Style.rows)
    static let all: [any AnyFeatureFlag] = [express, attempts, discount, label, style]
  }

  private static func text(_ value: String) -> FlagContent { FlagContent(.text(value)) }

  @Test("Flags have their defaults, then the values of a document, then their defaults again")
  func values() throws {
    let flags = try DeployedFlags(Flags.all)
    #expect(!flags[Flags.express] && flags[Flags.attempts] == 3 && flags[Flags.style] == .rows)
    flags.apply(
      try flags.checked([
        "checkout.express": FlagContent(.boolean(true)), "checkout.attempts": FlagContent(.integer(5)),
        "checkout.discount": FlagContent(.number(0.25)), "price.label": Self.text("Price"),
        "list.style": Self.text("map"), "later.flag": FlagContent(.integer(1)),
      ]))
    #expect(flags[Flags.express] && flags[Flags.attempts] == 5 && flags[Flags.discount] == 0.25)
    #expect(flags[Flags.label] == "Price" && flags[Flags.style] == .map)
    flags.apply(try flags.checked(["checkout.discount": FlagContent(.integer(0))]))
    #expect(!flags[Flags.express] && flags[Flags.attempts] == 3 && flags[Flags.label] == "Asking price")
  }

  @Test(
    "A value of another type or beyond the range is refused with the flag and what it should be",
    arguments: [
      ("checkout.express", .integer(1), "should be true or false"),
      ("checkout.express", .text("true"), "should be true or false"),
      ("checkout.attempts", .integer(0), "should be 1 to 5"),
      ("checkout.attempts", .integer(6), "should be 1 to 5"),
      ("checkout.attempts", .number(2.5), "should be an integer"),
      ("checkout.attempts", .boolean(true), "should be an integer"),
      ("checkout.discount", .number(0.51), "should be 0.0 to 0.5"),
      ("checkout.discount", .text("0"), "should be a number"),
      ("price.label", .boolean(false), "should be a text"),
      ("list.style", .text("Map"), "should be one of \"rows\", \"map\""),
      ("list.style", .integer(0), "should be one of \"rows\", \"map\""),
    ] as [(String, FlagContent.Value, String)])
  func refusals(_ name: String, _ value: FlagContent.Value, _ problem: String) throws {
    let flags = try DeployedFlags(Flags.all)
    flags.apply(try flags.checked(["price.label": Self.text("Price")]))
    #expect(throws: FlagFault(name: name, problem: problem)) {
      try flags.checked(["later.flag": Self.text("Other")].merging([name: FlagContent(value)]) { $1 })
    }
    #expect(flags[Flags.label] == "Price")
  }

  @Test("A flag that is not listed has its default, even if a document has its name")
  func unlisted() throws {
    let flags = try DeployedFlags([Flags.express])
    flags.apply(try flags.checked(["price.label": Self.text("Price")]))
    #expect(flags[Flags.label] == "Asking price")
  }

  @Test("Two flags of one name are an issue that names it")
  func repeated() {
    let other = FeatureFlag("price.label", default: 1)
    #expect(throws: FlagIssue(repeatedNames: ["price.label"])) { try DeployedFlags(Flags.all + [other]) }
    #expect("\(FlagIssue(repeatedNames: ["a", "b"]))".contains("\"a\", \"b\""))
  }

  @Test("A screen that observes a flag is notified when a document changes it", .timeLimit(.minutes(5)))
  @MainActor func observing() async throws {
    let flags = try DeployedFlags(Flags.all)
    let table = try flags.checked(["price.label": Self.text("Price")])
    await withCheckedContinuation { continuation in
      withObservationTracking {
        #expect(flags.observed(Flags.label) == "Asking price")
      } onChange: {
        continuation.resume()
      }
      flags.apply(table)
    }
    await Task { @MainActor in }.value
    #expect(flags.observed(Flags.label) == "Price")
  }
}
