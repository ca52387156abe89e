import Interception
import Metrics
import Synchronization

/// The metrics of requests and calls; a metric for each combination of labels is created at its first use.
final class MetricSeries: Sendable {
  /// The maximum number of combinations of labels per metric; further ones count as the API `other`.
  ///
  /// Methods, status classes and errors are bounded sets. The names of APIs are the app's, which may create
  /// them at run time.
  static let limit = 2_000

  private struct State {
    var requests: [RequestKey: Timer] = [:]
    var calls: [CallKey: Timer] = [:]
    var services: [String?: ServiceMetrics] = [:]
  }

  private let factory: any MetricsFactory
  private let active: Meter
  private let state = Mutex(State())

  init(_ factory: any MetricsFactory) {
    self.factory = factory
    active = Meter(label: "http.client.active_requests", factory: factory)
  }

  /// Records that a request is sent.
  func noteStart() { active.increment() }

  /// Records that a request has ended.
  func noteEnd() { active.decrement() }

  /// Records a request that has ended.
  func recordRequest(
    _ api: APIIdentity?, _ method: MethodLabel, _ outcome: RequestOutcome, after duration: Duration
  ) {
    let key = RequestKey(
      api: api, method: method, statusClass: outcome.statusClass, errorType: outcome.errorType ?? "none")
    timer(of: key, named: "http.client.request.duration", in: \.requests)
      .recordNanoseconds(duration.wholeNanoseconds)
  }

  /// Records a call that has ended.
  func recordCall(
    _ api: APIIdentity?, _ source: ResponseSource, _ outcome: RequestOutcome, after duration: Duration
  ) {
    let key = CallKey(
      api: api, source: source, statusClass: outcome.statusClass, errorType: outcome.errorType ?? "none")
    timer(of: key, named: "switchyard.call.duration", in: \.calls)
      .recordNanoseconds(duration.wholeNanoseconds)
  }

  /// Records the wait in the dispatcher's queue, and whether a connection was opened.
  func record(_ transport: TransportReport, of api: APIIdentity?) {
    let service = metrics(of: api?.service)
    if let wait = transport.phases.queue { service.timeInQueue.recordNanoseconds(wait.wholeNanoseconds) }
    (transport.connectionWasReused ? service.reusedConnections : service.openedConnections).increment()
  }

  // Metrics are created outside the lock, because factories are foreign code. Two threads may create the same
  // one; factories return the same handler for the same labels.

  private func timer<Key: SeriesKey>(
    of key: Key, named label: String, in table: WritableKeyPath<State, [Key: Timer]>
  ) -> Timer {
    let (known, isFull) = state.withLock { ($0[keyPath: table][key], $0[keyPath: table].count >= Self.limit) }
    if let known { return known }
    if isFull, key.api != .other { return timer(of: key.ofOtherAPI, named: label, in: table) }
    let timer = Timer(
      label: label, dimensions: key.dimensions, preferredDisplayUnit: .seconds, factory: factory)
    state.withLock { $0[keyPath: table][key] = timer }
    return timer
  }

  private func metrics(of service: String?) -> ServiceMetrics {
    let (known, isFull) = state.withLock { ($0.services[service], $0.services.count >= Self.limit) }
    if let known { return known }
    if isFull, service != APIIdentity.other.service { return metrics(of: APIIdentity.other.service) }
    let metrics = ServiceMetrics(service: service, factory: factory)
    state.withLock { $0.services[service] = metrics }
    return metrics
  }
}

extension Duration {
  /// The duration in nanoseconds, clamped to 292 years.
  fileprivate var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : scaled.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
  }
}

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

/// The labels of a metric: the API, and others from bounded sets.
protocol SeriesKey: Hashable, Sendable {
  var api: APIIdentity? { get set }
  /// The labels with their values.
  ///
  /// Every combination has the same labels, because some backends reject a metric whose labels vary.
  var dimensions: [(String, String)] { get }
}

extension SeriesKey {
  /// The same labels with the API `other`.
  var ofOtherAPI: Self {
    var copy = self
    copy.api = .other
    return copy
  }
}

extension APIIdentity {
  /// Stands for all APIs beyond the maximum number of combinations.
  static let other = APIIdentity(service: "other", name: "other")
}

/// The labels of a request's metric.
struct RequestKey: SeriesKey {
  var api: APIIdentity?
  let method: MethodLabel
  let statusClass: String
  let errorType: String

  var dimensions: [(String, String)] {
    [
      ("peer.service", api?.service ?? "none"), ("switchyard.api", api?.name ?? "none"),
      ("http.request.method", method.name), ("http.response.status_class", statusClass),
      ("error.type", errorType),
    ]
  }
}

/// The labels of a call's metric.
struct CallKey: SeriesKey {
  var api: APIIdentity?
  let source: ResponseSource
  let statusClass: String
  let errorType: String

  var dimensions: [(String, String)] {
    [
      ("peer.service", api?.service ?? "none"), ("switchyard.api", api?.name ?? "none"),
      ("switchyard.source", source.rawValue), ("http.response.status_class", statusClass),
      ("error.type", errorType),
    ]
  }
}
