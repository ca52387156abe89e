/// An interceptor written as a closure, for small steps and for tests.
///
/// The closure receives `next` as an existential, which the optimizer cannot specialize; an interceptor type
/// is faster.
public struct InlineInterceptor: Interceptor {
  /// The interceptor's stage and requirements.
  public let traits: InterceptorTraits
  /// The name that errors and traces use.
  public let name: String
  private let body: @Sendable (Request, any Dispatcher) async throws -> Response

  /// Creates an interceptor from a closure; a pipeline may hold any number of them.
  public init(
    _ name: String, stage: Stage,
    _ body: @escaping @Sendable (Request, any Dispatcher) async throws -> Response
  ) {
    self.init(name, traits: InterceptorTraits(stage: stage, allowsSeveral: true, callsNext: .anyNumber), body)
  }

  /// Creates an interceptor from a closure, with explicit traits.
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
