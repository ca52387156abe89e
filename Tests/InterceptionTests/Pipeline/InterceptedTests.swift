import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("Static nesting")
struct InterceptedTests {
  @Test("Nested interceptors run in the same order as those of a pipeline")
  func sameOrder() async throws {
    func journey(_ make: (Journal) throws -> any Dispatcher) async throws -> [String] {
      let journal = Journal()
      _ = try await make(journal).dispatch(.example)
      return journal.lines
    }
    func noting(_ name: String, _ journal: Journal) -> InlineInterceptor {
      InlineInterceptor(name, stage: .logging) { request, next in
        journal.note("in \(name)")
        defer { journal.note("out \(name)") }
        return try await next.dispatch(request)
      }
    }
    let nested = try await journey { journal in
      ScriptedDispatcher().intercepted(by: noting("b", journal)).intercepted(by: noting("a", journal))
    }
    let listed = try await journey { journal in
      try Pipeline(over: ScriptedDispatcher()) {
        noting("a", journal)
        noting("b", journal)
      }
    }
    let ended = try await journey { journal in
      try Pipeline(over: ScriptedDispatcher().intercepted(by: noting("b", journal))) { noting("a", journal) }
    }
    #expect(nested == listed)
    #expect(ended == listed)
    #expect(nested == ["in a", "in b", "out b", "out a"])
  }

  @Test("An error from outside is wrapped once, with the name of the interceptor that threw it")
  func wrapping() async throws {
    let inner = InlineInterceptor("inner", stage: .logging) { _, _ in throw Refusal(why: "no") }
    let outer = InlineInterceptor("outer", stage: .logging) { request, next in
      try await next.dispatch(request)
    }
    let dispatcher = ScriptedDispatcher().intercepted(by: inner).intercepted(by: outer)
    let error = try await #require(throws: NetworkError.self) { try await dispatcher.dispatch(.example) }
    #expect(error.origin == .interceptor("inner"))
    #expect(error.underlying(as: Refusal.self) != nil)
    #expect(error.requestMayHaveBeenProcessed)
  }

  @Test("The dispatcher's capabilities are passed on")
  func capabilities() {
    let dispatcher = ScriptedDispatcher(capabilities: .connectTarget).intercepted(by: Standing("a", .logging))
    #expect(dispatcher.capabilities == .connectTarget)
  }
}
