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
    var requests = SeriesTable<RequestKey, Timer>(limit: MetricSeries.limit)
    var calls = SeriesTable<CallKey, Timer>(limit: MetricSeries.limit)
    var services = SeriesTable<String?, ServiceMetrics>(limit: MetricSeries.limit)
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
    requestTimer(api, method, outcome).record(duration)
  }

  /// Returns the timer of requests with an outcome.
  func requestTimer(_ api: APIIdentity?, _ method: MethodLabel, _ outcome: RequestOutcome) -> Timer {
    let key = RequestKey(
      api: api, method: method, statusClass: outcome.statusClass, errorType: outcome.errorType ?? "none")
    return timer(of: key, named: "http.client.request.duration", in: \.requests)
  }

  /// Records a call that has ended.
  func recordCall(
    _ api: APIIdentity?, _ source: ResponseSource, _ outcome: RequestOutcome, after duration: Duration
  ) {
    callTimer(api, source, outcome).record(duration)
  }

  /// Returns the timer of calls with an outcome.
  func callTimer(_ api: APIIdentity?, _ source: ResponseSource, _ outcome: RequestOutcome) -> Timer {
    let key = CallKey(
      api: api, source: source, statusClass: outcome.statusClass, errorType: outcome.errorType ?? "none")
    return timer(of: key, named: "switchyard.call.duration", in: \.calls)
  }

  /// Records the wait in the dispatcher's queue, and whether a connection was opened.
  func record(_ transport: TransportReport, of api: APIIdentity?) {
    metrics(of: api?.service).record(transport)
  }

  // Metrics are created outside the lock, because factories are foreign code. Two threads may create the same
  // one; factories return the same handler for the same labels.

  private func timer<Key: SeriesKey>(
    of key: Key, named label: String, in table: WritableKeyPath<State, SeriesTable<Key, Timer>>
  ) -> Timer {
    switch state.withLock({ $0[keyPath: table].enter(key, isLimited: key.api != .other) }) {
    case .known(let timer): return timer
    case .full: return timer(of: key.ofOtherAPI, named: label, in: table)
    case .create:
      let timer = Timer(
        label: label, dimensions: key.dimensions, preferredDisplayUnit: .seconds, factory: factory)
      state.withLock { $0[keyPath: table].store(timer, of: key) }
      return timer
    }
  }

  /// Returns the metrics of a service.
  func metrics(of service: String?) -> ServiceMetrics {
    let other = APIIdentity.other.service
    switch state.withLock({ $0.services.enter(service, isLimited: service != other) }) {
    case .known(let metrics): return metrics
    case .full: return metrics(of: other)
    case .create:
      let metrics = ServiceMetrics(service: service, factory: factory)
      state.withLock { $0.services.store(metrics, of: service) }
      return metrics
    }
  }
}

/// The metrics that exist or are being created, of a bounded number; a value without I/O.
struct SeriesTable<Key: Hashable & Sendable, Metric: Sendable>: Sendable {
  enum Entry: Sendable {
    case known(Metric)
    /// The metric must be created and stored; its place is taken already.
    case create
    /// There is no place; the metric of all others is used.
    case full
  }

  private let limit: Int
  /// Nil for metrics that are being created.
  private var metrics: [Key: Metric?] = [:]

  init(limit: Int) { self.limit = limit }

  /// The number of metrics.
  var count: Int { metrics.count }

  /// Returns a metric, or takes a place for it in the same step, so that the limit holds for all threads.
  ///
  /// - Parameter isLimited: Whether the limit applies, as it does to all but that of all others.
  mutating func enter(_ key: Key, isLimited: Bool) -> Entry {
    if let known = metrics[key] { return known.map { .known($0) } ?? .create }
    guard !isLimited || metrics.count < limit else { return .full }
    metrics.updateValue(nil, forKey: key)
    return .create
  }

  /// Stores a metric that was created.
  mutating func store(_ metric: Metric, of key: Key) { metrics[key] = metric }
}

extension Timer {
  /// Records a duration, clamped to 292 years.
  func record(_ duration: Duration) { recordNanoseconds(duration.wholeNanoseconds) }
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
final class ServiceMetrics: Sendable {
  private let timeInQueue: Timer
  private let openedConnections: Counter
  private let reusedConnections: Counter

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

  /// Records the wait in the dispatcher's queue, and whether a connection was opened.
  func record(_ transport: TransportReport) {
    if let wait = transport.phases.queue { timeInQueue.record(wait) }
    (transport.connectionWasReused ? reusedConnections : openedConnections).increment()
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
