import Interception
import RequestLogging

/// Answers the page's requests from what is recorded.
struct PageAnswers: Sendable {
  /// The maximum number of calls in one answer.
  private static let pageLength = 500
  /// The maximum size of what an archive has of earlier runs.
  private static let earlierArchiveBytes = 16 << 20
  private static let json = "application/json; charset=utf-8"

  let app: String
  /// Differs at each start of the app, so that a page that stayed open begins anew.
  let run: String
  let shown: ShownText
  let log: CallLog
  let timeline: TimelineLog
  let replaying: Replaying
  let circuits: WatchedCircuits
  let intervening: Intervening

  private var interventions: InterventionAnswers {
    InterventionAnswers(intervening: intervening, shown: shown)
  }

  /// Returns the answer to an admitted request.
  func answer(to method: String, _ path: String, _ query: String, body: [UInt8] = []) -> PageAnswer {
    let isPost = method == "POST"
    switch (path, isPost) {
    case ("state", false): return json(state)
    case ("calls", false): return calls(after: Self.number("after", in: query) ?? 0)
    case ("call", false): return call(query)
    case ("timeline", false): return json(notes(after: Self.number("after", in: query) ?? 0))
    case ("events", false): return .events
    case ("har", false): return archive(query)
    case ("routes.svg", false):
      guard let drawing = timeline.routeDrawing else { return .status(404) }
      return .content(Array(drawing.utf8), type: "image/svg+xml; charset=utf-8")
    case ("replay", true): return replay(query)
    case ("interventions", false):
      return interventions.detail.map(json) ?? refusal("The app shows no interventions.", 404)
    case ("interventions.json", false):
      guard let file = interventions.file else { return .status(404) }
      var answer = PageAnswer.content(file, type: Self.json)
      answer.fields.append(("Content-Disposition", "attachment; filename=\"interventions.json\""))
      return answer
    case ("interventions/turn", true):
      return change { interventions throws(EditRefusal) in try interventions.turn(body) }
    case ("interventions/resume", true):
      return change { interventions throws(EditRefusal) in try interventions.resume(body) }
    case ("interventions/answer", true):
      if earlierPart(.detail, query) != nil {
        return refusal("The call is one of an earlier run, of which only what the page shows is kept.", 409)
      }
      guard let record = record(query) else { return refusal("The call is no longer kept.", 404) }
      return change { interventions throws(EditRefusal) in try interventions.answer(like: record) }
    case ("clear", true):
      timeline.removeAll()
      // Notes the change of both.
      log.removeAll()
      return json(.object([]))
    case ("replay", false), ("clear", false), ("interventions/turn", false),
      ("interventions/resume", false), ("interventions/answer", false):
      return .status(405)
    default:
      guard !isPost, let asset = PageAsset(path) else { return .status(404) }
      return .content(asset.bytes, type: asset.type)
    }
  }

  /// What an event of the stream says.
  var event: JSONValue { .object([("run", .text(run)), ("last", .count(log.changes.last))]) }

  private var state: JSONValue {
    // Before the calls, so that none is missed by who continues from here.
    let (cleared, last) = (log.removalCount, log.changes.last)
    let totals = CallTotals(
      records: log.calls.map(\.current), redaction: shown.redaction, circuitsNow: circuits.states(of:))
    let usage = log.usage
    var members: [(name: String, value: JSONValue)] = [
      ("app", .text(app)), ("run", .text(run)), ("cleared", .count(cleared)), ("last", .count(last)),
      ("evicted", .count(usage.evicted)), ("byteLimit", .count(usage.limit)), ("bytes", .count(usage.bytes)),
      ("hasRoutes", .bool(timeline.hasRouteDrawing)), ("pipeline", totals.pipeline), ("totals", totals.json),
    ]
    if let summary = interventions.summary { members.append(("interventions", summary)) }
    if let status = log.keeper?.status { members.append(("file", status.json)) }
    return .object(members)
  }

