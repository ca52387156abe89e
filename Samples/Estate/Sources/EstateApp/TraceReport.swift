import HTTPTypes
import Interception
import TerminalScreens

/// A trace as lines of text: the steps in order with their own time, the cache, the transport's phases.
struct TraceReport {
  let lines: [String]

  init(_ trace: Trace) {
    let summary = trace.summary
    let end = trace.status.map { "\($0.code)" } ?? trace.error?.label ?? "no answer"
    let cache = trace.cache.map { ", cache: \($0)" } ?? ""
    var lines = [
      "  · \(summary.method.rawValue) \(summary.scheme)://\(summary.authority)\(summary.path) → \(end)\(cache)"
    ]
    lines += trace.steps.map { step in
      let attempt = step.attempt > 1 ? " (attempt \(step.attempt))" : ""
      return "      " + Amounts.padded(step.name + attempt, to: 26) + Self.milliseconds(step.own ?? .zero)
    }
    lines += trace.transports.map { "      " + Self.line($0) }
    self.lines = lines
  }

  private static func line(_ report: TransportReport) -> String {
    let phases = report.phases.named.map { "\($0.name) \(milliseconds($0.time))" }.joined(separator: ", ")
    let coding = report.contentCoding.map { " (\($0))" } ?? ""
    return "\(report.version?.rawValue ?? "HTTP") to \(report.remoteAddress ?? "?"), "
      + (report.connectionWasReused ? "reused" : "new") + " connection: \(phases); "
      + "\(report.bytes.sent) B out, \(report.bytes.received) B in\(coding)"
  }

  private static func milliseconds(_ time: Duration) -> String {
    let microseconds = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
    let rest = String(microseconds % 1_000)
    return "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest + " ms"
  }
}
