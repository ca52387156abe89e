#if Telemetry
import Metrics

/// The metrics of a service's queue and connections.
struct ServiceMetrics: Sendable {
  let timeInQueue: Timer
  let openedConnections: Counter
  let reusedConnections: Counter

  init(service: String?, factory: any MetricsFactory) {
    let service = ("peer.service", service ?? "none")
    timeInQueue = Timer(
      label: "http.client.request.time_in_queue", dimensions: [service], preferredDisplayUnit: .seconds,
      factory: factory)
    func connections(_ state: String) -> Counter {
      Counter(
        label: "switchyard.connections", dimensions: [service, ("switchyard.connection.state", state)],
        factory: factory)
    }
    openedConnections = connections("opened")
    reusedConnections = connections("reused")
  }
}
#endif
