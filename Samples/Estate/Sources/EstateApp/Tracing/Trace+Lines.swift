import Screens
import Switchyard

/// How much the app prints about each request.
package enum TraceDetail: Sendable, Hashable {
  /// One line, and at the end the waterfall of the slowest request.
  case line
  /// Every step with its own time, and the transport's phases.
  case steps
}

extension Trace {
  /// The trace as lines of text: the request's line, and on demand its steps with their own time and the
  /// transport's phases.
  func lines(_ detail: TraceDetail) -> [String] {
    let first = "  · \(line)"
    guard detail == .steps else { return [first] }
    return [first]
      + steps.map { step in
        "      " + Amounts.padded(step.label, to: 26) + Amounts.milliseconds(step.own ?? .zero)
      } + transports.map { "      \(Self.line($0))" }
  }

  /// The request in one line: what was asked, the redirects, the outcome, the attempts, why there was no
  /// other one, the time, and what the cache did.
  var line: String {
    let hops = redirects.map { "\($0.status.code) → " }.joined()
    let last = steps.map(\.attempt).max() ?? 1
    let attempt = last > 1 ? " at attempt \(last)" : ""
    let end = status.map { "\($0.code)" } ?? error?.label ?? "no answer"
    let time = steps.first?.total.map { ", \(Amounts.milliseconds($0))" } ?? ""
    let refusal = retryRefusal.map { ", not retried: \($0.label)" } ?? ""
    let cache = cache.map { ", cache: \($0)" } ?? ""
    return "\(summary.method.rawValue) \(summary.scheme)://\(summary.authority)\(summary.path) → "
      + "\(hops)\(end)\(attempt)\(refusal)\(time)\(cache)"
  }

  private static func line(_ report: TransportReport) -> String {
    let phases = report.phases.named.map { "\($0.name) \(Amounts.milliseconds($0.time))" }
    let coding = report.contentCoding.map { " (\($0))" } ?? ""
    return "\(report.version?.rawValue ?? "HTTP") to \(report.remoteAddress ?? "?"), "
      + (report.connectionWasReused ? "reused" : "new") + " connection: \(phases.joined(separator: ", ")); "
      + "\(report.bytes.sent) B out, \(report.bytes.received) B in\(coding)"
  }
}

extension Trace.Step {
  /// The name, with the attempt if it isn't the first one.
  var label: String { attempt > 1 ? "\(name) (attempt \(attempt))" : name }
}
