import Screens
import Switchyard

/// A trace as lines of text: the request's line, and on demand its steps with their own time and the
/// transport's phases.
struct TraceReport {
  let lines: [String]

  init(_ trace: Trace, detail: TraceDetail) {
    var lines = ["  · \(RequestLine(trace).text)"]
    if detail == .steps {
      lines += trace.steps.map { step in
        let attempt = step.attempt > 1 ? " (attempt \(step.attempt))" : ""
        let time = Amounts.milliseconds(step.own ?? .zero)
        return "      " + Amounts.padded(step.name + attempt, to: 26) + time
      }
      lines += trace.transports.map { "      \(Self.line($0))" }
    }
    self.lines = lines
  }

  private static func line(_ report: TransportReport) -> String {
    let phases = report.phases.named.map { "\($0.name) \(Amounts.milliseconds($0.time))" }
    let coding = report.contentCoding.map { " (\($0))" } ?? ""
    return "\(report.version?.rawValue ?? "HTTP") to \(report.remoteAddress ?? "?"), "
      + (report.connectionWasReused ? "reused" : "new") + " connection: \(phases.joined(separator: ", ")); "
      + "\(report.bytes.sent) B out, \(report.bytes.received) B in\(coding)"
  }
}
