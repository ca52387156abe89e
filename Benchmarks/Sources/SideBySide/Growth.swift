import ArgumentParser
import Foundation
import Glibc
import Measuring

extension SideBySide {
  struct Growth: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Measures each kind of load at increasing sizes, and exits with 1 if a bar is missed.")
    @OptionGroup var setting: Setting
    @Flag(help: "Without the two largest sizes of each kind.") var quick = false
    @Option(help: "Only the figures whose name matches this regular expression.") var only: String?
    @Option(help: "A folder that gets the lines and plots.") var plots: String?
    @Option(help: "A file of lines that were printed before, of which the plots are made without measuring.")
    var from: String?

    func run() throws {
      let pattern: Regex<AnyRegexOutput>?
      do { pattern = try only.map { try Regex($0) } } catch {
        throw ValidationError("--only is not a regular expression: \(only ?? "")")
      }
      let isWanted: (String) -> Bool = { name in
        pattern.map { name.firstMatch(of: $0) != nil } ?? true
      }
      let earlier = try from.map { try String(contentsOfFile: $0, encoding: .utf8) }
      let bench =
        earlier == nil
        ? try GrowthBench(programs: setting.built, folder: setting.folder, isQuick: quick) : nil
      var (lines, isMissed) = ([String](), false)
      var panels: [Measuring.Unit: [GrowthPlot.Panel]] = [:]
      for kind in GrowthKind.all {
        let quantities = kind.quantities.filter { isWanted(kind.figure($0)) }
        guard !quantities.isEmpty else { continue }
        let report = { (outcome: Outcome) in
          lines.append("\(outcome)")
          isMissed = isMissed || outcome.verdict == .miss
          print(outcome)
          fflush(nil)
        }
        let finding =
          bench?.run(kind, quantities, report) ?? kind.read(earlier ?? "", quantities, report)
        for quantity in quantities {
          guard let series = finding[quantity.name] else { continue }
          panels[quantity.unit, default: []].append(
            GrowthPlot.Panel(quantity.title, axis: kind.axis, quantity.unit, series))
        }
      }
      guard !lines.isEmpty else {
        throw ValidationError("No figure's name matches \(only ?? ""); --list prints the names.")
      }
      if let plots { try write(lines, panels, into: URL(fileURLWithPath: plots)) }
      if isMissed { throw ExitCode(1) }
    }

    private func write(
      _ lines: [String], _ panels: [Measuring.Unit: [GrowthPlot.Panel]], into folder: URL
    ) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let files = [
        ("time.svg", "\(GrowthPlot("Processor time per unit", panels[.nanoseconds] ?? []))"),
        ("memory.svg", "\(GrowthPlot("Heap memory per unit", panels[.bytes] ?? []))"),
        ("lines.txt", lines.joined(separator: "\n") + "\n"),
      ]
      for (name, text) in files {
        try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
      }
    }
  }
}

/// Measures loads of growing sizes.
struct GrowthBench {
  private let programs: Programs
  private let folder: URL
  private let isQuick: Bool
  private let server: Nginx

  init(programs: Programs, folder: URL, isQuick: Bool) throws {
    self.programs = programs
    self.folder = folder
    self.isQuick = isQuick
    server = try Nginx(in: folder)
  }

  /// Measures all sizes of a kind; reports each, and then how its quantities grow.
  func run(
    _ kind: GrowthKind, _ quantities: [GrowthKind.Quantity], _ report: (Outcome) -> Void
  ) -> [String: GrowthSeries] {
    var series: [String: GrowthSeries] = [:]
    var failure: String?
    for size in kind.sizes(isQuick: isQuick) {
      let figures = quantities.map { (name: $0.name, figure: Figure("\(kind.figure($0)).\(size)", $0.unit)) }
      if let reason = Machine.shortage(ofDescriptors: kind.descriptors(size)) {
        for (_, figure) in figures { report(Outcome(figure, .skipped(reason))) }
        continue
      }
      do {
        let values = try least(kind, size)
        for (name, figure) in figures {
          guard let value = values[name] else { throw Trouble("a program printed no \(name)") }
          series[name, default: GrowthSeries()].add(.init(size: size, value: value))
          report(Outcome(figure, .measured(ours: value, peer: nil)))
        }
      } catch {
        failure = "\(size) \(kind.axis): \(error)"
        for (_, figure) in figures { report(Outcome(figure, .failed("\(error)"))) }
      }
    }
    kind.judge(series, quantities, failure: failure, report)
    return series
  }

  /// Returns the least value of several rounds for each quantity, because disturbances only add.
  ///
  /// The rounds of a size take at least 3 s, unless there are five.
  private func least(_ kind: GrowthKind, _ size: Int) throws -> [String: Double] {
    var values: [String: Double] = [:]
    let start = ContinuousClock.now
    for _ in 0..<5 {
      let path = folder.appendingPathComponent("growth-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: path) }
      let place = GrowthPlace(port: server.growthPort, path: path.appendingPathComponent("file").path)
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      let arguments =
        [kind.subcommand ?? kind.name, "--size", "\(size)", "--requests", "\(kind.requests(size))"]
        + kind.arguments(place)
      let output = try programs.growth(arguments).run().output
      guard let line = ResultLine(in: output) else { throw Trouble("a program printed no result") }
      for quantity in kind.quantities {
        guard let value = line.number(quantity.name) else { continue }
        values[quantity.name] = min(value, values[quantity.name] ?? value)
      }
      if ContinuousClock.now - start > .seconds(3) { break }
    }
    return values
  }
}
