import HTTPTypes
import RequestLogging
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite(.timeLimit(.minutes(5))) struct InterventionPageTests {
  private let inspector = Inspector(
    app: "Test", redaction: Redaction(showingQueryValuesOf: ["page", "name"]))
  private let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
    Response(
      status: .ok, headerFields: [.contentType: "application/json", .setCookie: "hunter2secret"],
      bytes: Array(#"{"name": "home", "key": "hunter2secret"}"#.utf8))
  }

  /// Serves the page of an app with rules.
  private func start(_ rules: InterventionRules) async throws -> (
    PageClient, Pipeline, InterventionInterceptor
  ) {
    let interceptor = try InterventionInterceptor(rules, permission: .debugBuildsOnly)
    let pipeline = try Pipeline(over: dispatcher, observers: [inspector]) { interceptor }
    inspector.showsInterventions(of: interceptor)
    return (PageClient(try await inspector.serve()), pipeline, interceptor)
  }

  /// Waits until a call is paused, and returns what the page shows of it.
  private func paused(_ page: PageClient) async throws -> JSON {
    try await waitUntil("a call is paused") { !inspector.intervening.calls.list.isEmpty }
    return try await page.get("interventions").json["paused"][0]
  }

  private static let look = InterventionRule("Look", .pause(.request))
  private static let lookBack = InterventionRule("Look back", .pause(.response))

  @Test("An app without an interceptor has nothing of interventions")
  func nothing() async throws {
    let page = PageClient(try await inspector.serve())
    #expect(try await page.get("state").json["interventions"].isNull)
    #expect(try await page.get("interventions").status == 404)
    let refusal = try await page.post("interventions/turn", #"{"index": 0, "name": "Look", "on": true}"#)
    #expect(refusal.status == 409)
    #expect(try refusal.json["error"].text?.contains("showsInterventions(of:)") == true)
    await inspector.stop()
  }

  @Test("The page lists the rules, and turns them on and off")
  func rules() async throws {
    let (page, pipeline, interceptor) = try await start([
      InterventionRule(
        "No homes", matching: .init(method: .get, host: "a.test"), times: 2, .answer(.init(json: "[]"))),
      InterventionRule("Train", isOn: false, .network(.slow3G)),
    ])
    let state = try await page.get("state").json["interventions"]
    #expect([state["on"].number, state["rules"].number, state["paused"].number] == [1, 2, 0])
    let rules = try await page.get("interventions").json["rules"]
    #expect(rules[0]["match"].text == "GET, host a.test")
    #expect(rules[0]["action"].text == "answer with 200, 2 bytes")
    #expect(rules[0]["times"].number == 2)
    #expect(rules[1]["action"].text == "network slow-3g")
    let change = inspector.log.changes.last
    #expect(
      try await page.post("interventions/turn", #"{"index": 0, "name": "No homes", "on": false}"#).status
        == 200)
    #expect(inspector.log.changes.last > change)
    #expect(interceptor.rules.rules.map(\.isOn) == [false, false])
    #expect(try await pipeline.send(Request(authority: "a.test", path: "/")).body.text != "[]")
    // The list of the page is an old one.
    #expect(
      try await page.post("interventions/turn", #"{"index": 1, "name": "No homes", "on": true}"#).status
        == 409)
    #expect(
      try await page.post("interventions/turn", #"{"index": 9, "name": "Train", "on": true}"#).status == 409)
    await inspector.stop()
  }

  @Test("A change needs POST, the page's field, its origin and a document that is complete")
  func protection() async throws {
    let (page, _, interceptor) = try await start([Self.look])
    let body = #"{"index": 0, "name": "Look", "on": false}"#
    for path in ["interventions/turn", "interventions/resume", "interventions/answer"] {
      #expect(try await page.get(path).status == 405)
      #expect(try await page.post(path, body, fields: []).status == 403)
      #expect(
        try await page.post(path, body, fields: ["X-Inspector: 1", "Origin: http://evil.test"]).status == 403)
      #expect(try await page.post(path, body, fields: ["X-Inspector: 1", "Host: evil.test"]).status == 403)
      #expect(
        try await page.post(path, body, fields: ["X-Inspector: 1", "Sec-Fetch-Site: cross-site"]).status
          == 403)
    }
    for faulty in [
      "", "{", "[]", #"{"index": "0", "name": "Look", "on": false}"#, #"{"index": 0, "on": false}"#,
    ] {
      #expect(try await page.post("interventions/turn", faulty).status == 409)
    }
    #expect(interceptor.rules.rules[0].isOn)
    await inspector.stop()
  }

  @Test("A request is sent as it was edited, and what was hidden keeps its real value")
  func editedRequest() async throws {
    let (page, pipeline, _) = try await start([Self.look])
    var request = Request(
      method: .post, authority: "a.test", path: "/homes?token=hunter2secret",
      headerFields: [
        .authorization: "Bearer hunter2secret", .accept: "a/b", .contentType: "application/json",
      ],
      body: .text(#"{"name": "x", "key": "hunter2secret"}"#))
    request.options.timeouts.call = .seconds(50)
    async let response = pipeline.send(request)
    let shown = try await paused(page)
    let document = try await page.get("interventions").text
    #expect(!document.contains("hunter2"))
    #expect(shown["moment"].text == "request")
    #expect(shown["method"].text == "POST")
    let url = try #require(shown["url"].text)
    #expect(url.hasPrefix("https://a.test/homes?token="))
    let number = Int(try #require(shown["number"].number))
    func edit(url: String, authorization: String, body: String) -> String {
      let fields: [JSONValue] = [
        .list([.text("Authorization"), .text(authorization)]), .list([.text("X-New"), .text("1")]),
      ]
      let edit = JSONValue.object([
        ("number", .count(number)), ("action", .text("send")), ("method", .text("PUT")), ("url", .text(url)),
        ("fields", .list(fields)), ("body", .text(body)),
      ])
      return String(decoding: edit.bytes, as: UTF8.self)
    }
    let hidden = try #require(shown["fields"].list.first { $0[0].text == "Authorization" }?[1].text)
    for (url, authorization, body) in [
      ("https://evil.test/homes", hidden, "x"), ("https://a.test/other?token=██&x=1", hidden, "x"),
      ("::", hidden, "x"),
      (url, "Basic ██", "x"), (url, hidden, #"{"name": "y", "key": "██"}"#), (url, "a\nb", "x"),
    ] {
      let refusal = try await page.post(
        "interventions/resume", edit(url: url, authorization: authorization, body: body))
      #expect(refusal.status == 409, "\(url) \(authorization) \(body)")
      #expect(try refusal.json["error"].text?.isEmpty == false)
    }
    let shownBody = try #require(shown["body"].text)
    #expect(shownBody.contains("██"))
    let answer = try await page.post(
      "interventions/resume",
      edit(url: url.replacing("/homes", with: "/other"), authorization: hidden, body: shownBody))
    #expect(answer.status == 200, "\(answer.text)")
    #expect(try await response.head.headerFields[.alteredBy] == "Look")
    let sent = dispatcher.requests[0]
    #expect(sent.head.method == .put)
    #expect(sent.head.path == "/other?token=hunter2secret")
    #expect(sent.head.headerFields[.authorization] == "Bearer hunter2secret")
    #expect(sent.head.headerFields[.accept] == nil)
    #expect(HTTPField.Name("X-New").flatMap { sent.head.headerFields[$0] } == "1")
    #expect(sent.body.bytes == Array(#"{"name": "x", "key": "hunter2secret"}"#.utf8))
    // Another page has it no longer.
    #expect(
      try await page.post("interventions/resume", "{\"number\": \(number), \"action\": \"proceed\"}").status
        == 409)
    await inspector.stop()
  }

  @Test(
    "A paused request continues, is answered or fails as the page says",
    arguments: [
      #""action": "proceed""#, #""action": "fail""#,
      #""action": "answer", "status": 404, "fields": [["Content-Type", "a/b"]], "body": "none""#,
    ])
  func requestActions(_ action: String) async throws {
    let (page, pipeline, _) = try await start([Self.look])
    let task = Task { try await pipeline.send(Request(authority: "a.test", path: "/homes")) }
    let number = Int(try #require(try await paused(page)["number"].number))
    #expect(
      try await page.post("interventions/resume", "{\"number\": \(number), \"action\": \"unknown\"}").status
        == 409)
    #expect(try await page.post("interventions/resume", "{\"number\": \(number), \(action)}").status == 200)
    switch await task.result {
    case .success(let response) where action.contains("answer"):
      #expect(response.status == .notFound)
      #expect(response.body.text == "none")
      #expect(response.head.headerFields[.contentType] == "a/b")
      #expect(dispatcher.requests.isEmpty)
    case .success(let response):
      #expect(action.contains("proceed"))
      #expect(response.head.headerFields[.alteredBy] == nil)
    case .failure(let error):
      #expect(action.contains("fail"))
      #expect((error as? NetworkError)?.kind == .transport)
      #expect(dispatcher.requests.isEmpty)
    }
    await inspector.stop()
  }

  @Test("A response is delivered as it was edited, and a hidden field keeps its real value")
  func editedResponse() async throws {
    let (page, pipeline, _) = try await start([Self.lookBack])
    async let response = pipeline.send(Request(authority: "a.test", path: "/homes"))
    let shown = try await paused(page)
    #expect(shown["moment"].text == "response")
    #expect(shown["status"].number == 200)
    #expect(shown["body"].text?.contains("home") == true)
    #expect(shown["body"].text?.contains("hunter2") == false)
    let cookie = try #require(shown["fields"].list.first { $0[0].text == "Set-Cookie" }?[1].text)
    let number = Int(try #require(shown["number"].number))
    let edit = JSONValue.object([
      ("number", .count(number)), ("action", .text("answer")), ("status", .count(503)),
      ("fields", .list([.list([.text("Set-Cookie"), .text(cookie)])])), ("body", .text("{}")),
    ])
    #expect(
      try await page.post("interventions/resume", String(decoding: edit.bytes, as: UTF8.self)).status == 200)
    let delivered = try await response
    #expect(delivered.status == .serviceUnavailable)
    #expect(delivered.body.text == "{}")
    #expect(delivered.head.headerFields[.setCookie] == "hunter2secret")
    #expect(delivered.head.headerFields[.alteredBy] == "Look back")
    await inspector.stop()
  }

  @Test("Without a page no call waits, and stopping it lets the paused ones continue")
  func withoutPage() async throws {
    let (_, pipeline, _) = try await start([Self.look])
    async let response = pipeline.send(Request(authority: "a.test", path: "/homes"))
    try await waitUntil("a call is paused") { !inspector.intervening.calls.list.isEmpty }
    await inspector.stop()
    #expect(try await response.status == .ok)
    #expect(try await pipeline.send(Request(authority: "a.test", path: "/homes")).status == .ok)
    #expect(dispatcher.requests.count == 2)
  }

  @Test("A cancelled call is no longer paused")
  func cancellation() async throws {
    let (page, pipeline, _) = try await start([Self.look])
    let task = Task { try await pipeline.send(Request(authority: "a.test", path: "/homes")) }
    _ = try await paused(page)
    task.cancel()
    await #expect(throws: NetworkError.self) { try await task.value }
    #expect(inspector.intervening.calls.list.isEmpty)
    #expect(try await page.get("interventions").json["paused"].list.isEmpty)
    await inspector.stop()
  }

  // MARK: Answers of recorded calls

  @Test("A rule compares what is shown of a recorded call's query, and nothing that is hidden")
  func queryOfRecord() throws {
    let request = Request(authority: "a.test", path: "/homes?page=1&token=hunter2secret&page=2&q=%FF&on")
    let record = CallRecord.answered(request, with: Response(status: .ok))
    let rule = try InterventionRule(
      answeringLike: record, comparing: Redaction(showingQueryValuesOf: ["page", "q"]))
    #expect(rule.match == .init(method: .get, host: "a.test", path: "/homes", query: ["page": "1"]))
    #expect(rule.match.includes(request))
    #expect(!rule.match.includes(Request(authority: "a.test", path: "/homes?page=2")))
  }

  @Test("A rule answers as a recorded call was answered, without its cookies")
  func answerLike() async throws {
    let (page, pipeline, interceptor) = try await start([])
    let request = Request(authority: "a.test", path: "/homes?page=1")
    _ = try await pipeline.send(request)
    #expect(try await page.post("interventions/answer?id=1", "").status == 200)
    #expect(interceptor.rules.rules.map(\.name) == ["Like call 1"])
    #expect(
      interceptor.rules.rules[0].match
        == .init(method: .get, host: "a.test", path: "/homes", query: ["page": "1"])
    )
    let again = try await pipeline.send(Request(authority: "a.test", path: "/homes?x=2&page=1"))
    #expect(again.body.text == #"{"name": "home", "key": "hunter2secret"}"#)
    #expect(
      again.head.headerFields == [
        .contentType: "application/json", .cacheControl: "no-store", .alteredBy: "Like call 1",
      ])
    #expect(dispatcher.requests.count == 1)
    _ = try await pipeline.send(Request(authority: "a.test", path: "/homes?page=2"))
    #expect(dispatcher.requests.count == 2)
    // What the page shows of the rule has nothing of the content.
    #expect(try await !page.get("interventions").text.contains("hunter2"))
    #expect(try await page.post("interventions/answer?id=77", "").status == 404)
    await inspector.stop()
  }

  @Test("The rules can be downloaded as a file, with recorded answers as they are shown")
  func download() async throws {
    let own = InterventionRule("Own", isOn: false, .answer(.init(json: #"{"key": "my own"}"#)))
    let (page, pipeline, interceptor) = try await start([own])
    _ = try await pipeline.send(Request(authority: "a.test", path: "/homes"))
    #expect(try await page.post("interventions/answer?id=1", "").status == 200)
    let file = try await page.get("interventions.json")
    #expect(file.fields["content-disposition"] == "attachment; filename=\"interventions.json\"")
    let rules = try InterventionRules(json: file.body)
    #expect(rules.rules.map(\.name) == ["Like call 1", "Own"])
    #expect(rules.rules[1] == own)
    guard case .answer(let answer) = rules.rules[0].action else {
      Issue.record("\(file.text)")
      return
    }
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(text.contains("home") && text.contains("██") && !file.text.contains("hunter2"))
    #expect(answer.headerFields == [.contentType: "application/json"])
    #expect(interceptor.rules.rules[0].isRecorded)
    await inspector.stop()
  }

  @Test("A call without a whole response is no template of a rule")
  func templates() throws {
    #expect(throws: EditRefusal.self) {
      try InterventionRule(answeringLike: CallRecord(.example), comparing: .init())
    }
    let long = Response(status: .ok, bytes: [UInt8](repeating: 0, count: 2_000))
    #expect(throws: EditRefusal.self) {
      try InterventionRule(answeringLike: .answered(with: long), comparing: .init())
    }
    let coded = Response(status: .ok, headerFields: [.contentEncoding: "br"], bytes: [1])
    #expect(throws: EditRefusal.self) {
      try InterventionRule(answeringLike: .answered(with: coded), comparing: .init())
    }
  }

  @Test("Rules beyond the maximum number are refused")
  func maximum() throws {
    var progress = InterventionProgress(InterventionRules(Array(repeating: Self.look, count: 199)))
    let (first, second) = (progress.add(Self.look), progress.add(Self.look))
    #expect(first)
    #expect(!second)
    #expect(progress.rules.rules.count == 200)
  }
}
