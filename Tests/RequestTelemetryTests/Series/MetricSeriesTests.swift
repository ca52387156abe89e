import HTTPTypes
import Interception
import MetricsTestKit
import Testing

@testable import RequestTelemetry

@Suite struct MetricSeriesTests {
  private let metrics = TestMetrics()

  @Test("The number of combinations of labels is bounded; further APIs count as one")
  func bounded() throws {
    let series = MetricSeries(metrics)
    for number in 0..<(MetricSeries.limit + 50) {
      let api = APIIdentity(service: "service \(number)", name: "api")
      series.recordRequest(api, MethodLabel(.get), .answered(.ok), after: .seconds(1))
      series.recordCall(api, .network, .answered(.ok), after: .seconds(1))
      series.record(TransportReport(phases: .init(queue: .seconds(1))), of: api)
    }
    for label in [
      "http.client.request.duration", "switchyard.call.duration", "http.client.request.time_in_queue",
    ] {
      #expect(metrics.timers(label: label).count == MetricSeries.limit + 1)
      let other = try #require(metrics.timers(label: label, dimensions: [("peer.service", "other")]).first)
      #expect(other.values.count == 50)
    }
  }

  @Test("Every combination has the same labels, also without an API")
  func labels() {
    let series = MetricSeries(metrics)
    series.recordRequest(nil, MethodLabel(.post), .failed(NetworkError(.connect, "")), after: .zero)
    series.recordRequest(nil, MethodLabel(.post), .answered(.init(code: 599)), after: .zero)
    series.recordRequest(nil, MethodLabel(.post), .answered(.init(code: 999)), after: .zero)
    let names = metrics.timers(label: "http.client.request.duration").map { $0.dimensions.map(\.0) }
    #expect(names.count == 3)
    #expect(Set(names).count == 1)
  }

  @Test("A duration beyond the range of nanoseconds is clamped")
  func longDuration() throws {
    let series = MetricSeries(metrics)
    series.recordCall(nil, .none, .answered(.ok), after: .seconds(Int64.max))
    #expect(metrics.timers(label: "switchyard.call.duration").first?.values == [.max])
  }
}
