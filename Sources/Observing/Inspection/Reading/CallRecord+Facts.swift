import HTTPTypes
import Interception
import RequestLogging

/// What follows from a record.
extension CallRecord {
  /// Whether the call runs, and how it ended.
  enum State: String, Sendable {
    case running
    case answered
    case failed
    case cancelled
  }

  var state: State {
    switch outcome {
    case nil: .running
    case .delivered: .answered
    case .failed(let error): error.isCancellation ? .cancelled : .failed
    }
  }

  /// Whether the call has ended, and no stream of it is being read.
  var isComplete: Bool {
    guard let outcome else { return false }
    if case .delivered(let response, _) = outcome, response.body.isRunning { return false }
    return !exchanges.contains { $0.response?.body.isRunning == true && $0.failure == nil }
  }

  /// The report of the delivered response.
  var report: Exchange.ChainReport? { if case .delivered(_, let report) = outcome { report } else { nil } }

  /// The status that the caller received.
  var status: Int? {
    if case .delivered(let response, _) = outcome { response.head.status.code } else { nil }
  }

  /// The media type of the delivered content.
  var contentType: String? {
    guard case .delivered(let response, _) = outcome else { return nil }
    return response.head.headerFields.mediaType.map { MediaTypeSyntax.essence(of: $0) }
  }

  /// The time until the caller had its response, or its stream ended; nil while the call runs.
  var duration: Duration? { end.map { $0 - start } }

  /// The number of attempts; 0 if it is unknown.
  var attemptCount: Int { max(report?.attempts ?? 0, exchanges.map(\.attempt).max() ?? 0) }

  /// Whether the call was answered by the transfer of another one.
  var isShared: Bool {
    guard let report, exchanges.isEmpty else { return false }
    if case .forwarded(_, _, collapsed: true) = report.cache { return true }
    return report.attempts > 0 && report.cache?.isHit != true
  }

  /// Whether a second attempt was made.
  var isRetried: Bool { attemptCount > 1 }

  /// The last report of the transport.
  var lastTransport: TransportReport? { exchanges.last { $0.transport != nil }?.transport }

  /// The bytes of bodies that were sent and received, and those that a store saved.
  var counts: (sent: Int64, received: Int64, saved: Int64) {
    var counts: (sent: Int64, received: Int64, saved: Int64) = (0, 0, 0)
    for exchange in exchanges {
      counts.sent += exchange.transport?.bytes.sent ?? exchange.request.body.size ?? 0
      counts.received += exchange.transport?.bytes.received ?? exchange.response?.body.size ?? 0
    }
    if report?.cache?.isHit == true, case .delivered(let response, _) = outcome {
      counts.saved = response.body.size ?? 0
    }
    return counts
  }

  /// What interventions did to the call, also to another call of which it has the response.
  var alterationTexts: [String] {
    guard alterations.isEmpty, case .delivered(let response, _) = outcome,
      let rules = response.head.headerFields[.alteredBy]
    else { return alterations.map(\.description) }
    return ["\"\(rules)\": the response is that of an altered call"]
  }

  /// The number of steps around a step.
  func depth(of step: RecordedStep) -> Int {
    var depth = 0
    var parent = step.parent
    // A parent is an earlier step, so this ends.
    while let index = parent, index < steps.count {
      depth += 1
      parent = steps[index].parent.flatMap { $0 < index ? $0 : nil }
    }
    return depth
  }

  /// The name of the call's API, or its host.
  var subject: String { api.map { "\($0.service).\($0.name)" } ?? request.head.authority ?? "" }
}

extension Exchange.CacheStatus {
  /// The status as one word.
  var word: String {
    switch self {
    case .hit(let ttl, let isHeuristic): ttl < 0 ? "stale" : isHeuristic ? "heuristic" : "hit"
    case .staleOnError: "stale"
    case .revalidated: "revalidated"
    case .forwarded(_, _, collapsed: true): "collapsed"
    case .forwarded(.bypass, _, _): "bypass"
    case .forwarded: "miss"
    case .unsatisfied: "unsatisfied"
    }
  }
}
