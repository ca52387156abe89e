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
/// A step allocates no heap object.
public final class Pipeline: Dispatcher {
  /// The outermost interceptor's step, or nil if there are no interceptors.
  let first: Step?
  let base: any Dispatcher
  let baseName: String
  let observers: [ScopedObserver]
  /// The interceptors that know on whose behalf a request is sent: outermost first, those of cookies last.
  package let identityProviders: [any Request.IdentityProvider]
  /// The header fields that are credentials in this chain and the one behind it.
  package let credentialFields: CredentialFields
  /// Whether requests enter the chain with more than they have.
  let identifies: Bool
  /// The flights of the interceptors; each closes the others.
  package let sharedFlights: [any SharedFlights]
  let time: TimeSource
  let bodyNeeds: RequestBodyNeeds
  /// The interceptors, outermost first, for pipelines that are made from this one.
  let interceptors: [any Interceptor]
  /// The observers that the pipeline was created with, besides its interceptors.
  let ownObservers: [any PipelineObserver]
  /// The capabilities of the dispatcher at the end of the chain.
  public let capabilities: DispatcherCapabilities
  /// Messages about interceptors that work, but probably not as intended, each with its remedy.
  ///
  /// They are about accounts that are not known or have no name, whose requests can't be shared, and whose
  /// responses and cookies can't be stored, as others are. A login that follows later is not among them.
  /// Print them in a debug build; `LoggingInterceptor` logs them when the chain is created.
  public let notices: [String]

  /// Creates a chain from its interceptors, outermost first.
  ///
  /// - Parameters:
  ///   - base: The dispatcher at the end of the chain.
  ///   - observers: Receive an event for every step. An interceptor that is a ``PipelineObserver`` receives
  ///     events without being listed here.
  ///   - time: The clock that measures the steps of observed calls, and limits calls with a time limit of
  ///     their own.
  ///   - credentialFields: The header fields that are credentials, besides the usual ones, which are always
  ///     among them.
  /// - Throws: ``PipelineIssue``, which lists all faults of order, multiplicity and requirements.
  public convenience init(
    over base: some Dispatcher, observers: [any PipelineObserver] = [], time: TimeSource = .system,
    credentialFields: CredentialFields = [], @PipelineBuilder _ interceptors: () -> [any Interceptor]
  ) throws(PipelineIssue) {
    try self.init(
      over: base, named: "\(type(of: base))", observers: observers, time: time,
      credentialFields: credentialFields, interceptors())
  }

  /// Creates a chain from its interceptors, outermost first, some of which are created by initializers that
  /// throw.
  ///
  /// ```swift
  /// let pipeline = try Pipeline(over: dispatcher) {
  ///   try AuthorizationInterceptor(BearerAuthorization(AccessToken("t1")), for: ["api.example.com"])
  ///   CachingInterceptor(defaultRule: .stated())
  /// }
  /// ```
  ///
  /// - Throws: The first error of the list, or ``PipelineIssue``.
  public convenience init(
    over base: some Dispatcher, observers: [any PipelineObserver] = [], time: TimeSource = .system,
    credentialFields: CredentialFields = [], @PipelineBuilder _ interceptors: () throws -> [any Interceptor]
  ) throws {
    try self.init(
      over: base, named: "\(type(of: base))", observers: observers, time: time,
      credentialFields: credentialFields, interceptors())
  }

  private init(
    over base: any Dispatcher, named baseName: String, observers: [any PipelineObserver], time: TimeSource,
    credentialFields: CredentialFields, _ interceptors: [any Interceptor]
  ) throws(PipelineIssue) {
    let members = interceptors.map { interceptor in
      let scoped = interceptor as? any ScopedStep
      return PipelineCheck.Member(scoped?.unlimited ?? interceptor, scope: scoped?.scope)
    }
    let check = PipelineCheck(
      members: members, capabilities: base.capabilities, dispatcher: baseName,
      credentialFields: credentialFields)
    if let issue = check.issue() { throw issue }
    let departure = DepartureInterceptor.index(among: members.map(\.traits))
    first = members.enumerated().reversed().reduce(nil) { next, place in
      let (index, member) = place
      let next = index + 1 == departure ? DepartureInterceptor.step(before: next) : next
      return Step(member, precedesDeparture: index < departure ?? 0, next: next)
    }
    identityProviders = Self.identityProviders(among: interceptors, over: base)
    var fields = credentialFields
    if let inner = base as? any IdentifyingDispatcher { fields.formUnion(inner.credentialFields) }
    self.credentialFields = fields
    identifies = !identityProviders.isEmpty || !fields.isUsual
    sharedFlights = Self.linkedFlights(among: interceptors, over: base)
    names = members.map(\.name)
    bodyNeeds = RequestBodyNeeds(members.map { ($0.name, $0.traits, $0.scope) })
    self.base = base
    self.baseName = baseName
    self.interceptors = interceptors
    ownObservers = observers
    self.observers =
      observers.map { ScopedObserver($0, scope: nil) }
      + members.compactMap { member in
        (member.interceptor as? any PipelineObserver).map {
          ScopedObserver($0, scope: member.scope)
        }
      }
    self.time = time
    capabilities = base.capabilities
    notices = check.notices(of: identityProviders)
    for member in members where !notices.isEmpty {
      (member.interceptor as? any NoticeReceiver)?.receive(notices)
    }
    let circuits = members.compactMap { $0.interceptor as? any CircuitReporter }
    for observer in self.observers where !circuits.isEmpty { observer.callObserver?.note(circuits) }
  }

  /// The names of the interceptors, outermost first.
  public let names: [String]
}

