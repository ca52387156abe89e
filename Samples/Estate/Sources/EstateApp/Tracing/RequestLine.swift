import HTTPTypes
import Interception
import TerminalScreens

/// A request in one line: what was asked, the outcome, the time, and what the cache did.
struct RequestLine {
  let text: String

  init(_ trace: Trace) {
    let summary = trace.summary
    let end = trace.status.map { "\($0.code)" } ?? trace.error?.label ?? "no answer"
    let time = trace.steps.first?.total.map { ", \(Amounts.milliseconds($0))" } ?? ""
    let cache = trace.cache.map { ", cache: \($0)" } ?? ""
    text =
      "\(summary.method.rawValue) \(summary.scheme)://\(summary.authority)\(summary.path) → \(end)\(time)\(cache)"
  }
}
