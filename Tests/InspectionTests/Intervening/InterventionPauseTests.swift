import HTTPTypes
import SwitchyardTesting
import Synchronization
import Testing

@testable import Inspection
@testable import Interception

/// Edits by closures.
struct ScriptedEditor: InterventionEditor {
  var request: @Sendable (Request) async throws -> InterventionEdit = { .send($0) }
  var response: @Sendable (Response) async throws -> Response = { $0 }

  func edit(_ request: Request, pausedBy rule: String) async throws -> InterventionEdit {
    try await self.request(request)
  }

  func edit(_ response: Response, to request: Request, pausedBy rule: String) async throws -> Response {
    try await self.response(response)
  }
}

@Suite(.timeLimit(.minutes(5))) struct InterventionPauseTests {
  private static let request = Request(authority: "a.test", path: "/homes")
  private let clock = TestClock()
  private let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
    Response(status: .ok, bytes: Array((request.head.path ?? "").utf8))
  }
  private let inspector = Inspector(app: "Test")

  private func pipeline(
    _ moment: InterventionRule.Moment, _ editor: (any InterventionEditor)?,
    limits: InterventionInterceptor.PauseLimits = .init(), over other: ScriptedDispatcher? = nil
  ) throws -> Pipeline {
    let interceptor = try InterventionInterceptor(
      [InterventionRule("Look", .pause(moment))], permission: .debugBuildsOnly, editor: editor,
      limits: limits,
      time: TimeSource(clock))
    return try Pipeline(over: other ?? dispatcher, observers: [inspector], time: TimeSource(clock)) {
      interceptor
    }
  }

  private var alterations: [[String]] { inspector.records.map(\.alterationTexts) }

  @Test("An edited request is sent, and its response marked")
  func editedRequest() async throws {
    let pipeline = try pipeline(
      .request,
      ScriptedEditor(request: { request in
        var request = request
        request.head.path = "/edited"
        request.body = .text("new")
        return .send(request)
      }))
    let response = try await pipeline.send(Self.request)
    #expect(response.body.text == "/edited")
    #expect(response.head.headerFields[.alteredBy] == "Look")
    #expect(response.head.headerFields[.cacheControl] == "no-store")
    #expect(dispatcher.requests[0].id == Self.request.id)
    #expect(dispatcher.requests[0].body.bytes == Array("new".utf8))
    #expect(alterations == [["\"Look\": sent with a request that was edited"]])
  }

  @Test("A paused request can be answered without being sent, or failed")
  func answered() async throws {
    let answering = try pipeline(
      .request, ScriptedEditor(request: { _ in .answer(Response(status: .noContent)) }))
    #expect(try await answering.send(Self.request).status == .noContent)
    let failing = try pipeline(
      .request, ScriptedEditor(request: { _ in throw NetworkError(.connect, "The editor fails it.") }))
    let error = await #expect(throws: NetworkError.self) { try await failing.send(Self.request) }
    #expect(error?.kind == .connect)
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("An edited response is delivered with the report of the exchange", arguments: [false, true])
  func editedResponse(_ isStream: Bool) async throws {
    let stream = BodyStream(length: 4, ScriptedByteSource([[1, 2], [3, 4]]))
    let body = isStream ? ResponseBody.stream(stream) : .bytes([1, 2, 3, 4])
    let other = ScriptedDispatcher(answering: Response(HTTPResponse(status: .ok), body: body))
    let pipeline = try pipeline(
      .response,
      ScriptedEditor(response: { response in
        guard case .bytes([1, 2, 3, 4]) = response.body else { return response }
        return Response(status: .accepted, bytes: [5])
      }), over: other)
    let response = try await pipeline.send(Self.request)
    #expect(response.status == .accepted)
    #expect(try await response.body.collect(upTo: 9) == [5])
    #expect(response.exchange.attempts == 1)
    #expect(response.head.headerFields[.alteredBy] == "Look")
  }

  @Test("A response that is returned as it was is not marked")
  func unedited() async throws {
    let pipeline = try pipeline(.response, ScriptedEditor())
    let response = try await pipeline.send(Self.request)
    #expect(response.head.headerFields.isEmpty)
    #expect(alterations == [["\"Look\": paused when the response was received, which continued unaltered"]])
  }

  @Test("A response with a long body isn't paused, and is delivered whole", arguments: [nil, 6 as Int64])
  func longBody(_ length: Int64?) async throws {
    let stream = BodyStream(
      length: length, ScriptedByteSource([[1, 2], [3, 4], [5, 6]]))
    let other = ScriptedDispatcher(answering: Response(HTTPResponse(status: .ok), body: .stream(stream)))
    let pipeline = try pipeline(
      .response, ScriptedEditor(response: { _ in Response(status: .accepted) }), limits: .init(bodyBytes: 3),
      over: other)
    let response = try await pipeline.send(Self.request)
    #expect(response.status == .ok)
    #expect(try await response.body.collect(upTo: 9) == [1, 2, 3, 4, 5, 6])
    #expect(alterations == [["\"Look\": not paused, because the response has more than 3 bytes"]])
  }

  @Test(
    "A call that is failed while it is paused may have been processed only if it was sent",
    .timeLimit(.minutes(5)), arguments: [false, true])
  func failedByUser(wasSent: Bool) async throws {
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    let calls = PausedCalls(time: .system) { continuation.yield() }
    calls.serve(true)
    let task = Task {
      if wasSent {
        _ = try await calls.edit(Response(status: .ok), to: Self.request, pausedBy: "Look")
      } else {
        _ = try await calls.edit(Self.request, pausedBy: "Look")
      }
    }
    for await _ in changes { break }
    #expect(calls.resume(1, with: .fail))
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.requestMayHaveBeenProcessed == wasSent)
  }

  /// Waits until the task is cancelled.
  private static func untilCancelled() async throws {
    let (never, continuation) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    continuation.finish()
    try Task.checkCancellation()
  }

  @Test("A pause that isn't ended is over after its limit, and the call continues unaltered")
  func pauseLimit() async throws {
    let editor = ScriptedEditor(request: { request in
      try await Self.untilCancelled()
      return .send(request)
    })
    let pipeline = try pipeline(.request, editor, limits: .init(duration: .seconds(30)))
    async let response = pipeline.send(Self.request)
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    #expect(try await response.body.text == "/homes")
    #expect(alterations == [["\"Look\": continued unaltered, because it was paused for 30.0 seconds"]])
  }

  @Test("A paused call ends with its deadline, and with its cancellation")
  func ends() async throws {
    let ended = Atomic(0)
    let editor = ScriptedEditor(request: { request in
      defer { ended.add(1, ordering: .relaxed) }
      try await Self.untilCancelled()
      return .send(request)
    })
    let pipeline = try pipeline(.request, editor)
    var limited = Self.request
    limited.options.timeouts.call = .seconds(5)
    let timed = Task { [limited] in try await pipeline.send(limited) }
    // The limits of the pause and of the call.
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(5))
    let error = await #expect(throws: NetworkError.self) { try await timed.value }
    #expect(error?.kind == .timeout(.call))
    let task = Task { try await pipeline.send(Self.request) }
    try await clock.waitForSleepers()
    task.cancel()
    let cancelled = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(cancelled?.kind == .cancelled(.task))
    #expect(ended.load(ordering: .relaxed) == 2)
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("Calls beyond the maximum number of pauses continue, and so do all without an editor")
  func pauseCount() async throws {
    let pipeline = try pipeline(
      .request, ScriptedEditor(request: { _ in .answer(Response(status: .noContent)) }),
      limits: .init(count: 0))
    #expect(try await pipeline.send(Self.request).status == .ok)
    let alone = try self.pipeline(.request, nil)
    #expect(try await alone.send(Self.request).status == .ok)
    #expect(
      alterations == [
        ["\"Look\": not paused, because 0 calls are paused"],
        ["\"Look\": not paused, because there is no editor"],
      ])
  }
}
