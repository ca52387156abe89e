import CoreMetrics
import Screens
import Synchronization

/// Metrics in memory: the sum and number of each timer, and the last value of each gauge.
///
/// An app would bootstrap a factory that exports them, such as one for Prometheus or OpenTelemetry.
final class RequestMetrics: MetricsFactory {
  struct Name: Hashable {
    let label: String
    let dimensions: [String: String]
  }

  struct Times {
    var count = 0
    var total = Duration.zero
  }

  private struct State {
    var timers: [Name: Times] = [:]
    var counts: [Name: Double] = [:]
  }

  private let state = Mutex(State())

  func timers(_ label: String) -> [(dimensions: [String: String], times: Times)] {
    state.withLock { $0.timers.filter { $0.key.label == label }.map { ($0.key.dimensions, $0.value) } }
  }

  func values(_ label: String) -> [(dimensions: [String: String], value: Double)] {
    state.withLock { $0.counts.filter { $0.key.label == label }.map { ($0.key.dimensions, $0.value) } }
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    handler(label, dimensions)
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    handler(label, dimensions)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    handler(label, dimensions)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { handler(label, dimensions) }

  // Nothing is kept per handler.
  func destroyTimer(_ handler: any TimerHandler) {}
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}

  private func handler(_ label: String, _ dimensions: [(String, String)]) -> Handler {
    let names = Dictionary(dimensions, uniquingKeysWith: { first, _ in first })
    return Handler(metrics: self, name: Name(label: label, dimensions: names))
  }

  private func addTime(_ nanoseconds: Int64, to name: Name) {
    state.withLock {
      $0.timers[name, default: Times()].count += 1
      $0.timers[name, default: Times()].total += .nanoseconds(nanoseconds)
    }
  }

  private func change(_ name: Name, _ change: (inout Double) -> Void) {
    state.withLock { change(&$0.counts[name, default: 0]) }
  }

  private final class Handler: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    private let metrics: RequestMetrics
    private let name: Name

    init(metrics: RequestMetrics, name: Name) {
      self.metrics = metrics
      self.name = name
    }

    func recordNanoseconds(_ duration: Int64) { metrics.addTime(duration, to: name) }
    func increment(by amount: Int64) { metrics.change(name) { $0 += Double(amount) } }
    func increment(by amount: Double) { metrics.change(name) { $0 += amount } }
    func decrement(by amount: Double) { metrics.change(name) { $0 -= amount } }
    func set(_ value: Int64) { metrics.change(name) { $0 = Double(value) } }
    func set(_ value: Double) { metrics.change(name) { $0 = value } }
    func record(_ value: Int64) { metrics.change(name) { $0 = Double(value) } }
    func record(_ value: Double) { metrics.change(name) { $0 = value } }
    func reset() { metrics.change(name) { $0 = 0 } }
  }
}

extension RequestMetrics {
  private struct API {
    var calls = 0
    var cached = 0
    var errors = 0
    var total = Duration.zero
  }

  /// The calls of each API with their errors and mean time, and the gauges of the dispatcher, as lines.
  var lines: [String] {
    var apis: [String: API] = [:]
    for (dimensions, times) in timers("switchyard.call.duration") {
      let name = dimensions["switchyard.api"] ?? "none"
      apis[name, default: API()].calls += times.count
      apis[name, default: API()].total += times.total
      if dimensions["switchyard.source"] == "cache" { apis[name, default: API()].cached += times.count }
      if dimensions["error.type"] != "none" { apis[name, default: API()].errors += times.count }
    }
    let rows = apis.sorted { $0.key < $1.key }.map { name, api in
      let mean = api.calls == 0 ? .zero : api.total / api.calls
      return [name, "\(api.calls)", "\(api.cached)", "\(api.errors)", Amounts.milliseconds(mean)]
    }
    let gauges = [
      ("waiting", "switchyard.queue.length"), ("running", "switchyard.requests.running"),
      ("connections", "switchyard.connections.open"),
    ].compactMap { name, label in values(label).first.map { "\(name) \(Int($0.value))" } }
    return ([["API", "calls", "cached", "errors", "mean"]] + rows).map { row in
      zip(row, [24, 8, 8, 8, 12]).map { Amounts.padded($0, to: $1) }.joined()
    } + (gauges.isEmpty ? [] : ["dispatcher: " + gauges.joined(separator: ", ")])
  }
}
