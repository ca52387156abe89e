#if Telemetry
import Interception
import Tracing

/// A request that was sent and has not ended.
struct SentRequest: Sendable {
  /// The request, without the context of its span.
  let request: Request
  let method: MethodLabel
  let api: APIIdentity?
  let startedAt: Duration
  let span: (any Span)?
  /// The span of the call to which it belongs.
  let callSpan: (any Span)?
  /// The context that is sent to the server.
  let context: ServiceContext
  /// The number of requests that the same call sent before.
  let resendCount: Int
}
#endif
