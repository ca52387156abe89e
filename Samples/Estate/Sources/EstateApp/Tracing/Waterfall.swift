import Screens
import Switchyard

/// A request as a waterfall: a row for each step and each phase of the transport, with a bar where its time
/// lies.
///
/// A trace tells how much time a step took by itself, not when; the waterfall draws all of it before the
/// steps inside.
struct Waterfall {
  private struct Row {
    let name: String
    let start: Duration
    let time: Duration
  }

  private static let width = 40

  let lines: [String]

  init(_ trace: Trace) {
    var rows: [Row] = []
    var clock = Duration.zero
    var transports = trace.transports[...]
    for (index, step) in trace.steps.enumerated() {
      let own = step.own ?? .zero
      rows.append(Row(name: step.label, start: clock, time: own))
      let isInnermost = index + 1 == trace.steps.count || trace.steps[index + 1].attempt > step.attempt
      if isInnermost, let report = transports.popFirst() {
        rows += Self.phases(of: report, from: clock)
      }
      clock += own
    }
    let total = max(clock, .microseconds(1))
    let longest = rows.map(\.name.count).max() ?? 0
    lines =
      ["The slowest request that was answered: \(trace.line)"]
      + rows.map { row in
        let first = Int(row.start / total * Double(Self.width))
        let last = Int((row.start + row.time) / total * Double(Self.width))
        let indent = String(repeating: " ", count: min(first, Self.width - 1))
        let bar = last > first ? String(repeating: "█", count: last - first) : "▏"
        let time = Amounts.padded(Amounts.milliseconds(row.time), to: 12)
        return "  " + Amounts.padded(row.name, to: max(24, longest + 2)) + time + indent + bar
      }
  }

  private static func phases(of report: TransportReport, from start: Duration) -> [Row] {
    var clock = start
    return report.phases.named.map { phase in
      defer { clock += phase.time }
      return Row(name: "  \(phase.name)", start: clock, time: phase.time)
    }
  }
}