  private func calls(after sequence: Int) -> PageAnswer {
    let (cleared, last) = (log.removalCount, log.changes.last)
    // Calls of earlier runs are numbered below all changes of this one.
    let keeper = log.keeper.flatMap { sequence < $0.lastEarlierID ? $0 : nil }
    let earlier = keeper?.earlierCalls(after: sequence, limit: Self.pageLength) ?? []
    let changed = log.calls.filter { $0.sequence > sequence }.map(\.current)
      .sorted { $0.sequence < $1.sequence }
    let page = changed.prefix(Self.pageLength - earlier.count)
    let lines =
      earlier.map(\.summary) + page.map { CallDocument(record: $0, shown: shown).summary.bytes }
    // A page continues from its own last call.
    let isFull = lines.count == Self.pageLength
    let end = isFull ? page.last?.sequence ?? earlier.last?.id ?? last : last
    let body = [
      Array(#"{"run":"\#(run)","cleared":\#(cleared),"last":\#(end),"calls":["#.utf8),
      Array(lines.joined(separator: [UInt8(ascii: ",")])),
      Array("]}".utf8),
    ]
    return .content(Array(body.joined()), type: Self.json)
  }

  private func call(_ query: String) -> PageAnswer {
    if let detail = earlierPart(.detail, query) { return .content(detail, type: Self.json) }
    guard let record = record(query) else { return .status(404) }
    let document = CallDocument(record: record, shown: shown)
    return json(
      document.detail(
        curl: CallArchive(app: app, shown: shown).curl(of: record),
        replayRefusal: replaying.refusal(of: record)))
  }

  private func notes(after sequence: Int) -> JSONValue {
    let (cleared, last) = (log.removalCount, log.changes.last)
    return .object([
      ("run", .text(run)), ("cleared", .count(cleared)), ("last", .count(last)),
      ("events", .list(timeline.notes(after: sequence).map(\.json))),
    ])
  }

  private func archive(_ query: String) -> PageAnswer {
    let archive = CallArchive(app: app, shown: shown)
    var answer: PageAnswer
    if query.isEmpty {
      let (entries, omittedCount) = log.keeper?.earlierEntries(upTo: Self.earlierArchiveBytes) ?? ([], 0)
      let bytes = archive.document(
        of: log.calls.map(\.current), after: entries, omittedCount: omittedCount + log.usage.evicted)
      answer = .content(bytes, type: Self.json)
    } else if let entries = earlierPart(.entries, query) {
      answer = .content(archive.document(of: [], after: [entries], omittedCount: 0), type: Self.json)
    } else {
      guard let record = record(query) else { return .status(404) }
      answer = .content(archive.document(of: [record], omittedCount: 0), type: Self.json)
    }
    answer.fields.append(("Content-Disposition", "attachment; filename=\"calls.har\""))
    return answer
  }

  private func replay(_ query: String) -> PageAnswer {
    if earlierPart(.detail, query) != nil { return refusal(KeptCall.replayRefusal, 409) }
    guard let record = record(query) else { return refusal("The call is no longer kept.", 404) }
    let number = log.nextID()
    do {
      try replaying.replay(record, as: number)
      return json(.object([("id", .count(number))]))
    } catch {
      return refusal(error.sentence, 409)
    }
  }

  private func change(_ change: (InterventionAnswers) throws(EditRefusal) -> Void) -> PageAnswer {
    do throws(EditRefusal) {
      try change(interventions)
      return json(.object([]))
    } catch {
      return refusal(error.sentence, 409)
    }
  }

  private func refusal(_ sentence: String, _ status: Int) -> PageAnswer {
    .content(JSONValue.object([("error", .text(sentence))]).bytes, type: Self.json, status: status)
  }

  private func record(_ query: String) -> CallRecord? {
    Self.number("id", in: query).flatMap(log.call)?.current
  }

  private func earlierPart(_ part: KeptCall.Part, _ query: String) -> [UInt8]? {
    guard let keeper = log.keeper, let id = Self.number("id", in: query), id <= keeper.lastEarlierID else {
      return nil
    }
    return keeper.part(part, of: id)
  }

  private func json(_ value: JSONValue) -> PageAnswer { .content(value.bytes, type: Self.json) }

  /// Returns a number of a query; nil if there is none.
  static func number(_ name: String, in query: String) -> Int? {
    for part in query.split(separator: "&") where part.hasPrefix(name + "=") {
      return Int(part.dropFirst(name.utf8.count + 1))
    }
    return nil
  }
}
