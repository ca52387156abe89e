import HTTPTypes
import Interception
import RequestLogging

/// The JSON of a call: the line of a list, and all that is known of it.
struct CallDocument {
  private typealias Members = [(name: String, value: JSONValue)]

  let record: CallRecord
  let shown: ShownText
  /// Whether the call is kept for later runs, which show it as one of an earlier run.
  var isEarlier = false

  /// The line of a list.
  var summary: JSONValue { .object(summaryMembers) }

  /// All that is known of the call.
  ///
  /// - Parameters:
  ///   - curl: A command line that sends the request.
  ///   - replayRefusal: Why the request can't be sent again from the page; nil if it can.
  func detail(curl: String, replayRefusal: String?) -> JSONValue {
    var members = summaryMembers
    members.append(("reasons", .list(CallReasons(record: record, shown: shown).sentences.map { .text($0) })))
    members.append(("steps", .list(record.steps.map(step))))
    members.append(("exchanges", .list(record.exchanges.map(exchange))))
    if case .delivered(let response, let report) = record.outcome {
      members.append(("delivered", message(response)))
      members.append(("redirectList", .list(report.redirects.map(redirect))))
    }
    members.append(("curl", .text(curl)))
    members.append(("replayable", .bool(replayRefusal == nil)))
    if let replayRefusal { members.append(("replayRefusal", .text(replayRefusal))) }
    return .object(members)
  }

  private var summaryMembers: Members {
    let head = record.request.head
    let target = (head.path ?? "").utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    var members: Members = [
      ("id", .number(Int64(record.id))), ("seq", .number(Int64(record.sequence))),
      ("started", .seconds(record.startedAt)), ("method", .text(head.method.rawValue)),
      ("scheme", .text(head.scheme?.lowercased() ?? "")),
      ("host", .text(shown.redaction.authority(head.authority ?? ""))),
      ("path", .text(target.first.map { shown.redaction.path(String(Substring($0))) } ?? "")),
      ("state", .text(record.state.rawValue)),
    ]
    if target.count > 1 {
      // A fragment is hidden with the query's last value.
      members.append(("query", .text(shown.redaction.query(String(Substring(target[1]))))))
    }
    if let api = record.api {
      members += [("service", .text(api.service)), ("api", .text(api.name))]
    }
    if let status = record.status { members.append(("status", .number(Int64(status)))) }
    if case .failed(let error) = record.outcome { members.append(("error", self.error(error))) }
    if let duration = record.duration { members.append(("duration", .milliseconds(duration))) }
    let counts = record.counts
    members += [
      ("sent", .number(counts.sent)), ("received", .number(counts.received)),
      ("saved", .number(counts.saved)), ("attempts", .number(Int64(record.attemptCount))),
      ("redirects", .number(Int64(record.report?.redirects.count ?? 0))), ("shared", .bool(record.isShared)),
    ]
    if let cache = record.report?.cache { members.append(("cache", .text(cache.word))) }
    let transport = record.lastTransport
    if let version = transport?.version { members.append(("protocol", .text(version.rawValue))) }
    if let address = transport?.remoteAddress { members.append(("address", .text(address))) }
    if let type = record.contentType { members.append(("type", .text(type))) }
    let alterations = record.alterationTexts
    if !alterations.isEmpty { members.append(("altered", .list(alterations.map { .text($0) }))) }
    if isEarlier { members.append(("earlier", .bool(true))) }
    return members
  }

  private func error(_ error: RecordedError) -> JSONValue {
    var members: Members = [
      ("kind", .text(error.label)), ("text", .text(shown.text(error.reason, of: record))),
    ]
    if let origin = error.origin { members.append(("origin", .text(origin))) }
    return .object(members)
  }

  private func redirect(_ redirect: Exchange.Redirect) -> JSONValue {
    .object([
      ("status", .number(Int64(redirect.status.code))), ("method", .text(redirect.method.rawValue)),
      ("url", .text(shown.url(redirect.url))),
    ])
  }

  private func step(_ step: RecordedStep) -> JSONValue {
    var members: Members = [("name", .text(step.step.name)), ("attempt", .number(Int64(step.attempt)))]
    if case .interceptor(_, let stage) = step.step { members.append(("stage", .text(stage.name))) }
    members += [
      ("depth", .number(Int64(record.depth(of: step)))), ("start", .milliseconds(step.start)),
      ("own", step.own.map(JSONValue.milliseconds) ?? .null),
      ("total", step.total.map(JSONValue.milliseconds) ?? .null),
      ("outcome", step.end.map { .text($0.text) } ?? .null), ("failed", .bool(step.end?.isFailure == true)),
    ]
    return .object(members)
  }

  private func exchange(_ exchange: RecordedExchange) -> JSONValue {
    let head = exchange.request.head
    let url =
      "\(head.scheme?.lowercased() ?? "")://\(shown.redaction.authority(head.authority ?? ""))\(head.path ?? "")"
    var members: Members = [
      ("attempt", .number(Int64(exchange.attempt))), ("start", .milliseconds(exchange.start)),
      ("url", .text(shown.url(url))), ("method", .text(head.method.rawValue)),
      (
        "request",
        .object([
          ("fields", shown.fields(head.headerFields, of: record)),
          ("body", shown.body(exchange.request.body, fields: head.headerFields, of: record)),
        ])
      ), ("response", exchange.response.map(message) ?? .null),
    ]
    if let end = exchange.end { members.append(("duration", .milliseconds(end - exchange.start))) }
    if let failure = exchange.failure {
      members.append(("error", .text("\(failure.label): \(shown.text(failure.reason, of: record))")))
    }
    guard let transport = exchange.transport else { return .object(members) }
    members += [
      (
        "phases",
        .list(transport.phases.named.map { .list([.text($0.name), .milliseconds($0.time)]) })
      ),
      (
        "bytes",
        .object([
          ("sent", .number(transport.bytes.sent)), ("received", .number(transport.bytes.received)),
          ("decoded", .number(transport.bytes.decoded)),
        ])
      ), ("reused", .bool(transport.connectionWasReused)),
    ]
    if let address = transport.remoteAddress { members.append(("address", .text(address))) }
    if let version = transport.version { members.append(("protocol", .text(version.rawValue))) }
    if let http3 = transport.http3 { members.append(("http3", .text(http3.description))) }
    if let coding = transport.contentCoding { members.append(("coding", .text(coding.name))) }
    return .object(members)
  }

  private func message(_ response: RecordedResponse) -> JSONValue {
    .object([
      ("status", .number(Int64(response.head.status.code))),
      ("fields", shown.fields(response.head.headerFields, of: record)),
      ("body", shown.body(response.body, fields: response.head.headerFields, of: record)),
    ])
  }
}

extension RecordedStep.End {
  /// The status, the cache's own words, or the error.
  var text: String {
    switch self {
    case .answered(let status, _): "\(status)"
    case .failed(let label): label
    }
  }

  var isFailure: Bool { if case .failed = self { true } else { false } }
}

extension JSONValue {
  /// A duration in milliseconds.
  static func milliseconds(_ duration: Duration) -> JSONValue {
    .number("\(Milliseconds.number(duration))")
  }

  /// A time in seconds since 1970.
  static func seconds(_ time: WallTime) -> JSONValue {
    let milliseconds = String(time.nanoseconds / 1_000_000)
    return .number(
      "\(time.seconds)." + String(repeating: "0", count: 3 - milliseconds.utf8.count) + milliseconds)
  }
}
