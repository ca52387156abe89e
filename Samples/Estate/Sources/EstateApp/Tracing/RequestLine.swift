import Screens
import Switchyard

/// A request in one line: what was asked, the redirects, the outcome, the attempts, why there was no other
/// one, the time, and what the cache did.
struct RequestLine {
  let text: String

  init(_ trace: Trace) {
    let summary = trace.summary
    let hops = trace.redirects.map { "\($0.status.code) → " }.joined()
    let last = trace.steps.map(\.attempt).max() ?? 1
    let attempt = last > 1 ? " at attempt \(last)" : ""
    let end = trace.status.map { "\($0.code)" } ?? trace.error?.label ?? "no answer"
    let time = trace.steps.first?.total.map { ", \(Amounts.milliseconds($0))" } ?? ""
    let refusal = trace.retryRefusal.map { ", not retried: \($0.label)" } ?? ""
    let cache = trace.cache.map { ", cache: \($0)" } ?? ""
    text =
      "\(summary.method.rawValue) \(summary.scheme)://\(summary.authority)\(summary.path) → \(hops)\(end)\(attempt)\(refusal)\(time)\(cache)"
  }
}
