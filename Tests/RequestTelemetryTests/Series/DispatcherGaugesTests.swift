import MetricsTestKit
import RequestTelemetry
import Testing

@Suite struct DispatcherGaugesTests {
  @Test("Each count has a gauge with the dispatcher's name")
  func counts() throws {
    let metrics = TestMetrics()
    let gauges = DispatcherGauges(dispatcher: "media", metrics: metrics)
    gauges.record(waitingRequests: 9, runningRequests: 9, openConnections: 9)
    gauges.record(waitingRequests: 12, runningRequests: 6, openConnections: 8)
    let name = ("switchyard.dispatcher", "media")
    let expected = [
      ("switchyard.queue.length", 12.0), ("switchyard.requests.running", 6),
      ("switchyard.connections.open", 8),
    ]
    for (label, count) in expected {
      #expect(try metrics.expectMeter(label, [name]).lastValue == count)
    }
  }
}
