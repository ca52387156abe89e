import ArgumentParser
import Foundation
import Interception
import RequestFiles
import ToolCommands

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Sends the requests of files, and checks the responses.",
    discussion: """
      A file FILE.http or FILE.rest has the format of editors, any other one that of hurl. All files are parsed \
      before the first request is sent. The requests of a file are sent in its order, with their own cookies, and \
      the first failure ends the file. The content of each file's last response is written to standard output, \
      unless --test is set.

      Exits with 1 if an assertion failed, with 120 if a file is malformed or lacks a variable, and with the \
      status of the failure if a request had no response; the first two of these precede in reverse order.
      """)

  @Argument(
    help: ArgumentHelp("The files; - for standard input, in the format of hurl.", valueName: "file"),
    completion: .file(extensions: ["hurl", "http", "rest"]))
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "A variable, which precedes those of files; a number, true, false or null, unless the value is in quotes.",
      valueName: "name=value"))
  var variable: [String] = []

  @Option(
    help: ArgumentHelp("A file of variables, one name=value per line.", valueName: "file"),
    completion: .file())
  var variablesFile: [String] = []

  @Option(
    help: ArgumentHelp(
      "A variable whose value is hidden in all that is written; with NAME alone, the value of that variable of the environment.",
      valueName: "name[=value]"))
  var secret: [String] = []

  @Flag(help: "Writes a line for each file and a summary to standard error, and no content.")
  var test = false

  @Option(help: ArgumentHelp("How many files run at the same time; 1 by default.", valueName: "number"))
  var parallel = 1

  @Option(
    help: ArgumentHelp("Writes the outcomes in the format of JUnit.", valueName: "file"),
    completion: .file(extensions: ["xml"]))
  var reportJunit: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the files that requests name, which lie nowhere else; by default that of each request file.",
      valueName: "directory"),
    completion: .directory)
  var fileRoot: String?

  @OptionGroup var chain: ChainOptions

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Name a file, such as tests.hurl.") }
    guard (1...100).contains(parallel) else { throw ValidationError("--parallel must be 1 to 100.") }
    guard files.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("Standard input can be read once; name it once.")
    }
  }

  func run() async throws {
    try await perform { [self] in try await runFiles() }
  }

  private func runFiles() async throws {
    let (variables, secrets) = (try givenVariables(), try givenSecrets())
    let parsed = try parsedFiles()
    let session = try Session(chain, retries: chain.retry ?? 0, keepsCookies: true)
    let runs = zip(files, parsed).enumerated().map { index, pair in
      RequestFileRun(
        file: pair.1, number: index, root: FileRoot(fileRoot ?? Self.folder(of: pair.0)),
        environment: Environment(
          of: pair.1, variables: variables, secrets: secrets, generators: .system),
        chain: chain, pipeline: session.pipeline)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let outcomes = try await outcomes(of: runs)
    let duration = start.duration(to: clock.now)
    var scrubber = SecretScrubber(Array(secrets.values))
    for outcome in outcomes { scrubber.formUnion(outcome.scrubber) }
    try await session.finish(nil, failure: nil, scrubber: scrubber)
    try Task.checkCancellation()
    if let reportJunit {
      let report = JUnitReport(outcomes.map(\.suite)).hidingSecrets(by: scrubber).text
      try OutputTarget.write(Array(report.utf8), to: reportJunit)
    }
    if test { try Terminal.error.line(RunSummary.line(outcomes, duration)) }
    if let status = RunSummary.status(of: outcomes) { throw ToolFailure(status, "") }
  }

  /// Runs the files, a limited number at the same time, and writes what they have in their order.
  private func outcomes(of runs: [RequestFileRun]) async throws -> [RequestFileOutcome] {
    try await withThrowingTaskGroup(of: (Int, RequestFileOutcome).self) { group in
      var outcomes = [RequestFileOutcome?](repeating: nil, count: runs.count)
      var (started, written) = (0, 0)
      while written < runs.count {
        while started < runs.count, started - outcomes.count(where: { $0 != nil }) < parallel {
          let index = started
          group.addTask { (index, await runs[index].outcome()) }
          started += 1
        }
        guard let (index, outcome) = try await group.next() else { break }
        outcomes[index] = outcome
        while written < runs.count, let outcome = outcomes[written] {
          try Task.checkCancellation()
          try write(outcome)
          written += 1
        }
      }
      return outcomes.compactMap { $0 }
    }
  }

  private func write(_ outcome: RequestFileOutcome) throws(ToolFailure) {
    try Terminal.error.lines(outcome.reports.joined().map { Printable.text($0) })
    if test {
      let ink = Terminal.error.ink
      let verdict = outcome.status == nil ? ink(.green, "passed") : ink(.red, "failed")
      try Terminal.error.line(
        "\(Printable.text(outcome.suite.name)): \(verdict), \(Figures.count(outcome.requestCount, "request")) in \(Figures.text(outcome.duration))"
      )
    } else if let content = outcome.content {
      guard !Terminal.output.isTerminal || !content.contains(0) else {
        Terminal.note(
          "the last content of \(Printable.text(outcome.suite.name)) is not text, and is not written to the terminal"
        )
        return
      }
      try OutputTarget(nil).write(outcome.scrubber.bytes(content))
    }
  }

  // MARK: Input

  /// Parses all files, and reports each one that is malformed.
  private func parsedFiles() throws(ToolFailure) -> [RequestFile] {
    var parsed: [RequestFile] = []
    var faultCount = 0
    for path in files {
      let name = path == "-" ? "(standard input)" : path
      let bytes = try InputFile.bytes(of: path, upTo: SourceText.maximumBytes)
      var source: SourceText?
      do throws(FileFault) {
        let text = try SourceText(name: name, bytes: bytes)
        source = text
        parsed.append(try RequestFile(text, format: .init(fileName: path)))
      } catch {
        faultCount += 1
        let report = source?.report(error) ?? ["\(name): \(error.message)"]
        try Terminal.error.lines(report.map { Printable.text($0) })
      }
    }
    guard faultCount == 0 else {
      throw ToolFailure(
        .malformedFile,
        "\(Figures.count(faultCount, "file")) of requests can't be used; nothing was sent.")
    }
    return parsed
  }

  private func givenVariables() throws(ToolFailure) -> [String: Value] {
    var variables: [String: Value] = [:]
    for path in variablesFile {
      let bytes = try InputFile.bytes(of: path, upTo: SourceText.maximumBytes)
      do throws(FileFault) {
        let source = try SourceText(name: path, bytes: bytes)
        do throws(FileFault) {
          variables.merge(try VariablesFile.variables(source)) { $1 }
        } catch {
          // The line itself is not shown, because it may have a secret.
          let line = source.position(of: error.span).line
          throw FileFault("Line \(line): \(error.message)", at: error.span)
        }
      } catch {
        throw ToolFailure(.malformedFile, "\(Printable.text(path)): \(error.message)")
      }
    }
    for text in variable {
      guard let (name, value) = Self.pair(text), let value else {
        throw ToolFailure(.usage, "--variable needs NAME=VALUE, with a name of letters, digits, _ and -.")
      }
      variables[name] = Value(variable: value)
    }
    return variables
  }

  private func givenSecrets() throws(ToolFailure) -> [String: String] {
    var secrets: [String: String] = [:]
    for text in secret {
      guard let (name, given) = Self.pair(text) else {
        throw ToolFailure(
          .usage, "--secret needs NAME=VALUE or NAME, with a name of letters, digits, _ and -.")
      }
      guard let value = given ?? ProcessInfo.processInfo.environment[name], !value.isEmpty else {
        throw ToolFailure(
          .usage, "--secret \(name) has no value; write it after =, or set the environment variable \(name).")
      }
      secrets[name] = value
    }
    return secrets
  }

  /// Returns the name and the value of "name=value"; the value is nil without an equals sign.
  private static func pair(_ text: String) -> (name: String, value: String?)? {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isName =
      !halves[0].isEmpty
      && halves[0].unicodeScalars.allSatisfy { scalar in
        scalar == "_" || scalar == "-" || ("0"..."9").contains(scalar) || scalar.properties.isAlphabetic
      }
    return isName ? (String(halves[0]), halves.count == 2 ? String(halves[1]) : nil) : nil
  }

  private static func folder(of path: String) -> String {
    path == "-" ? "." : URL(filePath: path).deletingLastPathComponent().path
  }
}

extension Environment.Generators {
  /// The values of the system.
  fileprivate static let system = Environment.Generators(
    uuid: { UUID().uuidString.lowercased() },
    now: { Moment(seconds: Int(Date().timeIntervalSince1970)) },
    random: { Int.random(in: $0) })
}

/// The outcome of all files.
private enum RunSummary {
  static func line(_ outcomes: [RequestFileOutcome], _ duration: Duration) -> String {
    let failed = outcomes.count { $0.status != nil }
    let requests = outcomes.reduce(0) { $0 + $1.requestCount }
    return
      "\(Figures.count(outcomes.count, "file")), \(failed) failed; \(Figures.count(requests, "request")) in \(Figures.text(duration))"
  }

  /// The exit status: a malformed file precedes a request without a response, and that a failed assertion.
  static func status(of outcomes: [RequestFileOutcome]) -> ExitStatus? {
    let statuses = outcomes.compactMap(\.status)
    return statuses.first { $0 == .malformedFile } ?? statuses.first { $0 != .refused } ?? statuses.first
  }
}
