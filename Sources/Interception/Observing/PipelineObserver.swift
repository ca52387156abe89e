/// Is told of every step of every request, and changes nothing.
///
/// Observe to measure, to trace, to log. To change a request or an answer, write an ``Interceptor``.
///
/// Events of one request arrive in the order in which they happened, events of different requests at the same time
/// on different threads. ``observe(_:)`` runs on the request's own path: be quick, and hand work on.
public protocol PipelineObserver: Sendable {
  /// Takes note of an event.
  func observe(_ event: PipelineEvent)
}
