/// An interceptor written as a closure, for small steps and for tests.
///
/// `next` is an existential here, through which no optimiser sees: a type of your own is quicker.
public struct InlineInterceptor: Interceptor {
  /// Where it stands, and what it needs.
  public let traits: InterceptorTraits
  /// The name that errors and traces use.
  public let name: String
  private let body: @Sendable (Request, any Dispatcher) async throws -> Response

  /// Makes an interceptor of a closure; any number of them may stand in one pipeline.
  public init(
    _ name: String, stage: Stage,
    _ body: @escaping @Sendable (Request, any Dispatcher) async throws -> Response
  ) {
    self.init(name, traits: InterceptorTraits(stage: stage, multiplicity: .many, callsNext: .anyNumber), body)
  }

  /// Makes an interceptor of a closure, with traits of its own.
  public init(
    _ name: String, traits: InterceptorTraits,
    _ body: @escaping @Sendable (Request, any Dispatcher) async throws -> Response
  ) {
    self.name = name
    self.traits = traits
    self.body = body
  }

  /// Runs the closure.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await body(request, next)
  }
}
