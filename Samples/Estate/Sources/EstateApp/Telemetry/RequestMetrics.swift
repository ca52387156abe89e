import CoreMetrics
import Synchronization

/// Metrics in memory: the sum and number of each timer, and the last value of each gauge.
///
/// An app would bootstrap a factory that exports them, such as one for Prometheus or OpenTelemetry.
final class RequestMetrics: MetricsFactory {
  /// A metric, and the labels that tell it from others of its name.
  struct Name: Hashable {
    let label: String
    let dimensions: [String: String]
  }

  /// The recorded values of a timer.
  struct Times {
    var count = 0
    var total = Duration.zero

    /// The mean; zero without a value.
    var mean: Duration { count == 0 ? .zero : total / count }
  }

  private struct State {
    var timers: [Name: Times] = [:]
    var counts: [Name: Double] = [:]
  }

  private let state = Mutex(State())

  /// The timers with a name, by their labels.
  func timers(_ label: String) -> [(dimensions: [String: String], times: Times)] {
    state.withLock { $0.timers.filter { $0.key.label == label }.map { ($0.key.dimensions, $0.value) } }
  }

  /// The last values of gauges and the sums of counters with a name, by their labels.
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

  /// One metric of the factory.
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
