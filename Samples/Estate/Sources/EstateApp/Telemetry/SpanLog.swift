import InMemoryTracing
import Screens
import Synchronization
import Tracing

/// The spans of the last calls.
///
/// An app would bootstrap a tracer that exports them; this one keeps the last ones to print them.
final class SpanLog: Sendable {
  private static let capacity = 200

  /// Creates the spans.
  let tracer = InMemoryTracer()
  private let spans = Mutex<[FinishedInMemorySpan]>([])

  /// Takes the finished spans from the tracer, and forgets the oldest beyond the capacity.
  func collect() {
    let finished = tracer.popFinishedSpans()
    spans.withLock { spans in
      spans += finished
      spans.removeFirst(max(0, spans.count - Self.capacity))
    }
  }

  /// The spans of the last call that sent a request as lines: each with its time and attributes, children
  /// below their parents.
  var lines: [String] {
    collect()
    let all = spans.withLock { $0 }
    guard let sent = all.last(where: { $0.kind == .client }) else { return [] }
    let trace = all.filter { $0.traceID == sent.traceID }
      .sorted { $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch }
    let parents = Dictionary(
      trace.map { ($0.spanID, $0.parentSpanID) }, uniquingKeysWith: { first, _ in first })
    return trace.flatMap { span in
      var depth = 0
      var parent = span.parentSpanID
      while let known = parent, depth < 8 {
        depth += 1
        parent = parents[known] ?? nil
      }
      return Self.lines(span, indent: String(repeating: "  ", count: depth))
    }
  }

  private static func lines(_ span: FinishedInMemorySpan, indent: String) -> [String] {
    let nanoseconds = span.endInstant.nanosecondsSinceEpoch - span.startInstant.nanosecondsSinceEpoch
    let time = Amounts.milliseconds(.nanoseconds(Int64(clamping: nanoseconds)))
    let failed = span.status?.code == .error ? ", error" : ""
    var attributes: [String] = []
    span.attributes.forEach { name, value in attributes.append("\(name)=\(text(value))") }
    return ["\(indent)\(span.operationName) (\(span.kind)): \(time)\(failed)"]
      + attributes.sorted().map { "\(indent)    \($0)" }
      + span.events.map { "\(indent)    event: \($0.name)" }
  }

  private static func text(_ value: SpanAttribute) -> String {
    switch value {
    case .string(let text): text
    case .stringConvertible(let value): "\(value)"
    case .int32(let number): "\(number)"
    case .int64(let number): "\(number)"
    default: "\(value)"
    }
  }
}