extension Pipeline {
  /// Returns a pipeline with further interceptors, each behind those of this pipeline up to its own stage.
  ///
  /// Use it for interceptors that only some callers need, such as one manager or one service. The app's
  /// interceptors, with their state, and the dispatcher are shared with this pipeline. If all callers send
  /// such requests, register one interceptor with the app and let it ignore other requests.
  ///
  /// ```swift
  /// let reports = try pipeline.inserting {
  ///   InlineInterceptor("tenant", stage: .authorization) { request, next in
  ///     var request = request
  ///     request.head.headerFields[.userAgent] = "Reports/1"
  ///     return try await next.dispatch(request)
  ///   }
  /// }
  /// ```
  ///
  /// Interceptors of equal stages keep their order, and the ones of this pipeline come first.
  ///
  /// - Throws: ``PipelineIssue``, which lists all faults of multiplicity and requirements.
  public func inserting(
    @PipelineBuilder _ interceptors: () -> [any Interceptor]
  ) throws(PipelineIssue) -> Pipeline {
    try inserting(interceptors())
  }

  /// Returns a pipeline with further interceptors, some of which are created by initializers that throw.
  ///
  /// - Throws: The first error of the list, or ``PipelineIssue``.
  public func inserting(@PipelineBuilder _ interceptors: () throws -> [any Interceptor]) throws -> Pipeline {
    try inserting(interceptors())
  }

  private func inserting(_ interceptors: [any Interceptor]) throws(PipelineIssue) -> Pipeline {
    var all = self.interceptors
    for interceptor in interceptors {
      let stage = interceptor.traits.stage
      let place = all.lastIndex { $0.traits.stage <= stage }.map { $0 + 1 } ?? 0
      all.insert(interceptor, at: place)
    }
    do throws(PipelineIssue) {
      return try Pipeline(
        over: base, named: baseName, observers: ownObservers, time: time, credentialFields: credentialFields,
        all)
    } catch {
      let remedy = "the pipeline that it is inserted into has it already: leave it out"
      throw error.remedyingRepetitions(
        Dictionary(self.interceptors.map { ($0.name, remedy) }) { first, _ in first })
    }
  }
}

/// An interceptor's place in a pipeline.
///
/// A class, because passing a reference is cheaper than copying an `any Interceptor`. Its properties are
/// constants of an object that the call retains, so a step does not retain them.
final class Step: Sendable {
  let interceptor: any Interceptor
  /// The following step, or nil if the dispatcher is next.
  let next: Step?
  /// The interceptor's name, as errors use it.
  let name: String
  /// The requests that the interceptor processes; nil for all.
  private let scope: Request.Scope?
  /// Whether the interceptor processes only some requests.
  let isLimited: Bool
  /// What the interceptor needs of the body of a request in its scope; nothing if it has no scope.
  let bodyNeeds: RequestBodyNeeds
  /// The maximum length of responses whose bodies are collected into bytes before the interceptor receives
  /// them; nil if it does not read them.
  let responseLimit: Int?
  /// How often the interceptor calls `next`, as its traits declare.
  let callsNext: InterceptorTraits.NextCalls
  /// Whether the pipeline has a departure behind this step.
  let precedesDeparture: Bool
  /// Whether the step is the pipeline's own departure.
  let isDeparture: Bool
  /// The step, as events report it.
  let event: PipelineEvent.Step

  init(_ member: PipelineCheck.Member, precedesDeparture: Bool, next: Step?) {
    let traits = member.traits
    interceptor = member.interceptor
    self.next = next
    name = member.name
    scope = member.scope
    isLimited = member.scope != nil
    bodyNeeds = RequestBodyNeeds(member.scope == nil ? [] : [(member.name, traits, nil)])
    responseLimit = traits.responseBodyLimit
    callsNext = traits.callsNext
    isDeparture = member.interceptor is DepartureInterceptor
    self.precedesDeparture = precedesDeparture
    event = .interceptor(member.name, traits.stage)
  }

  /// Whether the interceptor processes a request.
  func applies(to request: Request) -> Bool { scope?.contains(request) ?? true }
}

/// The flights of an interceptor: requests on their way that equal ones may join until the flights are
/// closed.
package protocol SharedFlights: AnyObject, Sendable {
  /// The number of times that these flights were closed together with the others of the pipeline.
  ///
  /// A request must not join one that began at another number.
  var closings: UInt64 { get }

  /// Prevents that further requests join the present flights of this interceptor alone.
  func closeOwnFlights()

  /// Closes other flights, which are not retained, whenever these are closed.
  func closeToo(_ others: [any SharedFlights])
}

/// An interceptor with flights.
package protocol FlightSharing: Interceptor {
  /// The flights, which copies of the interceptor share.
  var sharedFlights: any SharedFlights { get }
}

extension Pipeline {
  /// The number of times that flights of the chain were closed.
  ///
  /// A response to a request that began at another number may be older than a change of which the app knows.
  package var flightClosings: UInt64 { sharedFlights.reduce(0) { $0 &+ $1.closings } }

  /// Returns the flights of a chain, and makes each close the others: what invalidates stored responses also
  /// makes the requests on their way outdated, wherever they are joined.
  static func linkedFlights(
    among interceptors: [any Interceptor], over base: any Dispatcher
  ) -> [any SharedFlights] {
    let all =
      interceptors.compactMap { ($0 as? any FlightSharing)?.sharedFlights }
      + ((base as? Pipeline)?.sharedFlights ?? [])
    for flights in all { flights.closeToo(all.filter { $0 !== flights }) }
    return all
  }
}
