/// An interceptor that is limited to some requests; others pass it unchanged.
///
/// A pipeline takes it apart: the step has the scope, so that requests outside of it don't enter the
/// interceptor. `intercept` is for those that call it without a pipeline, such as tests.
struct ScopedInterceptor<Base: Interceptor>: Interceptor {
  private let base: Base
  let scope: Request.Scope

  init(_ base: Base, to scope: Request.Scope) {
    self.base = base
    self.scope = (base as? any ScopedStep).map { scope.intersection($0.scope) } ?? scope
  }

  var traits: InterceptorTraits { base.traits }
  var name: String { base.name }

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard scope.contains(request) else { return try await next.dispatch(request) }
    return try await base.intercept(request, next: next)
  }
}

extension ScopedInterceptor: Request.IdentityProvider where Base: Request.IdentityProvider {
  func identity(for request: Request) -> Request.Identity? {
    if scope.contains(request) { return base.identity(for: request) }
    // A redirect may lead to another API or path of the same origin.
    return scope.rule.isOfAuthorities ? nil : base.identity(for: request)?.pending
  }
}

extension ScopedInterceptor: FlightSharing where Base: FlightSharing {
  var sharedFlights: any SharedFlights { base.sharedFlights }
}

extension ScopedInterceptor: ScopedStep {
  var unlimited: any Interceptor { (base as? any ScopedStep)?.unlimited ?? base }
}

extension Interceptor {
  /// Returns the interceptor limited to some requests; others pass it unchanged.
  ///
  /// ```swift
  /// let pipeline = try Pipeline(over: dispatcher) {
  ///   SigningInterceptor(key: estateKey).only(for: .service("estate"))
  ///   SigningInterceptor(key: mediaKey).only(for: .service("media"))
  ///   LoggingInterceptor(logger: logger).only(for: .where { $0.head.method == .post })
  /// }
  /// ```
  ///
  /// It has the same traits and name. An interceptor that may be registered once may be registered repeatedly
  /// with scopes that don't name the same service, API or authority. Whether two of them apply to the same
  /// request for another reason, such as a predicate, is not checked.
  ///
  /// Bodies are collected for it only if the request is in the scope, and a ``PipelineObserver`` receives
  /// only the events of calls that are in the scope when they start. A limit on a limited interceptor applies
  /// in addition.
  public func only(for scope: Request.Scope) -> some Interceptor { ScopedInterceptor(self, to: scope) }
}

/// An interceptor that is limited to some requests, as the pipeline sees it.
protocol ScopedStep: Interceptor {
  /// The requests that it processes.
  var scope: Request.Scope { get }
  /// The interceptor without the limit.
  var unlimited: any Interceptor { get }
}

/// An observer of a pipeline, and the requests whose events it receives.
///
/// A class, because each call passes references to the observers, and a reference is cheaper to copy.
final class ScopedObserver: Sendable {
  let observer: any PipelineObserver
  /// The observer, if it records calls with their messages.
  let callObserver: (any CallObserver)?
  /// The observer, if it doesn't want every event.
  private let selective: (any SelectiveObserver)?
  /// The scope, or nil for all requests.
  private let scope: Request.Scope?
  private let isLimited: Bool

  init(_ observer: any PipelineObserver, scope: Request.Scope?) {
    self.observer = observer
    callObserver = observer as? any CallObserver
    selective = observer as? any SelectiveObserver
    self.scope = scope
    isLimited = scope != nil
  }

  /// Whether the observer wants the events of the steps.
  var observesSteps: Bool { selective?.observesSteps ?? true }

  /// Whether the observer wants the events of a request that starts now.
  func isObserving(_ request: Request) -> Bool {
    (selective?.isObserving ?? true) && (!isLimited || scope?.contains(request) ?? true)
  }
}
