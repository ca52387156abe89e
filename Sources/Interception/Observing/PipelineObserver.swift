/// Receives an event for every step of every request.
///
/// Observe to measure, trace or log. To change a request or a response, write an ``Interceptor``.
///
/// Events of one request arrive in the order in which they occurred; events of different requests may arrive
/// concurrently on different threads. ``observe(_:)`` is called synchronously while the request is processed,
/// so it must return quickly and defer any expensive work.
public protocol PipelineObserver: Sendable {
  /// Whether the observer wants the events of a request that starts now; true by default.
  ///
  /// A pipeline reads it once per request. If no observer is interested, no clock is read and no event is
  /// created, so return false while your output is disabled. The getter must be fast.
  var isObserving: Bool { get }

  /// Whether the observer wants the events of the steps; true by default.
  ///
  /// If none of a request's observers does, its steps are not measured, which costs much less: the observers
  /// receive ``PipelineEvent/Kind/started(_:)``, ``PipelineEvent/Kind/cache(_:)`` of the response and
  /// ``PipelineEvent/Kind/finished(_:)`` only. An observer that returns false may still receive the other
  /// events, because of another observer.
  var observesSteps: Bool { get }

  /// Receives an event.
  func observe(_ event: PipelineEvent)
}

extension PipelineObserver {
  /// Always true.
  public var isObserving: Bool { true }

  /// Always true.
  public var observesSteps: Bool { true }
}
