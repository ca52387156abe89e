import HTTPTypes
import Interception

/// Says in sentences why a call went as it did: its cache, attempts, redirects and its end.
struct CallReasons {
  let record: CallRecord
  let shown: ShownText

  /// The sentences, in the order in which things happened.
  var sentences: [String] {
    forwardSentences + attemptSentences + redirectSentences + storeSentences + endSentences
  }

  /// The report of the delivered response.
  private var report: Exchange.ChainReport? { record.report }

  private var deliveredFields: HTTPFields {
    if case .delivered(let response, _) = record.outcome { response.head.headerFields } else { [:] }
  }

  // MARK: The cache

  /// Why the call was not answered by the store alone.
  private var forwardSentences: [String] {
    guard case .forwarded(let reason, _, collapsed: false) = report?.cache else { return [] }
    return ["Sent to the server, because \(Self.text(of: reason))."]
  }

  /// What the store had of the response, or kept of it.
  private var storeSentences: [String] {
    guard let status = report?.cache else { return [] }
    switch status {
    case .hit(let ttl, let isHeuristic) where ttl >= 0:
      let reason =
        isHeuristic
        ? " by a heuristic lifetime: the response states none" : ", because \(lifetimeReason)"
      return ["Served from the store: fresh for \(Self.more(ttl))\(reason)."]
    case .hit(let ttl, _):
      let stale = Self.seconds(ttl.magnitude)
      let permission =
        record.cacheRule.mode.acceptsStale
        ? "because the call accepts stale responses"
        : "because the response may be used while the store asks the server for a newer one"
      return ["Served from the store although it has been stale for \(stale), \(permission)."]
    case .revalidated(_, let isStored):
      return [
        "Served from the store after the server confirmed it with 304."
          + (isStored ? "" : " The confirmation was not stored.")
      ]
    case .staleOnError(_, let status, let ttl):
      let failure = status.map { "the server responded with \($0)" } ?? "the server did not respond"
      let stale = ttl < 0 ? " although it has been stale for \(Self.seconds(ttl.magnitude))" : ""
      return ["Served from the store\(stale), because \(failure)."]
    case .unsatisfied:
      return ["Answered with 504: the call allows only a stored response, and none is stored."]
    case .forwarded(_, _, collapsed: true):
      return ["Answered by the transfer of an identical call that was already in flight."]
    case .forwarded(_, let isStored, _):
      return [isStored ? "The response was stored." : "The response was not stored\(notStoredReason)."]
    }
  }

  private static func text(of reason: Exchange.CacheStatus.ForwardReason) -> String {
    switch reason {
    case .bypass: "the store is not used for this call"
    case .method: "its method must reach the server"
    case .uriMiss: "nothing is stored for it"
    case .varyMiss: "what is stored was for other header fields"
    case .stale: "the stored response is stale"
    case .request: "the call demanded a response from the server"
    case .partial: "only another part of the response is stored"
    }
  }

  private var lifetimeReason: String {
    let stated = Self.statedAge(deliveredFields)
    if let limit = record.cacheRule.limit?.components.seconds, !record.cacheRule.isStated {
      if let stated, stated < limit { return "the response states max-age=\(stated)" }
      return "the API's rule says \(limit) s"
    }
    if let stated { return "the response states max-age=\(stated)" }
    if deliveredFields[.expires] != nil { return "the response states when it expires" }
    return "the default rule of the cache says so"
  }

  private var notStoredReason: String {
    let control = deliveredFields[.cacheControl]?.lowercased() ?? ""
    if control.contains("no-store") { return ", because the response states no-store" }
    if record.cacheRule.mode == .noStore { return ", because the call forbids it" }
    return ""
  }

  private static func statedAge(_ fields: HTTPFields) -> Int64? {
    for directive in fields.members(of: .cacheControl) {
      let halves = directive.lowercased().split(separator: "=", maxSplits: 1)
      guard halves.count == 2, halves[0].allSatisfy({ $0 == " " || $0 == "-" || $0.isLetter }),
        halves[0].split(separator: " ").last == "max-age"
      else { continue }
      return Int64(halves[1].filter(\.isNumber))
    }
    return nil
  }

  private static func seconds(_ count: UInt64) -> String { count == 1 ? "1 second" : "\(count) seconds" }
  private static func more(_ count: Int64) -> String {
    count == 1 ? "1 more second" : "\(count) more seconds"
  }

  // MARK: Attempts and redirects

  private var attemptSentences: [String] {
    var sentences: [String] = []
    for (former, next) in zip(record.exchanges, record.exchanges.dropFirst())
    where next.attempt > former.attempt {
      if former.end.map({ $0 > next.start }) ?? true {
        let waited = Milliseconds.text(next.start - former.start)
        sentences.append(
          "Sent once more as attempt \(next.attempt), because the one before was unanswered after \(waited)."
        )
      } else {
        sentences.append("Sent again after \(Self.result(of: former)): attempt \(next.attempt).")
      }
    }
    if let refusal = refusal { sentences.append("Not sent again: \(refusal.clause).") }
    return sentences
  }

  private static func result(of exchange: RecordedExchange) -> String {
    exchange.failure?.label ?? exchange.response.map { "\($0.head.status.code)" } ?? "no response"
  }

  private var refusal: Exchange.RetryRefusal? {
    switch record.outcome {
    case .delivered(_, let report): report.retryRefusal
    case .failed(let error): error.retryRefusal
    case nil: nil
    }
  }

  private var redirectSentences: [String] {
    report?.redirects.map {
      "Redirected by \($0.status.code) to \(shown.url($0.url)), sent as \($0.method.rawValue)."
    } ?? []
  }

  // MARK: The end

  private var endSentences: [String] {
    switch record.outcome {
    case .delivered(_, let report):
      var sentences: [String] = []
      if record.exchanges.isEmpty, report.cache == nil || report.cache?.isHit == false {
        if record.isShared {
          if report.cache == nil {
            sentences.append("Answered by the transfer of an identical call that was already in flight.")
          }
        } else if report.cache == nil {
          sentences.append("Answered by an interceptor, without the network.")
        }
      }
      if let coding = report.requestCoding {
        sentences.append("The request's body was compressed with \(coding.name).")
      }
      return sentences
    case .failed(let error): return [endSentence(error)]
    case nil: return []
    }
  }

  private func endSentence(_ error: RecordedError) -> String {
    if error.label == "timeout_call" {
      let limit = record.options.timeouts.call.map { " of \(Milliseconds.text($0))" } ?? ""
      return "Ended by the call's own time limit\(limit), which includes all attempts."
    }
    if error.label == "cancelled_shutdown" { return "Cancelled, because the dispatcher was shut down." }
    if error.isCancellation { return "Cancelled by its caller." }
    let culprit = error.origin ?? "the chain"
    return record.exchanges.isEmpty
      ? "Refused by \(culprit) before anything was sent." : "Failed in \(culprit) with \(error.label)."
  }
}

/// Durations as the page and its sentences have them.
enum Milliseconds {
  /// The number of milliseconds.
  static func number(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) * 1_000 + Double(attoseconds / 1_000_000_000_000) / 1_000
  }

  /// Such as "12 ms" or "1.5 s".
  static func text(_ duration: Duration) -> String {
    let number = number(duration)
    guard number >= 999.5 else { return "\(Int(number.rounded())) ms" }
    let tenths = Int((number / 100).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
