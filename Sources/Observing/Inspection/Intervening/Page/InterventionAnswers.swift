import BodyFormats
import HTTPTypes
import Interception
import RequestLogging

/// Answers the page's requests about interventions.
struct InterventionAnswers {
  private static let maximumDepth = 8

  let intervening: Intervening
  let shown: ShownText

  /// What the state of the page has of them; nil while the page shows no interceptor.
  var summary: JSONValue? { document?.summary }

  /// The rules and the paused calls; nil while the page shows no interceptor.
  var detail: JSONValue? { document?.detail }

  /// The rules as a file; nil while the page shows no interceptor.
  var file: [UInt8]? { document?.file }

  private var document: InterventionDocument? {
    intervening.interceptor.map {
      InterventionDocument(interceptor: $0, paused: intervening.calls.list, shown: shown)
    }
  }

  /// Turns a rule on or off: `{"index": 0, "name": "No homes", "on": true}`.
  func turn(_ body: [UInt8]) throws(EditRefusal) {
    let (json, interceptor) = (try document(body), try shownInterceptor)
    let index = try value(Int.self, "index", of: json)
    let name = try value(String.self, "name", of: json)
    let isOn = try value(Bool.self, "on", of: json)
    guard interceptor.turn(name, at: index, on: isOn) else {
      throw EditRefusal("The rules have changed meanwhile; look at them again.")
    }
  }

  /// Continues a paused call: `{"number": 1, "action": "proceed"}`, or with what was edited.
  func resume(_ body: [UInt8]) throws(EditRefusal) {
    let json = try document(body)
    let number = try value(Int.self, "number", of: json)
    guard let paused = intervening.calls.paused(number) else { throw Self.isGone }
    let decision = try decision(on: paused, json)
    guard intervening.calls.resume(number, with: decision) else { throw Self.isGone }
  }

  /// Adds a rule that answers requests like that of a recorded call as it was answered.
  func answer(like record: CallRecord) throws(EditRefusal) {
    let rule = try InterventionRule(answeringLike: record, comparing: shown.redaction)
    guard try shownInterceptor.add(rule) else {
      throw EditRefusal("There are \(InterventionRules.maximumCount) rules, which is the maximum.")
    }
  }

  private static let isGone = EditRefusal("The call is no longer paused.")

  private func decision(
    on paused: PausedCalls.Paused, _ json: JSONDocument
  ) throws(EditRefusal) -> PausedCalls.Decision {
    let action = try value(String.self, "action", of: json)
    let message = ShownMessage(paused, shown: shown)
    switch action {
    case "proceed": return .proceed
    case "fail": return .fail
    case "send" where paused.response == nil:
      return .send(
        try message.request(
          method: value(String.self, "method", of: json), url: value(String.self, "url", of: json),
          fields: fields(json), body: optionalText("body", of: json)))
    case "answer":
      return .answer(
        try message.response(
          status: value(Int.self, "status", of: json), fields: fields(json),
          body: optionalText("body", of: json)))
    default: throw EditRefusal("The action is unknown.")
    }
  }

  private var shownInterceptor: InterventionInterceptor {
    get throws(EditRefusal) {
      guard let interceptor = intervening.interceptor else {
        throw EditRefusal("The app shows no interventions; call showsInterventions(of:).")
      }
      return interceptor
    }
  }

  private func document(_ body: [UInt8]) throws(EditRefusal) -> JSONDocument {
    do throws(BodyDecodingError) {
      return try JSONDocument(
        body, maximumDepth: Self.maximumDepth, maximumLength: PageRequestParser.bodyLimit)
    } catch {
      throw EditRefusal(error.reason)
    }
  }

  private func value<Value: JSONReadable>(
    _ type: Value.Type, _ key: String, of json: JSONDocument
  ) throws(EditRefusal) -> Value {
    do {
      return try Value(json: json[key])
    } catch {
      throw EditRefusal((error as? BodyDecodingError)?.reason ?? "`\(key)` can't be read.")
    }
  }

  private func optionalText(_ key: String, of json: JSONDocument) throws(EditRefusal) -> String? {
    do {
      return try json[JSONField<String?>(key)]
    } catch {
      throw EditRefusal((error as? BodyDecodingError)?.reason ?? "`\(key)` can't be read.")
    }
  }

  private func fields(_ json: JSONDocument) throws(EditRefusal) -> [(name: String, value: String)] {
    let pairs = try value([[String]].self, "fields", of: json)
    guard pairs.allSatisfy({ $0.count == 2 }) else {
      throw EditRefusal("A field should be a name and a value.")
    }
    return pairs.map { ($0[0], $0[1]) }
  }
}

extension InterventionRule {
  /// Creates a rule that answers the requests to a recorded call's method, host, path and query as it was
  /// answered.
  ///
  /// - Parameter redaction: What it hides of the query is not compared, because a rule is shown as it is.
  init(answeringLike record: CallRecord, comparing redaction: Redaction) throws(EditRefusal) {
    guard case .delivered(let response, _) = record.outcome else {
      throw EditRefusal("The call has no response; choose one that was answered.")
    }
    // A stream that the caller has read is that of the last exchange.
    let body = response.body.omission == .sameStream ? record.exchanges.lastBody : response.body
    guard let body, !body.isCut, body.omission == nil else {
      throw EditRefusal("The inspector doesn't have the whole content of the response; choose a shorter one.")
    }
    guard (200...599).contains(response.head.status.code), response.head.headerFields.contentCodings.isEmpty
    else {
      throw EditRefusal("The response can't be that of a rule, because of its status or its content coding.")
    }
    var fields = response.head.headerFields
    fields.removeFieldsOfExchange()
    let head = record.request.head
    let target = QueryItems(redaction.path(head.path ?? "/"))
    var query: [String: String] = [:]
    for item in target.items {
      guard let name = String(validating: item.name, as: UTF8.self),
        let value = String(validating: item.value, as: UTF8.self), !(name + value).contains(redaction.mark)
      else { continue }
      query[name] = query[name] ?? value
    }
    self.init(
      "Like call \(record.id)",
      matching: Match(method: head.method, host: head.authority, path: target.path, query: query),
      .answer(Answer(status: response.head.status, headerFields: fields, body: body.bytes)))
    isRecorded = true
  }
}
