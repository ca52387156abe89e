import ArgumentParser
import Foundation
import Measuring

extension SideBySide {
  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Measures, prints a line per figure, and exits with 1 if a bar is missed.")
    @OptionGroup var setting: Setting
    @Flag(help: "Fewer requests and three rounds.") var quick = false
    @Flag(help: "Print a table; the lines go to standard error.") var markdown = false
    @Option(help: "A Markdown file that becomes the table and the causes it has, with --markdown.")
    var results: String?
    @Option(help: "A file with output lines of other programs, which are rows of the table, too.")
    var lines: String?
    @Option(help: "Only the figures whose name matches this regular expression.") var only: String?

    func run() throws {
      let experiments = try wanted()
      // Fail early, because measuring takes long.
      let previous = try results.map { try String(contentsOfFile: $0, encoding: .utf8) }
      let others = try lines.map { try String(contentsOfFile: $0, encoding: .utf8) } ?? ""
      let bench = try Bench(programs: setting.built, folder: setting.folder, isQuick: quick)
      let outcomes = try measure(experiments, bench)
      let rows =
        outcomes.map { MarkdownTable.Row($0) }
        + others.split(separator: "\n").compactMap { MarkdownTable.Row(line: String($0)) }
      if markdown {
        let table = MarkdownTable(caption: caption(bench.instructions.name), rows)
        print(table, terminator: "")
        if let results {
          let document = ResultsDocument(table, carryingOver: previous)
          try "\(document)".write(toFile: results, atomically: true, encoding: .utf8)
          for figure in document.figuresWithoutCause {
            say("bench: \(figure) misses its bar; write a line of cause in \(results)")
          }
          for figure in document.figuresWithoutMiss {
            say("bench: \(figure) does not miss its bar; remove its line of cause in \(results)")
          }
        }
      }
      if rows.contains(where: \.isMissed) { throw ExitCode(1) }
    }

    /// Runs the experiments, and returns the outcomes in the order of the catalogue.
    ///
    /// A full run is ended as soon as the machine is found to be slow: before it begins, and every five
    /// minutes.
    private func measure(_ experiments: [Experiment], _ bench: Bench) throws -> [Outcome] {
      var outcomes: [String: Outcome] = [:]
      var times: [(name: String, seconds: Double)] = []
      var lastCheck: ContinuousClock.Instant?
      for experiment in Experiment.merged(experiments) {
        let start = ContinuousClock.now
        if !quick, only == nil, lastCheck.map({ start - $0 > .seconds(300) }) ?? true {
          try Pace.check(bench)
          lastCheck = start
        }
        for outcome in bench.run(experiment) {
          outcomes[outcome.figure.name] = outcome
          say("\(outcome)")
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        times.append((experiment.comparisons.first?.figure.name ?? "-", seconds))
      }
      let total = times.reduce(0) { $0 + $1.seconds }
      let longest = times.sorted { $0.seconds > $1.seconds }.prefix(5)
        .map { "\($0.name) \(Decimals.text($0.seconds, 0)) s" }
      Pace.warn(
        "measured for \(Decimals.text(total / 60, 1)) minutes, of which \(longest.joined(separator: ", "))")
      return experiments.flatMap(\.comparisons).compactMap { outcomes[$0.figure.name] }
    }

    private func wanted() throws -> [Experiment] {
      guard let only else { return Catalogue.experiments }
      let pattern: Regex<AnyRegexOutput>
      do { pattern = try Regex(only) } catch {
        throw ValidationError("--only is not a regular expression: \(only)")
      }
      let kept = Catalogue.experiments.compactMap { experiment in
        experiment.keeping { $0.firstMatch(of: pattern) != nil }
      }
      guard !kept.isEmpty else {
        throw ValidationError("No figure's name matches \(only); --list prints the names.")
      }
      return kept
    }

    private func say(_ line: String) {
      if markdown { FileHandle.standardError.write(Data("\(line)\n".utf8)) } else { print(line) }
      fflush(nil)
    }

    private func caption(_ counter: String) -> String {
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = [.withFullDate]
      return
        "Measured on \(formatter.string(from: Date())) with `Scripts/bench --markdown\(quick ? " --quick" : "")`: "
        + "\(Machine.here()), nginx on the same machine; the median of \(quick ? "3" : "11 (wire) or 5") interleaved rounds, "
        + "`routes.*` the minimum, `footprint.*.build` one build; instructions of user code per request by \(counter)."
    }
  }
}
