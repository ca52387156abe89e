import HTTPTypes
import Interception
import RequestLogging

/// The totals of the kept calls, and what each part of the pipeline did.
struct CallTotals {
  typealias Members = [(name: String, value: JSONValue)]

  /// The number of calls whose durations are listed.
  private static let listedDurations = 60

  let records: [CallRecord]
  let redaction: Redaction
  /// Returns the present states of circuit breakers; nil if no pipeline has any.
  var circuitsNow: (_ origins: Set<String>) -> [CircuitStatus]? = { _ in nil }
  /// The present time, for the ends of pauses.
  var now = WallTime.now()

  // MARK: Totals

  var json: JSONValue {
    let hits = records.count { $0.report?.cache?.isHit == true }
    let looked = records.count { $0.report?.cache != nil }
    let counts = records.map(\.counts)
    var members: Members = [
      ("calls", .count(records.count)), ("running", .count(records.count { $0.state == .running })),
      ("failed", .count(records.count { $0.state == .failed })),
      ("retried", .count(records.count(where: \.isRetried))),
      ("shared", .count(records.count(where: \.isShared))), ("hits", .count(hits)),
      ("bytesReceived", .number(counts.reduce(0) { $0 + $1.received })),
      ("bytesSaved", .number(counts.reduce(0) { $0 + $1.saved })), ("apis", apis), ("origins", origins),
      ("addresses", addresses), ("circuits", circuits),
    ]
    if looked > 0 { members.append(("hitRatio", .number("\(Double(hits) / Double(looked))"))) }
    return .object(members)
  }

  private var apis: JSONValue {
    .list(
      grouped { $0.subject }.map { name, records in
        let durations = records.compactMap(\.duration)
        return .object([
          ("name", .text(redaction.authority(name))), ("calls", .count(records.count)),
          ("failed", .count(records.count { $0.state == .failed })),
          ("p50", .percentile(50, of: durations)), ("p99", .percentile(99, of: durations)),
          ("durations", .list(durations.suffix(Self.listedDurations).map(JSONValue.milliseconds))),
        ])
      })
  }

  private var origins: JSONValue {
    var counts: [String: (calls: Int, version: String)] = [:]
    for record in records {
      for exchange in record.exchanges {
        let origin = RequestOrigin(exchange.request.head).description
        counts[origin, default: (0, "")].calls += 1
        if let version = exchange.transport?.version { counts[origin]?.version = version.rawValue }
      }
    }
    return .list(
      counts.sorted { $0.key < $1.key }.map { origin, count in
        .object([
          ("origin", .text(origin)), ("protocol", .text(count.version)), ("calls", .count(count.calls)),
        ])
      })
  }

  private var addresses: JSONValue {
    var exchanges: [String: [RecordedExchange]] = [:]
    for exchange in records.flatMap(\.exchanges) {
      let target = exchange.transport?.remoteAddress ?? exchange.request.connectTarget?.description
      if let target { exchanges[target, default: []].append(exchange) }
    }
    return .list(
      exchanges.sorted { $0.key < $1.key }.map { address, exchanges in
        let firstBytes = exchanges.compactMap { $0.transport?.phases.firstByte }
        return .object([
          ("address", .text(address)), ("calls", .count(exchanges.count)),
          ("failed", .count(exchanges.count { $0.failure != nil })),
          ("firstByte", .object([("p50", .percentile(50, of: firstBytes))])),
        ])
      })
  }

  private func grouped(_ key: (CallRecord) -> String) -> [(key: String, value: [CallRecord])] {
    Dictionary(grouping: records, by: key).sorted { $0.key < $1.key }
  }

  // MARK: The pipeline

  private struct Part {
    var calls = 0
    var failed = 0
    var answered = 0
    var own: [Duration] = []
    var last = ""
  }

  /// The steps that ran, by rank, the dispatcher last.
  var pipeline: JSONValue {
    var parts: [PipelineEvent.Step: Part] = [:]
    for record in records {
      let parents = Set(record.steps.compactMap(\.parent))
      for (index, step) in record.steps.enumerated() {
        var part = parts[step.step, default: Part()]
        part.calls += 1
        if let own = step.own { part.own.append(own) }
        if step.end?.isFailure == true { part.failed += 1 }
        if case .interceptor = step.step, step.end != nil, !parents.contains(index),
          step.end?.isFailure == false
        {
          part.answered += 1
        }
        if let end = step.end { part.last = Self.text(of: end, of: step.step) }
        parts[step.step] = part
      }
    }
    return .list(parts.sorted { $0.key.place < $1.key.place }.map { Self.json(of: $0.key, $0.value) })
  }

  private static func text(of end: RecordedStep.End, of step: PipelineEvent.Step) -> String {
    if case .interceptor(_, .caching) = step, case .answered(_, let status?) = end {
      return status.description
    }
    return end.text
  }

  private static func json(of step: PipelineEvent.Step, _ part: Part) -> JSONValue {
    var members: Members = [("name", .text(step.name))]
    if case .interceptor(_, let stage) = step {
      members += [("stage", .text(stage.name)), ("rank", .count(stage.rank))]
    } else {
      members += [("stage", .text("dispatcher")), ("rank", .null)]
    }
    members += [
      ("calls", .count(part.calls)), ("failed", .count(part.failed)), ("answered", .count(part.answered)),
      (
        "own",
        .object([("p50", .percentile(50, of: part.own)), ("p99", .percentile(99, of: part.own))])
      ),
      ("last", .text(part.last)),
    ]
    return .object(members)
  }
}

extension PipelineEvent.Step {
  /// The order of the steps: by rank, then by name, and the dispatcher last.
  fileprivate var place: (Int, String) {
    if case .interceptor(_, let stage) = self { (stage.rank, name) } else { (.max, name) }
  }
}

/// Percentiles of durations, by the nearest rank.
enum Percentile {
  /// Returns the smallest value that at least `percent` of the values don't exceed; nil of none.
  static func of(_ values: [Duration], _ percent: Int) -> Duration? {
    guard !values.isEmpty else { return nil }
    let rank = (values.count * min(max(percent, 1), 100) + 99) / 100
    return values.sorted()[rank - 1]
  }
}

extension JSONValue {
  static func count(_ count: Int) -> JSONValue { .number(Int64(count)) }

  fileprivate static func percentile(_ percent: Int, of values: [Duration]) -> JSONValue {
    Percentile.of(values, percent).map(JSONValue.milliseconds) ?? .null
  }
}
