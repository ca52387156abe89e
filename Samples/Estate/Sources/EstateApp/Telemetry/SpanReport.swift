import InMemoryTracing
import Screens
import Tracing

/// The spans of a call as lines: each with its time and attributes, children below their parents.
struct SpanReport {
  let lines: [String]

  init(_ spans: [FinishedInMemorySpan]) {
    let parents = Dictionary(
      spans.map { ($0.spanID, $0.parentSpanID) }, uniquingKeysWith: { first, _ in first })
    lines = spans.flatMap { span in
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
    var lines = ["\(indent)\(span.operationName) (\(span.kind)): \(time)\(failed)"]
    var attributes: [String] = []
    span.attributes.forEach { name, value in attributes.append("\(name)=\(Self.text(value))") }
    lines += attributes.sorted().map { "\(indent)    \($0)" }
    lines += span.events.map { "\(indent)    event: \($0.name)" }
    return lines
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
