import ImportScanning
import Testing

@Suite("The options of verify-modules")
struct VerificationOptionsTests {
  @Test("All options are read, in any order and with both forms of values")
  func all() throws {
    let options = try VerificationOptions([
      "--modules", "Features", "--layers", "--modules=Parts", "--hand-over", "state", "--quiet",
    ])
    #expect(options.folders == ["Features", "Parts"] && options.checksLayers && options.isQuiet)
    #expect(options.handOver == .state && !options.showsHelp)
    let plain = try VerificationOptions([])
    #expect(plain.folders == [] && !plain.checksLayers && plain.handOver == nil && !plain.isQuiet)
    #expect(try VerificationOptions(["-h"]).showsHelp)
  }

  @Test("Each way is permitted by its name", arguments: HandOver.allCases)
  func ways(way: HandOver) throws {
    #expect(try VerificationOptions(["--hand-over=\(way.rawValue)"]).handOver == way)
    #expect(
      try VerificationOptions(["--hand-over", way.rawValue, "--hand-over", way.rawValue]).handOver == way)
  }

  @Test(
    "A fault names the word",
    arguments: [
      (["--hand-over", "block"], "--hand-over block is unknown; there are delegate, async, state"),
      (["--hand-over", "State"], "--hand-over State is unknown"),
      (["--hand-over"], "the option --hand-over needs a value"),
      (["--hand-over", "--layers"], "the option --hand-over needs a value"),
      (["--hand-over=async", "--hand-over=state"], "--hand-over permits one way"),
      (["--layers=yes"], "the option --layers takes no value"),
      (["--modules="], "the option --modules needs"),
      (["--layer"], "unknown argument --layer; see"), (["Listings"], "unknown argument Listings"),
      ([""], "unknown argument ;"),
    ] as [([String], String)])
  func faults(words: [String], reason: String) throws {
    let error = #expect(throws: VerificationOptionsError.self) { try VerificationOptions(words) }
    #expect(error?.description.hasPrefix(reason) == true, "\(String(describing: error))")
  }
}
