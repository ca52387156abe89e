import ModuleScaffolding
import Testing

@Suite("The options of new-module")
struct NewModuleOptionsTests {
  @Test("All options are read, in any order and with both forms of values")
  func all() throws {
    let options = try NewModuleOptions([
      "--scheme", "shop", "Offers", "--modules=Features", "--with-api", "--layers", "--dry-run",
    ])
    #expect(options.name == "Offers" && options.scheme == "shop" && options.folder == "Features")
    #expect(options.withAPI && options.withLayers && options.isDry && !options.showsHelp)
    let plain = try NewModuleOptions(["Offers"])
    #expect(plain.scheme == nil && plain.folder == "Modules" && !plain.withAPI && !plain.isDry)
    #expect(!plain.withLayers)
  }

  @Test("Help needs no name", arguments: [["--help"], ["-h"], ["A", "B", "--help"]])
  func help(words: [String]) throws { #expect(try NewModuleOptions(words).showsHelp) }

  @Test(
    "A fault names the word",
    arguments: [
      (["Offers", "--with-tests"], "the option --with-tests is unknown; there are --with-api, --layers,"),
      (["--witth-api=1", "A"], "the option --witth-api is unknown"), (["-x"], "the option -x is unknown"),
      (["A", "--scheme"], "the option --scheme needs a value"),
      (["A", "--scheme", "--dry-run"], "the option --scheme needs a value"),
      (["A", "--modules="], "the option --modules needs a value"),
      (["A", "--dry-run=yes"], "the option --dry-run takes no value"),
      (["A", "--layers=4"], "the option --layers takes no value"),
      (["A", "B"], "give one name instead of A, B"),
      ([], "give one name;"),
    ] as [([String], String)])
  func faults(words: [String], reason: String) throws {
    let error = #expect(throws: NewModuleOptionsError.self) { try NewModuleOptions(words) }
    #expect(error?.description.hasPrefix(reason) == true, "\(String(describing: error))")
  }
}

@Suite("The place of an app's mediator")
struct MediatorPlaceTests {
  @Test(
    "The first call in code is found",
    arguments: [
      ("let mediator = try Mediator(schemes: [])", 1), ("a\nb = try Mediator(\n  modules: all)", 2),
      ("// Mediator(schemes: [\"shop\"])\nlet text = \"Mediator(\"\n\nlet it = try Mediator(schemes: [])", 4),
      ("/* Mediator(\n */ try Mediator.init(schemes: [])", 2), ("func makeMediator(\n) {}", nil),
      ("let it: Mediator\n", nil), ("MyMediator()\n.Mediator()", nil), ("", nil),
    ] as [(String, Int?)])
  func line(text: String, expected: Int?) { #expect(MediatorPlace.line(in: text) == expected) }
}
