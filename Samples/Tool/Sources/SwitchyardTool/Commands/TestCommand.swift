import ArgumentParser
import Foundation
import Inspection
import ToolCommands

struct TestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Writes a test that reproduces a recorded call.",
    discussion: """
      The recording is an HTTP Archive (HAR), of a browser, of the library's HARRecorder or inspector, or the \
      file in which the inspector keeps calls. For each named call it writes a file of Swift Testing, and a \
      cassette with the call's attempts and redirects beside it. Each cassette is replayed before its test is \
      written. What may be secret is hidden, and the test says what was.
      """)

  @Argument(
    help: "The archive, - for standard input, or the inspector's file of calls.",
    completion: .file(extensions: ["har", "sqlite"]))
  var recording: String

  @Flag(help: "Lists the calls, and writes nothing.") var list = false

  @Option(help: ArgumentHelp("The call with this number, of --list; can be repeated.", valueName: "number"))
  var call: [Int] = []

  @Option(help: ArgumentHelp("The calls whose first URL matches.", valueName: "regex")) var url: String?

  @Flag(help: "The calls that failed, or whose status is 400 or above.") var failed = false

  @Option(
    help: ArgumentHelp("The folder of the test.", valueName: "folder"), completion: .directory)
  var out = "."

  @Option(help: ArgumentHelp("The name of the test; by default that of the request.", valueName: "name"))
  var name: String?

  @Flag(help: "Replaces files that exist.") var force = false

  @Option(
    help: ArgumentHelp(
      "Shows the values of query parameters, form fields and JSON members of this name in foreign archives; can "
        + "be repeated.", valueName: "name"))
  var showValue: [String] = []

  @Flag(help: "Writes the contents of foreign archives as they are, which may be secret.") var bodies = false

  /// The maximum number of tests of one run.
  private static let limit = 100

  func validate() throws {
    guard name.map(CallTestName.isValid) ?? true else {
      throw ValidationError("--name must be the name of a type: up to 60 letters and digits.")
    }
  }

  func run() async throws {
    try await perform { [self] in
      let recorded = try read()
      if recorded.omittedCount > 0 {
        Terminal.note("\(recorded.omittedCount) entries could not be read, and were left out")
      }
      let selection = CallSelection(numbers: call, pattern: url, onlyFailures: failed)
      guard !list else { return try show(try selection.listed(recorded.calls)) }
      let calls = try selection.chosen(recorded.calls)
      guard calls.count <= Self.limit else {
        throw ToolFailure(.usage, "\(calls.count) calls match, and \(Self.limit) tests are written at most.")
      }
      guard name == nil || calls.count == 1 else {
        throw ToolFailure(.usage, "--name is for one call, and \(calls.count) match; name one with --call.")
      }
      try await write(calls)
    }
  }

  private func read() throws(ToolFailure) -> RecordedCalls {
    let bytes = try InputFile.bytes(of: recording, upTo: 512 << 20)
    guard bytes.starts(with: "SQLite format 3\0".utf8) else {
      return try RecordedCalls(
        archive: bytes, hiding: HiddenValues(showingValuesOf: Set(showValue), showsContents: bodies))
    }
    guard recording != "-" else {
      throw ToolFailure(.unreadable, "The inspector's file can't be read from standard input; name it.")
    }
    let kept: [ArchivedCall]
    do throws(InspectorError) { kept = try Inspector.calls(keptIn: recording) } catch {
      throw ToolFailure(.unreadable, Printable.text("\(error)"))
    }
    return try RecordedCalls(kept: kept)
  }

  private func show(_ calls: [RecordedCall]) throws(ToolFailure) {
    let width = String(calls.last?.number ?? 0).count
    try Terminal.output.lines(calls.map { $0.line(Terminal.output.ink, numberWidth: width) })
  }

  private func write(_ calls: [RecordedCall]) async throws(ToolFailure) {
    let files = FileSet(in: out, replacing: force)
    var lines: [String] = []
    var codes: [(file: String, code: String)] = []
    let names = name.map { [$0] } ?? CallTestName.distinct(calls)
    for (call, name) in zip(calls, names) {
      // The cassette's path needs only the name.
      let cassette = try files.add("\(CallTest.folder)/\(name).json")
      let reproduction = try await CallReproduction.find(of: call, writing: cassette)
      let test = CallTest(
        of: call, replaying: reproduction.replayed, over: reproduction.chain, name: name,
        tool: ConnectionOptions.version)
      for content in test.contentFiles { try files.add(content.path, content.bytes) }
      codes.append((test.codeFile, test.code))
      lines.append("\(test.codeFile): \(Printable.text(call.target)) → \(call.word)\(call.steps)")
      lines.append("  over \(reproduction.chain.words), with \(test.cassetteFile)")
      lines += call.gaps.map { "  \(Printable.text($0))" }
    }
    // The code last, so that no test lacks its cassette.
    for (file, code) in codes { try files.add(file, Array(code.utf8)) }
    try files.finish()
    try Terminal.output.lines(lines)
    Terminal.note("name the folder in the test target: exclude: [\"\(CallTest.folder)\"]")
  }
}
