import CoreMetrics
import Tracing

/// Discards every value; a factory that exports would receive the same ones.
final class DiscardingMetrics: MetricsFactory, CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { self }
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { self }
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    self
  }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { self }
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
  func increment(by amount: Int64) {}
  func increment(by amount: Double) {}
  func decrement(by amount: Double) {}
  func reset() {}
  func set(_ value: Int64) {}
  func set(_ value: Double) {}
  func record(_ value: Int64) {}
  func record(_ value: Double) {}
  func recordNanoseconds(_ duration: Int64) {}
}

/// Discards every span, but makes the requests carry one.
struct DiscardingTracer: Tracer {
  struct Span: Tracing.Span {
    let context: ServiceContext
    var operationName: String {
      get { "" }
      nonmutating set {}
    }
    var attributes: SpanAttributes {
      get { [:] }
      nonmutating set {}
    }
    var isRecording: Bool { true }
    func setStatus(_ status: SpanStatus) {}
    func addEvent(_ event: SpanEvent) {}
    func recordError<Instant: TracerInstant>(
      _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {}
    func addLink(_ link: SpanLink) {}
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {}
  }

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> Span { Span(context: context()) }

  func forceFlush() {}

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {}

  func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    injector.inject(
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", forKey: "traceparent", into: &carrier)
  }
}
