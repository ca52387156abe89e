import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("A scripted dispatcher")
struct ScriptedDispatcherTests {
  private let request = Request(authority: "a.example", path: "/")

  @Test("Several responses are returned in order, and a request beyond them fails and names its number")
  func several() async throws {
    let dispatcher = ScriptedDispatcher(
      answering: [Response(status: .serviceUnavailable), Response(status: .ok)], capabilities: [])
    #expect(dispatcher.capabilities == [])
    #expect(try await dispatcher.dispatch(request).status == .serviceUnavailable)
    #expect(try await dispatcher.dispatch(request).status == .ok)
    let error = try await #require(throws: NetworkError.self) { try await dispatcher.dispatch(request) }
    #expect(error.kind == .rejected && error.reason.contains("after 2 responses, and this is request 3"))
    #expect(dispatcher.requests.count == 3)
  }

  @Test("One response is returned to every request")
  func one() async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .accepted))
    for _ in 0..<3 { #expect(try await dispatcher.dispatch(request).status == .accepted) }
  }
}
