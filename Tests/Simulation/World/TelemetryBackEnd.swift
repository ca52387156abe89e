import InMemoryTracing
import Metrics
import Tracing

/// A back end for metrics that looks for secrets in names and dimensions, and discards values.
struct SearchingMetrics: MetricsFactory {
  let checks: Checks

  private func search(_ label: String, _ dimensions: [(String, String)]) -> NOOPMetricsHandler {
    checks.written("a metric", "\(label) \(dimensions)")
    return NOOPMetricsHandler.instance
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    search(label, dimensions)
  }
  func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler { search(label, dimensions) }
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    search(label, dimensions)
  }
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    search(label, dimensions)
  }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    search(label, dimensions)
  }
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

/// A tracer that keeps its spans, and whose baggage is meant for the API only.
struct BaggageTracer: Tracer {
  private let spans = InMemoryTracer(recordInjections: false, recordExtractions: false)

  /// Everything that the spans say.
  var text: String {
    spans.finishedSpans.map { span in
      var parts = [span.operationName]
      span.attributes.forEach { parts.append("\($0)=\($1)") }
      for event in span.events {
        parts.append(event.name)
        event.attributes.forEach { parts.append("\($0)=\($1)") }
      }
      parts += span.errors.map { "\($0.error)" }
      if let status = span.status { parts.append("\(status)") }
      return parts.joined(separator: " ")
    }
    .joined(separator: "\n")
  }

  /// The number of spans that have not ended.
  var activeCount: Int { spans.activeSpans.count }

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
    injector.inject("account=\(World.secretMark)-baggage", forKey: "baggage", into: &carrier)
  }
}
