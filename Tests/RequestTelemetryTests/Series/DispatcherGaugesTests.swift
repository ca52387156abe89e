#if Telemetry
import MetricsTestKit
import RequestTelemetry
import Testing

@Suite struct DispatcherGaugesTests {
  @Test("Each count has a gauge with the dispatcher's name")
  func counts() throws {
    let metrics = TestMetrics()
    let gauges = DispatcherGauges(dispatcher: "media", metrics: metrics)
    gauges.record(queuedRequests: 9, activeConnections: 9, idleConnections: 9)
    gauges.record(queuedRequests: 12, activeConnections: 6, idleConnections: 2)
    let name = ("switchyard.dispatcher", "media")
    #expect(try metrics.expectMeter("switchyard.queue.length", [name]).lastValue == 12)
    for (state, count) in [("active", 6.0), ("idle", 2)] {
      let meter = try metrics.expectMeter(
        "http.client.open_connections", [name, ("http.connection.state", state)])
      #expect(meter.lastValue == count)
    }
  }
}
#endif
