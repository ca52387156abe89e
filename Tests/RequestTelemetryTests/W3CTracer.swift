import InMemoryTracing
import Tracing

/// A tracer that keeps its spans in memory, and writes their context as `traceparent` (W3C Trace Context),
/// with a `baggage` that isn't meant for other servers.
struct W3CTracer: Tracer {
  let spans: InMemoryTracer

  init() {
    let numbers = InMemoryTracer.IDGenerator.incrementing
    @Sendable func padded(_ text: String, to count: Int) -> String {
      let digits = text.filter(\.isNumber)
      return String(repeating: "0", count: count - digits.count) + digits
    }
    spans = InMemoryTracer(
      idGenerator: .init(
        nextTraceID: { padded(numbers.nextTraceID(), to: 32) },
        nextSpanID: { padded(numbers.nextSpanID(), to: 16) }))
  }

  /// The ended spans of a kind, in the order of their end.
  func ended(_ kind: SpanKind) -> [FinishedInMemorySpan] { spans.finishedSpans.filter { $0.kind == kind } }

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> InMemorySpan {
    spans.startSpan(
      operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID,
      line: line)
  }

  func forceFlush() {}

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {}

  func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    guard let span = context.inMemorySpanContext else { return }
    injector.inject("00-\(span.traceID)-\(span.spanID)-01", forKey: "traceparent", into: &carrier)
    injector.inject("account=s3cret", forKey: "baggage", into: &carrier)
    // Neither is legal in a header field.
    injector.inject("x", forKey: "not a name", into: &carrier)
    injector.inject("a\r\nb: c", forKey: "tracestate", into: &carrier)
  }
}
