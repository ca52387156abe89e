#if Telemetry
public import Metrics

/// Gauges of a dispatcher's queue and connections, with values that the app supplies.
///
/// Use it with a dispatcher that reports such counts. `CurlDispatcher` publishes none: for it, the metrics of
/// ``TelemetryInterceptor`` tell how many requests are in flight, how long they wait in the queue, and how
/// many connections are opened.
///
/// ```swift
/// let gauges = DispatcherGauges(dispatcher: "media")
/// gauges.record(queuedRequests: 12, activeConnections: 6, idleConnections: 2)
/// ```
public struct DispatcherGauges: Sendable {
  private let queued: Meter
  private let active: Meter
  private let idle: Meter

  /// Creates gauges.
  ///
  /// - Parameters:
  ///   - name: The value of the label `switchyard.dispatcher`, for apps with several dispatchers.
  ///   - metrics: The metrics factory; that of the process by default.
  public init(dispatcher name: String, metrics: any MetricsFactory = MetricsSystem.factory) {
    let dispatcher = ("switchyard.dispatcher", name)
    queued = Meter(label: "switchyard.queue.length", dimensions: [dispatcher], factory: metrics)
    func connections(_ state: String) -> Meter {
      Meter(
        label: "http.client.open_connections", dimensions: [dispatcher, ("http.connection.state", state)],
        factory: metrics)
    }
    active = connections("active")
    idle = connections("idle")
  }

  /// Records the present counts.
  ///
  /// - Parameters:
  ///   - queuedRequests: The requests that have not started.
  ///   - activeConnections: The connections that carry a request.
  ///   - idleConnections: The open connections that carry none.
  public func record(queuedRequests: Int, activeConnections: Int, idleConnections: Int) {
    queued.set(queuedRequests)
    active.set(activeConnections)
    idle.set(idleConnections)
  }
}
#endif
