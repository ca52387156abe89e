import Screens

/// The metrics of a run as lines: the calls of each API with their errors and mean time, and the gauges of
/// the dispatcher.
struct MetricsReport {
  private struct API {
    var calls = 0
    var cached = 0
    var errors = 0
    var total = Duration.zero
  }

  let lines: [String]

  init(_ metrics: RequestMetrics) {
    var apis: [String: API] = [:]
    for (dimensions, times) in metrics.timers("switchyard.call.duration") {
      let name = dimensions["switchyard.api"] ?? "none"
      apis[name, default: API()].calls += times.count
      apis[name, default: API()].total += times.total
      if dimensions["switchyard.source"] == "cache" { apis[name, default: API()].cached += times.count }
      if dimensions["error.type"] != "none" { apis[name, default: API()].errors += times.count }
    }
    var lines = [Self.row("API", "calls", "cached", "errors", "mean")]
    lines += apis.sorted { $0.key < $1.key }.map { name, api in
      Self.row(
        name, "\(api.calls)", "\(api.cached)", "\(api.errors)",
        Amounts.milliseconds(api.calls == 0 ? .zero : api.total / api.calls))
    }
    let gauges = [
      ("waiting", "switchyard.queue.length"), ("running", "switchyard.requests.running"),
      ("connections", "switchyard.connections.open"),
    ]
    let values = gauges.compactMap { name, label in
      metrics.values(label).first.map { "\(name) \(Int($0.value))" }
    }
    if !values.isEmpty { lines.append("dispatcher: " + values.joined(separator: ", ")) }
    self.lines = lines
  }

  private static func row(_ cells: String...) -> String {
    zip(cells, [24, 8, 8, 8, 12]).map { Amounts.padded($0, to: $1) }.joined()
  }
}
