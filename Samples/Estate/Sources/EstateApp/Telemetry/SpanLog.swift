import InMemoryTracing
import Synchronization
import Tracing

/// The spans of the last calls.
///
/// An app would bootstrap a tracer that exports them; this one keeps the last ones to print them.
final class SpanLog: Sendable {
  /// Creates the spans.
  let tracer = InMemoryTracer()
  private let capacity: Int
  private let spans = Mutex<[FinishedInMemorySpan]>([])

  /// Creates an empty log of at most `capacity` spans.
  init(capacity: Int = 200) { self.capacity = capacity }

  /// Takes the finished spans from the tracer, and forgets the oldest beyond the capacity.
  func collect() {
    let finished = tracer.popFinishedSpans()
    spans.withLock { spans in
      spans += finished
      spans.removeFirst(max(0, spans.count - capacity))
    }
  }

  /// The spans of the last call that sent a request, parents before their children; empty without one.
  var lastTrace: [FinishedInMemorySpan] {
    collect()
    return spans.withLock { spans in
      guard let sent = spans.last(where: { $0.kind == .client }) else { return [] }
      return spans.filter { $0.traceID == sent.traceID }
        .sorted { $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch }
    }
  }
}
