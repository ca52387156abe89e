/// One step before the dispatcher: may change the request, answer by itself, call `next` again, or fail.
///
/// Write an interceptor for what concerns *every* request, or every request of a kind: signing, caching,
/// logging, retrying. Don't write one for what concerns a single API (give its manager a validator or a
/// reformer), and don't write one to replace the transport (write a ``Dispatcher``).
///
/// ```swift
/// struct Stamping: Interceptor {
///   let traits = InterceptorTraits(stage: .authorization)
///   func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
///     var request = request
///     request.head.headerFields[.userAgent] = "Estate/1"
///     return try await next.dispatch(request)
///   }
/// }
/// ```
///
/// An interceptor may throw anything. What it catches from `next` is always a ``NetworkError``; a foreign
/// error is wrapped once, where it was thrown, under the interceptor's name. It stays on the executor that
/// called it; ``Pipeline/send(_:)`` has left the caller's actor before.
///
/// ## Calling next again
///
/// Catch everything, and rethrow what is not to be tried again:
///
/// ```swift
/// struct Repeating: Interceptor {
///   let traits = InterceptorTraits(stage: .retry, callsNext: .anyNumber)
///   func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
///     for attempt in 1..<3 {
///       do {
///         return try await next.dispatch(request.asAttempt(attempt))
///       } catch {
///         guard !error.requestMayHaveBeenProcessed else { throw error }
///       }
///     }
///     return try await next.dispatch(request.asAttempt(3))
///   }
/// }
/// ```
///
/// A `catch` with a pattern or a `where` clause, and no other `catch` behind it, crashes the compiler of
/// Swift 6.3 in such a loop.
public protocol Interceptor: Sendable {
  /// Where the interceptor stands, and what it needs; read once, when the pipeline is built.
  var traits: InterceptorTraits { get }

  /// The name that errors, traces and ``PipelineIssue`` use; the type's name by default.
  var name: String { get }

  /// Turns `request` into a response, as a rule with the help of `next`, the rest of the chain.
  ///
  /// A response that is dropped in favour of another one cancels its transfer by being released.
  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response

  /// Intercepts a request as a step of a pipeline.
  ///
  /// Not for use, and not to be implemented. It is a requirement so that the default implementation is
  /// compiled in the interceptor's module and specialized there.
  func _enter(_ request: Request, next: _Next) async throws(NetworkError) -> Response
}

extension Interceptor {
  /// The type's name.
  public var name: String { "\(Self.self)" }
}
