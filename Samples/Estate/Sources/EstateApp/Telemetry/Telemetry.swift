import RequestTelemetry
import Switchyard

/// What the app records about its requests: metrics, spans, and an archive of exchanges.
final class Telemetry: Sendable {
  /// The sums of the run.
  let metrics = RequestMetrics()
  /// The spans of the last calls.
  let spans = SpanLog()
  /// The last exchanges, redacted.
  let archive = HARRecorder(capacity: 200, application: ("Estate", "1.0"))
  private let gauges: DispatcherGauges

  /// Creates empty records.
  init() { gauges = DispatcherGauges(dispatcher: "estate", metrics: metrics) }

  /// The interceptors that record.
  var recorders: [any Interceptor] {
    [TelemetryInterceptor(metrics: metrics, tracer: spans.tracer), archive]
  }

  /// Reads the dispatcher's counts, and returns all metrics as lines.
  func report(of dispatcher: CurlDispatcher) async -> [String] {
    let occupancy = await dispatcher.occupancy()
    gauges.record(
      waitingRequests: occupancy.waitingRequests, runningRequests: occupancy.runningRequests,
      openConnections: occupancy.openConnections)
    return MetricsReport(metrics).lines
  }
}
