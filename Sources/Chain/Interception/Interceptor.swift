/// A step of a chain: it may change the request, respond without calling `next`, call `next` repeatedly, or
/// fail.
///
/// Write an interceptor for what concerns *every* request, or every request of one kind: signing, caching,
/// logging, retrying. For what concerns a single API, give its manager a validator or a reformer. To replace
/// the transport, write a ``Dispatcher``.
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
/// An interceptor may throw any error. What it catches from `next` is always a ``NetworkError``: the pipeline
/// wraps any other error once, where it was thrown, and records the interceptor's name. The text of the
/// error isn't a part of ``NetworkError/reason``, because it may quote a secret. An interceptor runs on the
/// executor that calls it; ``Pipeline/send(_:)`` has already left the caller's actor.
///
/// ## Calling next repeatedly
///
/// Catch every error, and rethrow those that must not be retried:
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
/// In such a loop, a `catch` with a pattern or a `where` clause and no further `catch` crashes the Swift 6.3
/// compiler.
public protocol Interceptor: Sendable {
  /// The interceptor's stage and requirements; read once, when the pipeline is built.
  var traits: InterceptorTraits { get }

  /// The name that errors, traces and ``PipelineIssue`` use; the type's name by default.
  var name: String { get }

  /// Turns `request` into a response, usually by calling `next`, the remainder of the chain.
  ///
  /// Releasing a response in favor of another one cancels its transfer.
  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response
}

extension Interceptor {
  /// The type's name.
  public var name: String { "\(Self.self)" }
}
