import HTTPTypes
import Interception
import RequestLogging

/// The JSON of the rules and of the paused calls, redacted.
struct InterventionDocument {
  let interceptor: InterventionInterceptor
  let paused: [PausedCalls.Paused]
  let shown: ShownText

  /// What the page always shows: how many rules are on, and how many calls are paused.
  var summary: JSONValue {
    .object([
      ("on", .count(interceptor.rules.rules.count { $0.isOn })),
      ("rules", .count(interceptor.rules.rules.count)),
      ("paused", .count(paused.count)),
    ])
  }

  /// The rules and the paused calls.
  var detail: JSONValue {
    .object([
      ("rules", .list(interceptor.rules.rules.enumerated().map { rule($0.element, at: $0.offset) })),
      ("paused", .list(paused.map(call))),
    ])
  }

  /// The rules as a file that can be edited and committed.
  ///
  /// An answer that was recorded is in it as it is shown: without hidden fields, and with hidden values of
  /// its content replaced by a mark.
  var file: [UInt8] {
    InterventionWriter.document(of: interceptor.rules.rules.map { $0.isRecorded ? redacted($0) : $0 })
  }

  private func redacted(_ rule: InterventionRule) -> InterventionRule {
    guard case .answer(var answer) = rule.action else { return rule }
    var rule = rule
    let fields = answer.headerFields
    answer.body = Array((shown.editableText(of: answer.body, fields: fields) ?? "").utf8)
    answer.headerFields = HTTPFields(fields.filter { shown.redaction.value(of: $0) == $0.value })
    // Without it the content could not be read as what it is.
    answer.headerFields[.contentType] = fields[.contentType]
    rule.action = .answer(answer)
    return rule
  }

  private func rule(_ rule: InterventionRule, at index: Int) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("index", .count(index)), ("name", .text(rule.name)), ("on", .bool(rule.isOn)),
      ("match", .text(rule.match.text)), ("action", .text(rule.action.text)),
    ]
    if let times = rule.times { members.append(("times", .count(times))) }
    return .object(members)
  }

  private func call(_ paused: PausedCalls.Paused) -> JSONValue {
    let message = ShownMessage(paused, shown: shown)
    var members: [(name: String, value: JSONValue)] = [
      ("number", .count(paused.number)), ("rule", .text(paused.rule)), ("since", .seconds(paused.since)),
      ("moment", .text(paused.response == nil ? "request" : "response")), ("method", .text(message.method)),
      ("url", .text(message.url)),
      ("fields", .list(message.fields.map { .list([.text($0.name), .text($0.value)]) })),
    ]
    if let status = paused.response?.status { members.append(("status", .count(status.code))) }
    if let body = message.body { members.append(("body", .text(body))) }
    return .object(members)
  }
}

/// A paused message as the page shows it, and as it is after an edit of what was shown.
///
/// What is shown is redacted. What the user leaves as it was shown keeps its real value.
struct ShownMessage {
  let paused: PausedCalls.Paused
  let method: String
  /// The scheme, authority, path and query.
  let url: String
  let fields: [(name: String, value: String)]
  /// The content; nil if it is not a text that may be shown.
  let body: String?
  private let originalFields: HTTPFields

  init(_ paused: PausedCalls.Paused, shown: ShownText) {
    self.paused = paused
    let head = paused.request.head
    method = head.method.rawValue
    url = shown.redaction.url(Self.url(of: head))
    originalFields = paused.response?.head.headerFields ?? head.headerFields
    let redaction = shown.redaction.hiding(paused.request.credentialFields)
    fields = originalFields.map { ($0.name.rawName, redaction.value(of: $0)) }
    let bytes: [UInt8]?
    if let response = paused.response {
      if case .bytes(let content) = response.body { bytes = content } else { bytes = nil }
    } else {
      bytes = paused.request.body.bytes
    }
    let contentFields = originalFields
    body = bytes.flatMap { shown.editableText(of: $0, fields: contentFields) }
  }

  private static func url(of head: HTTPRequest) -> String {
    "\(head.scheme?.lowercased() ?? "https")://\(head.authority ?? "")\(head.path ?? "/")"
  }

  /// Returns the fields with the values that were edited, and the real ones of those that were not.
  func restored(_ edited: [(name: String, value: String)]) throws(EditRefusal) -> HTTPFields {
    var rest = Array(zip(fields, originalFields))
    var restored = HTTPFields()
    for (name, value) in edited {
      if let index = rest.firstIndex(where: {
        $0.0.name.lowercased() == name.lowercased() && $0.0.value == value
      }) {
        restored.append(rest.remove(at: index).1)
        continue
      }
      guard let fieldName = HTTPField.Name(name), !name.hasPrefix(":"), HTTPField.isValidValue(value) else {
        throw EditRefusal(
          "\"\(name.prefix(100))\" is no header field; write each as a name, a colon and a value.")
      }
      try Self.checkRedaction(value, of: "The field \"\(name.prefix(100))\"")
      restored.append(HTTPField(name: fieldName, value: value))
    }
    return restored
  }

