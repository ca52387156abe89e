import ArgumentParser
import Foundation
import Measuring

extension SideBySide {
  struct Profile: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Samples one of our programs with perf and prints where the time was spent.")
    @OptionGroup var setting: Setting
    @Argument(help: "The name of a figure, or the part of it before `.vs-`.") var name: String
    @Option(help: "The number of lines printed per table.") var lines = 45

    func run() throws {
      guard let experiment = Catalogue.experiments.first(where: names) else {
        throw ValidationError("No figure is named \(name); --list prints the names.")
      }
      guard let perf = Program.find("perf") else {
        throw ValidationError("perf is missing; run Scripts/install-dependencies --profiler")
      }
      let bench = try Bench(programs: setting.built, folder: setting.folder, isQuick: false)
      guard let program = try bench.subject(of: experiment) else {
        throw ValidationError(
          "\(name) has no single program to sample; choose a wire, chain or memory figure.")
      }
      let recording = setting.folder.appendingPathComponent("perf.data").path
      let ending = try Program(
        path: perf,
        arguments: ["record", "-q", "-e", "cpu-clock", "-F", "1999", "-o", recording, "--", program.path]
          + program.arguments,
        environment: program.environment
      ).run()
      print(ending.output, terminator: "")
      for columns in ["pid", "pid,dso", "symbol,dso"] { try report(perf, recording, columns) }
    }

    private func names(_ experiment: Experiment) -> Bool {
      experiment.comparisons.contains { $0.figure.name == name || $0.figure.name.hasPrefix("\(name).vs-") }
    }

    private func report(_ perf: String, _ recording: String, _ columns: String) throws {
      let text = try Program(
        path: perf,
        arguments: ["report", "--stdio", "--no-children", "-q", "-i", recording, "--sort", columns]
      ).run().output
      let rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { row in
        row.replacingOccurrences(of: "[ -]+$", with: "", options: .regularExpression)
      }
      print("\n\(columns)\n\(rows.prefix(lines).joined(separator: "\n"))")
    }
  }
}
