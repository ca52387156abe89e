/// A chain of interceptors in front of a dispatcher, built and checked once at startup, then immutable.
///
/// ```swift
/// let pipeline = try Pipeline(over: dispatcher) {
///   ValidationInterceptor()
///   SigningInterceptor(key: key)
///   LoggingInterceptor(logger: logger)
/// }
/// let response = try await pipeline.send(request)
/// ```
///
/// A step allocates no heap object. ``Intercepted`` nests the interceptors of a fixed chain by type, and can
/// be the base of a pipeline.
public final class Pipeline: Dispatcher {
  /// The outermost interceptor's step, or nil if there are no interceptors.
  let first: Step?
  let base: any Dispatcher
  let baseName: String
  let observers: [ScopedObserver]
  /// The interceptors that know on whose behalf a request is sent: outermost first, those of cookies last.
  package let identityProviders: [any Request.IdentityProvider]
  let time: TimeSource
  let bodyNeeds: RequestBodyNeeds
  /// The interceptors, outermost first, for pipelines that are made from this one.
  let interceptors: [any Interceptor]
  /// The observers that the pipeline was created with, besides its interceptors.
  let ownObservers: [any PipelineObserver]
  /// The capabilities of the dispatcher at the end of the chain.
  public let capabilities: DispatcherCapabilities

  /// Creates a chain from its interceptors, outermost first.
  ///
  /// - Parameters:
  ///   - base: The dispatcher at the end of the chain.
  ///   - observers: Receive an event for every step. An interceptor that is a ``PipelineObserver`` receives
  ///     events without being listed here.
  ///   - time: The clock that measures the steps of observed calls, and limits calls with a time limit of
  ///     their own.
  /// - Throws: ``PipelineIssue``, which lists all faults of order, multiplicity and requirements.
  public convenience init(
    over base: some Dispatcher, observers: [any PipelineObserver] = [], time: TimeSource = .system,
    @PipelineBuilder _ interceptors: () -> [any Interceptor]
  ) throws(PipelineIssue) {
    try self.init(over: base, named: "\(type(of: base))", observers: observers, time: time, interceptors())
  }

  /// Creates a chain that ends in interceptors nested by type, which the optimizer can specialize.
  ///
  /// The nested interceptors are neither checked nor reported in events.
  ///
  /// - Throws: ``PipelineIssue``, which lists all faults of order, multiplicity and requirements.
  @inlinable
  public convenience init<I: Interceptor, Base: Dispatcher>(
    over base: Intercepted<I, Base>, observers: [any PipelineObserver] = [], time: TimeSource = .system,
    @PipelineBuilder _ interceptors: () -> [any Interceptor]
  ) throws(PipelineIssue) {
    // A closure is compiled in the caller's module, where the types are known.
    let entry = NestedEntry(to: base) { request throws(NetworkError) in
      try await base.dispatch(request)
    }
    try self.init(over: entry, named: "\(type(of: base))", observers: observers, time: time, interceptors())
  }

  @usableFromInline
  init(
    over base: any Dispatcher, named baseName: String, observers: [any PipelineObserver], time: TimeSource,
    _ interceptors: [any Interceptor]
  ) throws(PipelineIssue) {
    let members = interceptors.map { interceptor in
      let scoped = interceptor as? any ScopedStep
      return PipelineCheck.Member(
        name: interceptor.name, type: scoped?.baseType ?? ObjectIdentifier(type(of: interceptor)),
        traits: interceptor.traits, scope: scoped?.scope)
    }
    let faults = PipelineCheck(
      members: members, capabilities: base.capabilities, dispatcher: baseName
    ).faults()
    guard faults.isEmpty else { throw PipelineIssue(faults: faults) }
    let departure = DepartureInterceptor.index(among: members.map(\.traits))
    first = zip(interceptors, members).enumerated().reversed().reduce(nil) { next, place in
      let (index, (interceptor, member)) = place
      let next = index + 1 == departure ? DepartureInterceptor.step(before: next) : next
      let collecting = member.traits.responseBody.limit.map { limit in
        (interceptor as? any ScopedStep)?.collectingResponses(upTo: limit)
          ?? ResponseCollecting(interceptor, upTo: limit)
      }
      return Step(
        collecting ?? interceptor, name: member.name, traits: member.traits,
        precedesDeparture: index < departure ?? 0, next: next)
    }
    identityProviders = Self.identityProviders(among: interceptors, over: base)
    names = members.map(\.name)
    bodyNeeds = RequestBodyNeeds(members.map { ($0.name, $0.traits, $0.scope) })
    self.base = base
    self.baseName = baseName
    self.interceptors = interceptors
    ownObservers = observers
    self.observers =
      observers.map { ScopedObserver(observer: $0, scope: nil) }
      + zip(interceptors, members).compactMap { interceptor, member in
        (interceptor as? any PipelineObserver).map { ScopedObserver(observer: $0, scope: member.scope) }
      }
    self.time = time
    capabilities = base.capabilities
  }

  /// The names of the interceptors, outermost first.
  public let names: [String]
}
