import RequestTelemetry
import Switchyard

/// What the app records about its requests: metrics, spans, and an archive of exchanges.
final class Telemetry: Sendable {
  let metrics = RequestMetrics()
  let spans = SpanLog()
  let archive = HARRecorder(capacity: 200, application: ("Estate", "1.0"))
  private let gauges: DispatcherGauges

  init() { gauges = DispatcherGauges(dispatcher: "estate", metrics: metrics) }

  var recorders: [any Interceptor] {
    [TelemetryInterceptor(metrics: metrics, tracer: spans.tracer), archive]
  }

  /// Reads the dispatcher's counts, and returns all metrics as lines.
  func report(of dispatcher: CurlDispatcher) async -> [String] {
    let occupancy = await dispatcher.occupancy()
    gauges.record(
      waitingRequests: occupancy.waitingRequests, runningRequests: occupancy.runningRequests,
      openConnections: occupancy.openConnections)
    return metrics.lines
  }
}