  /// Returns a URL with the real query if that was left as it was shown.
  private func restored(_ edited: String) throws(EditRefusal) -> String {
    let real = Self.halves(of: Self.url(of: paused.request.head))
    let (shown, edited) = (Self.halves(of: url), Self.halves(of: edited))
    try Self.checkRedaction(edited.target, of: "The URL")
    guard let query = edited.query else { return edited.target }
    if query == shown.query, let real = real.query { return "\(edited.target)?\(real)" }
    try Self.checkRedaction(query, of: "The URL")
    return "\(edited.target)?\(query)"
  }

  /// Returns a URL without its query, and the query.
  private static func halves(of url: String) -> (target: String, query: String?) {
    let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return (parts[0], parts.count > 1 ? parts[1] : nil)
  }

  /// Returns the paused request with the head and the body that were edited.
  func request(
    method: String, url: String, fields: [(name: String, value: String)], body: String?
  ) throws(EditRefusal) -> Request {
    var request = paused.request
    guard let method = HTTPRequest.Method(method) else {
      throw EditRefusal("The method is none; use one such as GET.")
    }
    request.head.method = method
    if url != self.url {
      let absolute = try restored(url)
      let target: Request
      do throws(NetworkError) {
        target = try Request(absolute)
      } catch {
        throw EditRefusal("The URL is none; write an absolute one.")
      }
      // Another server must not receive what was added for this one.
      guard target.head.scheme == request.head.scheme, target.head.authority == request.head.authority else {
        throw EditRefusal(
          "The URL leads to another server, which must not receive the credentials of this one; change the path only."
        )
      }
      request.head.path = target.head.path
    }
    request.head.headerFields = try restored(fields)
    if let body, body != self.body {
      try Self.checkRedaction(body, of: "The body")
      request.body = body.isEmpty ? .empty : .text(body)
    }
    return request
  }

  /// Returns a response with what was edited.
  func response(
    status: Int, fields: [(name: String, value: String)], body: String?
  ) throws(EditRefusal) -> Response {
    guard (200...599).contains(status) else { throw EditRefusal("The status should be 200 to 599.") }
    var response = paused.response ?? Response(status: .ok)
    response.head.status = HTTPResponse.Status(code: status)
    if paused.response == nil {
      // An answer to a request that is paused has fields of its own.
      var own = HTTPFields()
      for (name, value) in fields {
        guard let fieldName = HTTPField.Name(name), !name.hasPrefix(":"), HTTPField.isValidValue(value) else {
          throw EditRefusal(
            "\"\(name.prefix(100))\" is no header field; write each as a name, a colon and a value.")
        }
        own.append(HTTPField(name: fieldName, value: value))
      }
      response.head.headerFields = own
    } else {
      response.head.headerFields = try restored(fields)
    }
    guard let body, body != self.body || paused.response == nil else { return response }
    try Self.checkRedaction(body, of: "The body")
    response.body = .bytes(Array(body.utf8))
    // It would be wrong for the new content.
    response.head.headerFields[.contentLength] = nil
    return response
  }

  /// Throws a refusal if a text has the mark of a redacted value, which is no real one.
  private static func checkRedaction(_ text: String, of subject: String) throws(EditRefusal) {
    guard !text.contains("██") else {
      throw EditRefusal(
        "\(subject) has a redacted value; leave it as it was shown, or replace the value, too.")
    }
  }
}

/// Why an edit isn't taken, in a sentence.
struct EditRefusal: Error, Equatable {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}

extension InterventionRule.Match {
  /// The properties as a text.
  var text: String {
    let properties = [
      method?.rawValue, host.map { "host \($0)" }, path.map { "path \($0)" },
      query.isEmpty ? nil : "query " + query.map { "\($0)=\($1)" }.sorted().joined(separator: "&"),
      service.map { "service \($0)" }, api.map { "API \($0)" },
    ]
    let list = properties.compactMap(\.self)
    return list.isEmpty ? "every request" : list.joined(separator: ", ")
  }
}

extension InterventionRule.Action {
  /// The action as a text, without the content of an answer.
  var text: String {
    switch self {
    case .answer(let answer):
      "answer with \(answer.status.code)" + (answer.body.isEmpty ? "" : ", \(answer.body.count) bytes")
    case .fail(let kind): "fail with \(NetworkError(kind, "").label)"
    case .delay(let duration): "wait \(duration)"
    case .network(let network): "network \(network.name)"
    case .pause(let moment): "pause at the \(moment.rawValue)"
    }
  }
}
