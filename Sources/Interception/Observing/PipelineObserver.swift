/// Is told of every step of every request, and changes nothing.
///
/// Observe to measure, to trace, to log. To change a request or an answer, write an ``Interceptor``.
///
/// Events of one request arrive in the order in which they happened, events of different requests at the same
/// time on different threads. ``observe(_:)`` runs on the request's own path: be quick, and hand work on.
public protocol PipelineObserver: Sendable {
  /// Whether the observer wants to be told of a request that begins now; true by default.
  ///
  /// A pipeline asks once a request. Where nobody wants to know, no clock is read and no event is made, so
  /// answer false while what you would write is turned off. The answer must be quick.
  var isObserving: Bool { get }

  /// Takes note of an event.
  func observe(_ event: PipelineEvent)
}

extension PipelineObserver {
  /// Always.
  public var isObserving: Bool { true }
}
