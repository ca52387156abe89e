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
    @Option(help: "A Markdown file in which the table replaces the previous one, with --markdown.")
    var results: String?
    @Option(help: "Only the figures whose name matches this regular expression.") var only: String?

    func run() throws {
      let experiments = try wanted()
      // Fails early, because measuring takes long.
      if let results { _ = try document(results, with: "") }
      let bench = try Bench(programs: setting.built, folder: setting.folder, isQuick: quick)
      var outcomes: [Outcome] = []
      for experiment in experiments {
        for outcome in bench.run(experiment) {
          outcomes.append(outcome)
          say("\(outcome)")
        }
      }
      if markdown {
        let table = "\(MarkdownTable(caption: caption(bench.instructions.name), outcomes))"
        print(table, terminator: "")
        if let results {
          try document(results, with: table).write(toFile: results, atomically: true, encoding: .utf8)
        }
      }
      if outcomes.contains(where: { $0.verdict == .miss }) { throw ExitCode(1) }
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

    /// Returns the text of the results file with `table` inserted.
    private func document(_ file: String, with table: String) throws -> String {
      let document = try String(contentsOfFile: file, encoding: .utf8)
      guard let text = MarkdownSection.replaced(in: document, by: table) else {
        throw ValidationError(
          "\(file) needs the lines \"\(MarkdownSection.start)\" and \"\(MarkdownSection.end)\", once each.")
      }
      return text
    }

    private func say(_ line: String) {
      if markdown { FileHandle.standardError.write(Data("\(line)\n".utf8)) } else { print(line) }
      fflush(nil)
    }

    private func caption(_ counter: String) -> String {
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = [.withFullDate]
      let machine = MachineSize.here()
      return "Measured on \(formatter.string(from: Date())) with `Scripts/bench\(quick ? " --quick" : "")`: "
        + "\(machine), nginx on the same machine, the median of \(quick ? 3 : 5) interleaved rounds; "
        + "instructions by \(counter)."
    }
  }
}
