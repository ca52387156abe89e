/// A chain of interceptors before a dispatcher: built once at startup, checked, and immutable from then on.
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
/// A step makes no closure and no heap object. Whoever ships a fixed chain can nest
/// the same interceptors statically with ``Intercepted``, and build a pipeline over that.
public final class Pipeline: Dispatcher {
  /// The outermost place; nil of a chain without interceptors.
  private let first: Link?
  /// The most bytes of the dispatcher's answer, where the interceptor before it reads them.
  let answerLimit: Int?
  let base: any Dispatcher
  let baseName: String
  let observers: [any PipelineObserver]
  let time: TimeSource
  private let bodyNeeds: RequestBodyNeeds
  /// The abilities of the dispatcher at the end.
  public let capabilities: DispatcherCapabilities

  /// Builds a chain, outermost interceptor first.
  ///
  /// - Parameters:
  ///   - base: The dispatcher that the chain ends in.
  ///   - observers: Who is told of every step. An interceptor that is a ``PipelineObserver`` too is told without being named here.
  ///   - time: The clock of the own times; it is read only where somebody observes.
  /// - Throws: ``PipelineIssue``, which lists every fault of order, number and need.
  public convenience init(
    over base: some Dispatcher, observers: [any PipelineObserver] = [], time: TimeSource = .system,
    @PipelineBuilder _ interceptors: () -> [any Interceptor]
  ) throws(PipelineIssue) {
    try self.init(over: base, named: "\(type(of: base))", observers: observers, time: time, interceptors())
  }

  /// Builds a chain that ends in interceptors nested by type, of which the optimiser loses no sight.
  ///
  /// The checks and the observers know nothing of those.
  ///
  /// - Throws: ``PipelineIssue``, which lists every fault of order, number and need.
  @inlinable
  public convenience init<I: Interceptor, Base: Dispatcher>(
    over base: Intercepted<I, Base>, observers: [any PipelineObserver] = [], time: TimeSource = .system,
    @PipelineBuilder _ interceptors: () -> [any Interceptor]
  ) throws(PipelineIssue) {
    // The call is compiled here, where the types are known: by its protocol, the chain would be walked without them.
    let entry = NestedEntry(capabilities: base.capabilities) { request throws(NetworkError) in
      try await base.dispatch(request)
    }
    try self.init(over: entry, named: "\(type(of: base))", observers: observers, time: time, interceptors())
  }

  @usableFromInline
  init(
    over base: any Dispatcher, named baseName: String, observers: [any PipelineObserver], time: TimeSource,
    _ interceptors: [any Interceptor]
  ) throws(PipelineIssue) {
    let members = interceptors.map {
      PipelineCheck.Member(name: $0.name, type: ObjectIdentifier(type(of: $0)), traits: $0.traits)
    }
    let faults = PipelineCheck(
      members: members, capabilities: base.capabilities, dispatcher: baseName
    ).faults()
    guard faults.isEmpty else { throw PipelineIssue(faults: faults) }
    let limits = [nil] + members.map { $0.traits.responseBody.limit }
    answerLimit = limits[members.count]
    var link: Link?
    for (index, member) in members.enumerated().reversed() {
      link = Link(
        interceptor: interceptors[index], name: member.name, stage: member.traits.stage,
        answerLimit: limits[index], next: link)
    }
    first = link
    names = members.map(\.name)
    bodyNeeds = RequestBodyNeeds(members.map { ($0.name, $0.traits.requestBody) })
    self.base = base
    self.baseName = baseName
    self.observers = observers + interceptors.compactMap { $0 as? any PipelineObserver }
    self.time = time
    capabilities = base.capabilities
  }

  /// The names of the interceptors, outermost first.
  public let names: [String]

  /// Sends a request through the chain, away from the caller's actor.
  @concurrent public func send(_ request: Request) async throws(NetworkError) -> Response {
    try await pass(request)
  }

  /// Sends a request through the chain, where the caller runs.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    try await pass(request)
  }

  @inline(__always)
  private func pass(_ request: Request) async throws(NetworkError) -> Response {
    let call = Call(pipeline: self, request: request)
    guard !call.isObserved, bodyNeeds.areNone || bodyNeeds.areMet(by: request.body) else {
      return try await specially(request, in: call)
    }
    return try await Self.pass(request, to: first, of: call)
  }

  @inline(__always)
  private static func pass(
    _ request: Request, to first: Link?, of call: Call
  ) async throws(NetworkError) -> Response {
    switch first {
    case nil: try await call.endInline(request, from: -1)
    case let first?: try await Next.enter(request, first, call, -1)
    }
  }

  private func specially(_ request: Request, in call: Call) async throws(NetworkError) -> Response {
    do throws(NetworkError) {
      var request = request
      if !bodyNeeds.areMet(by: request.body) {
        request.body = try await bodyNeeds.satisfied(by: request.body)
      }
      let response = try await Next.pass(request, to: first, of: call, from: -1)
      call.finished(.success(response), attempt: request.attempt)
      return response
    } catch {
      call.finished(.failure(error), attempt: error.attempt)
      throw error
    }
  }
}
