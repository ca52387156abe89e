import SwitchyardTesting
import Testing

@testable import Interception

@Suite("A pipeline made from another one", .timeLimit(.minutes(5)))
struct PipelineInsertingTests {
  private let journal = Journal()

  private func noting(_ name: String, _ stage: Stage) -> InlineInterceptor {
    InlineInterceptor(name, stage: stage) { [journal] request, next in
      journal.note(name)
      return try await next.dispatch(request)
    }
  }

  private func pipeline(
    over dispatcher: ScriptedDispatcher, observers: [any PipelineObserver] = []
  ) throws -> Pipeline {
    try Pipeline(over: dispatcher, observers: observers) {
      noting("validation", .validation)
      noting("signing", .signing)
      noting("logging", .logging)
    }
  }

  @Test("B6: Each inserted interceptor runs behind those of the pipeline up to its own stage")
  func places() async throws {
    let dispatcher = ScriptedDispatcher()
    let pipeline = try pipeline(over: dispatcher)
    let inserted = try pipeline.inserting {
      noting("own logging", .logging)
      noting("own signing", .signing)
      noting("own signing 2", .signing)
      noting("own first", Stage(rank: 1, name: "first"))
    }
    #expect(
      inserted.names == [
        "own first", "validation", "signing", "own signing", "own signing 2", "logging", "own logging",
      ])
    _ = try await inserted.send(.example)
    #expect(journal.lines == inserted.names)
    // The pipeline that it was made from is unchanged.
    _ = try await pipeline.send(.example)
    #expect(journal.lines.suffix(3) == ["validation", "signing", "logging"])
    #expect(dispatcher.requests.count == 2)
  }

  @Test("It keeps the observers, its interceptors among them, and each receives an event once")
  func observers() async throws {
    let recorder = EventRecorder()
    let inserted = try pipeline(over: ScriptedDispatcher(), observers: [recorder])
      .inserting { noting("own", .retry) }.inserting { noting("second", .retry) }
    _ = try await inserted.send(.example)
    #expect(recorder.lines.count { $0 == "entered own" } == 1)
    #expect(recorder.lines.count { $0 == "entered second" } == 1)
    #expect(recorder.lines.count { $0 == "entered signing" } == 1)
  }

  @Test("An inserted interceptor may be created by an initializer that throws", arguments: [true, false])
  func throwing(isValid: Bool) throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {}
    guard isValid else {
      #expect(throws: Checked.Fault()) { try pipeline.inserting { try Checked(isValid: false) } }
      return
    }
    #expect(try pipeline.inserting { try Checked(isValid: true) }.names == ["Checked"])
  }

  @Test("Faults of the whole chain are reported, such as a second interceptor of a type that may occur once")
  func faults() throws {
    let single = Standing("single", InterceptorTraits(stage: .signing))
    let pipeline = try Pipeline(over: ScriptedDispatcher()) { single }
    let issue = #expect(throws: PipelineIssue.self) { try pipeline.inserting { single } }
    #expect(issue?.faults == [.repeated("single", count: 2)])
    #expect(issue?.description.contains("the pipeline that it is inserted into has it already") == true)
    let others = Standing("other", InterceptorTraits(stage: .retry))
    let own = #expect(throws: PipelineIssue.self) {
      try Pipeline(over: ScriptedDispatcher()) {}.inserting {
        others
        others
      }
    }
    #expect(own?.description.contains("remove the others") == true)
    let empty = try Pipeline(over: ScriptedDispatcher()) {}
    let unmet = #expect(throws: PipelineIssue.self) {
      try empty.inserting {
        Standing("needy", InterceptorTraits(stage: .retry, allowsSeveral: true, requires: [.stage(.caching)]))
      }
    }
    #expect(unmet?.faults == [.missingStage(.caching, neededBy: "needy")])
  }
}
