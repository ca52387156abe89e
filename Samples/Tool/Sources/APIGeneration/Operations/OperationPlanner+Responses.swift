extension OperationPlanner {
  struct Outcomes {
    var successes: [OperationPlan.Outcome] = []
    var failures: [OperationPlan.Outcome] = []
    var stub = OperationPlan.StubResponse(status: 200, contentType: nil, content: "")
  }

  /// Plans the responses of an operation, and what the stub responds.
  mutating func outcomes(of operation: DocumentNode, _ name: String) throws(DocumentError) -> Outcomes {
    var outcomes = Outcomes()
    var hasStub = false
    let entries = operation["responses"]?.entries ?? []
    let hasSuccess = entries.contains { $0.key.hasPrefix("2") }
    var names = NameScope()
    for entry in entries where !entry.key.hasPrefix("x-") {
      let status = entry.key.uppercased()
      guard status == "DEFAULT" || status.count == 3 && "12345".contains(status.prefix(1)) else {
        throw DocumentError(
          entry.line, "The status \"\(entry.key.prefix(20))\" is no status; write 200, 2XX or default.")
      }
      let (node, _) = try document.resolved(entry.value)
      if let links = node["links"] { note("links are not generated", links.line) }
      if let fields = node["headers"] {
        note("the header fields of responses are not generated", fields.line)
      }
      let isSuccess = status.hasPrefix("2") || status == "DEFAULT" && !hasSuccess
      // Redirects and informational responses are the chain's affair.
      guard isSuccess || status.hasPrefix("4") || status.hasPrefix("5") || status == "DEFAULT" else {
        continue
      }
      let label = status == "DEFAULT" ? (isSuccess ? "Response" : "Failure") : StatusName.of(status)
      let content = try content(
        of: node, named: name + (isSuccess ? "Response" : SwiftName.type(label)), isSuccess)
      let outcome = OperationPlan.Outcome(
        status: status, content: content.outcome,
        caseName: names.unique(status == "DEFAULT" ? "other" : SwiftName.member(label)))
      if isSuccess {
        outcomes.successes.append(outcome)
      } else if case .json = outcome.content {
        // Of any other failure, the response as received says more.
        outcomes.failures.append(outcome)
      }
      if isSuccess, !hasStub {
        hasStub = true
        outcomes.stub = OperationPlan.StubResponse(
          status: Int(status) ?? 200, contentType: content.mediaType, content: content.example)
      }
    }
    return outcomes
  }

  private mutating func content(
    of node: DocumentNode, named name: String, _ isSuccess: Bool
  ) throws(DocumentError) -> (outcome: OperationPlan.Outcome.Content, mediaType: String?, example: String) {
    let contents = node["content"]?.entries ?? []
    guard let content = contents.first(where: { MediaType.isJSON($0.key) }) ?? contents.first else {
      return (.none, nil, "")
    }
    for other in contents where other.key != content.key && isSuccess {
      note(
        "another media type of a response's content, \(MediaType.essence(of: other.key)), is not generated",
        other.line)
    }
    let essence = MediaType.concrete(content.key)
    guard MediaType.isJSON(content.key), let schema = content.value["schema"] else {
      let example = try examples.example(beside: content.value)?.text ?? "content"
      return (essence.hasPrefix("text/") && essence != "text/event-stream" ? .text : .bytes, essence, example)
    }
    let planned = try schemas.type(of: schema, named: name)
    let example = try examples.json(beside: content.value, of: schema)
    return (.json(planned.type, isNullable: planned.isNullable), essence, example ?? "null")
  }
}

/// The names of statuses.
enum StatusName {
  /// Returns a name such as "not found".
  static func of(_ status: String) -> String { names[status] ?? "status \(status)" }

  private static let names = [
    "200": "ok", "201": "created", "202": "accepted", "203": "transformed", "204": "no content",
    "205": "reset content", "206": "partial content", "2XX": "success", "400": "bad request",
    "401": "unauthorized",
    "402": "payment required", "403": "forbidden", "404": "not found", "405": "method not allowed",
    "406": "not acceptable", "408": "request timeout", "409": "conflict", "410": "gone",
    "411": "length required",
    "412": "precondition failed", "413": "content too large", "415": "unsupported media type",
    "416": "range not satisfiable", "422": "unprocessable content", "423": "locked",
    "428": "precondition required",
    "429": "too many requests", "4XX": "client error", "500": "server error", "501": "not implemented",
    "502": "bad gateway", "503": "service unavailable", "504": "gateway timeout", "5XX": "server failure",
  ]
}
