public import Metrics

/// Gauges of a dispatcher's queue and connections, with values that the app supplies.
///
/// A dispatcher doesn't know of metrics, so the app reads its counts from time to time and records them here,
/// for example those of `CurlDispatcher.occupancy()` of CurlTransport every ten seconds. The metrics of
/// ``TelemetryInterceptor`` already show how many requests are in flight and how long they wait; the gauges
/// also count what stays open when nothing is sent.
///
/// ```swift
/// let gauges = DispatcherGauges(dispatcher: "media")
/// gauges.record(waitingRequests: 12, runningRequests: 6, openConnections: 8)
/// ```
public struct DispatcherGauges: Sendable {
  private let waiting: Meter
  private let running: Meter
  private let connections: Meter

  /// Creates gauges.
  ///
  /// - Parameters:
  ///   - name: The value of the label `switchyard.dispatcher`, for apps with several dispatchers.
  ///   - metrics: The metrics factory; that of the process by default.
  public init(dispatcher name: String, metrics: any MetricsFactory = MetricsSystem.factory) {
    func meter(_ label: String) -> Meter {
      Meter(label: label, dimensions: [("switchyard.dispatcher", name)], factory: metrics)
    }
    waiting = meter("switchyard.queue.length")
    running = meter("switchyard.requests.running")
    connections = meter("switchyard.connections.open")
  }

  /// Records the present counts.
  ///
  /// - Parameters:
  ///   - waitingRequests: The requests that have not started.
  ///   - runningRequests: The requests that have started and whose responses are not complete.
  ///   - openConnections: The open connections, also those that are idle.
  public func record(waitingRequests: Int, runningRequests: Int, openConnections: Int) {
    waiting.set(waitingRequests)
    running.set(runningRequests)
    connections.set(openConnections)
  }
}
