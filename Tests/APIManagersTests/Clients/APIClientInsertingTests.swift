import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("The interceptors of one manager", .timeLimit(.minutes(5)))
@MainActor struct APIClientInsertingTests {
  private nonisolated static func appending(_ text: String, _ stage: Stage) -> InlineInterceptor {
    InlineInterceptor(text, stage: stage) { request, next in
      var request = request
      request.head.headerFields[.userAgent] = (request.head.headerFields[.userAgent] ?? "") + text
      return try await next.dispatch(request)
    }
  }

  private func agents(_ dispatcher: ScriptedDispatcher) -> [String?] {
    dispatcher.requests.map { $0.head.headerFields[.userAgent] }
  }

  @Test(
    "B6: The interceptors of one manager stand inside the app's chain, and other managers don't pass them")
  func manager() async throws {
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) {
      Self.appending("app signing,", .signing)
      Self.appending("app logging", .logging)
    }
    let client = APIClient(dispatcher: pipeline)
    let own = APIManager(
      CondoList(), client: try client.inserting { Self.appending("own signing,", .signing) })
    let other = APIManager(CondoList(), client: client)
    _ = try await own.load(.response, for: Search())
    _ = try await other.load(.response, for: Search())
    #expect(agents(dispatcher) == ["app signing,own signing,app logging", "app signing,app logging"])
  }

  @Test("Before a dispatcher that is no pipeline they are the whole chain")
  func double() async throws {
    let dispatcher = ScriptedDispatcher()
    let client = try APIClient(dispatcher: dispatcher).inserting {
      Self.appending("b", .signing)
      Self.appending("a", .validation)
    }
    _ = try await APIManager(CondoList(), client: client).load(.response, for: Search())
    #expect(agents(dispatcher) == ["ab"])
  }
}
