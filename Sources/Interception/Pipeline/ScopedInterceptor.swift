/// An interceptor that is limited to some requests; others pass it unchanged.
struct ScopedInterceptor<Base: Interceptor>: Interceptor {
  private let base: Base
  let scope: Request.Scope
  private let bodyNeeds: RequestBodyNeeds

  init(_ base: Base, to scope: Request.Scope) {
    self.base = base
    self.scope = (base as? any ScopedStep).map { scope.intersection($0.scope) } ?? scope
    bodyNeeds = RequestBodyNeeds([(base.name, base.traits, nil)])
  }

  var traits: InterceptorTraits { base.traits }
  var name: String { base.name }

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard scope.contains(request) else { return try await next.dispatch(request) }
    return try await base.intercept(readable(request), next: next)
  }

  // The default implementation would call `intercept`, which is not specialized for the base and for `next`.
  func _enter(_ request: Request, next: Pipeline.Next) async throws(NetworkError) -> Response {
    guard scope.contains(request) else { return try await next.dispatch(request) }
    guard bodyNeeds.areMet(by: request) else {
      return try await base._enter(bodyNeeds.satisfied(by: request), next: next)
    }
    return try await base._enter(request, next: next)
  }

  /// Returns the request with a body that the base can read.
  ///
  /// The pipeline has done this for requests that are in the scope when they enter it. An outer interceptor
  /// may have changed the request since.
  private func readable(_ request: Request) async throws(NetworkError) -> Request {
    bodyNeeds.areMet(by: request) ? request : try await bodyNeeds.satisfied(by: request)
  }
}

extension ScopedInterceptor: PipelineObserver where Base: PipelineObserver {
  /// Whether the base is active; the pipeline also checks the scope.
  var isObserving: Bool { base.isObserving }
  var observesSteps: Bool { base.observesSteps }

  func observe(_ event: PipelineEvent) { base.observe(event) }
}

extension ScopedInterceptor: Request.IdentityProvider where Base: Request.IdentityProvider {
  func identity(for request: Request) -> Request.Identity? {
    scope.contains(request) ? base.identity(for: request) : nil
  }
}

extension ScopedInterceptor: ScopedStep {
  var baseType: ObjectIdentifier {
    (base as? any ScopedStep)?.baseType ?? ObjectIdentifier(Base.self)
  }

  func collectingResponses(upTo limit: Int) -> any Interceptor {
    ScopedInterceptor<ResponseCollecting>(ResponseCollecting(base, upTo: limit), to: scope)
  }
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
  /// The type of the interceptor that was limited.
  var baseType: ObjectIdentifier { get }

  /// Returns the interceptor with the responses to the requests of its scope collected into bytes.
  func collectingResponses(upTo limit: Int) -> any Interceptor
}

/// An observer of a pipeline, and the requests whose events it receives.
struct ScopedObserver: Sendable {
  let observer: any PipelineObserver
  /// The scope, or nil for all requests.
  let scope: Request.Scope?

  /// Whether the observer wants the events of a request that starts now.
  func isObserving(_ request: Request) -> Bool {
    observer.isObserving && scope?.contains(request) ?? true
  }
}
