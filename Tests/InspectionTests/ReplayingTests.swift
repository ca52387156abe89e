import HTTPTypes
import Mediation
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite(.timeLimit(.minutes(5))) struct ReplayingTests {
  @Test("A safe request is sent again as it was called, with its secrets, as a call of its own")
  func replay() async throws {
    let inspector = Inspector(app: "Test")
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher, observers: [inspector]) {
      InlineInterceptor("Signing", stage: .signing) { request, next in
        var request = request
        request.head.headerFields[.eTag] = "added"
        return try await next.dispatch(request)
      }
    }
    inspector.replays(through: pipeline)
    var called = Request.example
    called.context.credentialFields = ["X-Shop-Key"]
    _ = try await pipeline.send(called)
    let page = PageClient(try await inspector.serve())
    let answer = try await page.post("replay?id=1")
    #expect(answer.status == 200)
    #expect(try answer.json["id"].number == 2)
    try await waitUntil("the second request was answered") {
      inspector.records.count == 2 && inspector.records.last?.state == .answered
    }
    let (first, second) = (dispatcher.requests[0], dispatcher.requests[1])
    #expect(second.head == first.head)
    #expect(second.id != first.id)
    #expect(second.api == first.api)
    #expect(second.context.credentialFields == called.context.credentialFields)
    #expect(inspector.records.map(\.id) == [1, 2])
    await inspector.stop()
  }

  @Test("What is not safe, has content, or belongs to another account is refused with a sentence")
  func refusals() async throws {
    let inspector = Inspector(app: "Test")
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher, observers: [inspector]) {}
    _ = try await pipeline.send(Request(method: .post, authority: "a.test", path: "/"))
    _ = try await pipeline.send(Request(method: .get, authority: "a.test", path: "/", body: .text("x")))
    var request = Request(authority: "a.test", path: "/")
    request.context.partition = "anna"
    _ = try await pipeline.send(request)
    _ = try await pipeline.send(Request(authority: "a.test", path: "/"))
    let page = PageClient(try await inspector.serve())
    let unset = try await page.post("replay?id=4")
    #expect(unset.status == 409)
    #expect(try unset.json["error"].text?.contains("replays(through:)") == true)
    inspector.replays(through: pipeline) { "ben" }
    #expect(try await page.post("replay?id=1").json["error"].text?.hasPrefix("A POST may change") == true)
    #expect(
      try await page.post("replay?id=2").json["error"].text?.hasPrefix("The request has content") == true)
    #expect(try await page.post("replay?id=3").json["error"].text?.contains("another account") == true)
    #expect(try await page.post("replay?id=4").json["error"].text?.contains("another account") == true)
    #expect(try await page.post("replay?id=77").status == 404)
    #expect(dispatcher.requests.count == 4)
    inspector.replays(through: pipeline) { "anna" }
    #expect(try await page.post("replay?id=3").status == 200)
    await inspector.stop()
  }

  @Test("Stopping cancels what is being sent again")
  func stopping() async throws {
    let inspector = Inspector(app: "Test")
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      guard number > 1 else { return Response(status: .ok) }
      await #expect(throws: CancellationError.self) {
        try await waitUntil("the request is cancelled") { false }
      }
      throw NetworkError(.cancelled(.task), "cancelled")
    }
    let pipeline = try Pipeline(over: dispatcher, observers: [inspector]) {}
    inspector.replays(through: pipeline)
    var called = Request.example
    called.context.credentialFields = ["X-Shop-Key"]
    _ = try await pipeline.send(called)
    let page = PageClient(try await inspector.serve())
    for _ in 0..<8 { #expect(try await page.post("replay?id=1").status == 200) }
    #expect(
      try await page.post("replay?id=1").json["error"].text?.contains("wait until one has ended") == true)
    await inspector.stop()
    #expect(inspector.records.dropFirst().allSatisfy { $0.state == .cancelled })
  }
}

@Suite(.timeLimit(.minutes(5))) struct TimelineLogTests {
  @Test("Notes are numbered with the calls, and only the last ones are kept")
  func notes() {
    let inspector = Inspector(app: "Test")
    for number in 1...10_000 { inspector.note("note \(number)", about: .action) }
    let notes = inspector.timeline.notes(after: 0)
    #expect(notes.count == TimelineLog.capacity)
    #expect(notes.last?.title == "note 10000")
    #expect(inspector.timeline.notes(after: 9_999).map(\.title) == ["note 10000"])
    #expect(inspector.timeline.notes(after: 10_000).isEmpty)
  }

  @Test("A note that is too long is cut, and has the members of the contract")
  func members() throws {
    let inspector = Inspector(app: "Test")
    inspector.note(String(repeating: "a", count: 5_000), detail: "d", about: .lifecycle, tone: .warning)
    let json = try JSON(try #require(inspector.timeline.notes(after: 0).first).json)
    #expect(json["title"].text?.utf8.count == 2_051)
    #expect(json["kind"].text == "life-cycle")
    #expect(json["tone"].text == "warn")
    #expect(json["detail"].text == "d")
    #expect(json["seq"].number == 1)
  }

  @Test("The drawing of the routes is served with those that were opened")
  func drawing() async throws {
    let inspector = Inspector(app: "Test")
    let page = PageClient(try await inspector.serve())
    #expect(try await page.get("state").json["hasRoutes"].bool == false)
    inspector.showsRoutes { "<svg>\($0.sorted())</svg>" }
    inspector.timeline.noteOpened("/home/{id}")
    #expect(try await page.get("state").json["hasRoutes"].bool == true)
    #expect(try await page.get("routes.svg").text == "<svg>[\"/home/{id}\"]</svg>")
    #expect(try await page.get("routes.svg").type == "image/svg+xml; charset=utf-8")
    await inspector.stop()
  }

  @Test("What the mediator reports is noted without the values of queries")
  func routes() {
    let inspector = Inspector(app: "Test")
    inspector.observe(.linkWaits(url: "estate://home/42?token=hunter2secret", source: .push))
    inspector.observe(
      .failed(
        url: "estate://home/42?token=hunter2secret", name: nil, origin: .native(module: nil),
        .failed(Secret(text: "hunter2secret"))))
    inspector.observe(.redirected(from: "a://b?x=hunter2secret", to: "a://c", rule: 0, version: 3))
    inspector.observe(.loadFailed("Provider", module: "M", Secret(text: "hunter2secret"), ownTime: .zero))
    let notes = inspector.timeline.notes(after: 0)
    #expect(notes.count == 4)
    #expect(notes.allSatisfy { !"\($0.title) \($0.detail)".contains("hunter2secret") })
    #expect(notes[0].title == "A link waits")
    #expect(notes[1].detail == "The route's code failed with Secret.")
    #expect(notes[2].title == "Redirected by rule 0 of table 3")
  }
}

private struct Secret: Error {
  let text: String
}
