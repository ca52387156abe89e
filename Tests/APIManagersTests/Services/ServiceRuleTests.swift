import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import APIManagers

@Suite(.timeLimit(.minutes(5))) @MainActor struct ServiceRuleTests {
  nonisolated static let service = Service(
    "members", at: ServiceAddress(authority: "members.example"),
    responseRule: .statuses([401: .needsLogin, 403: .needsToken])
      .otherwise(
        ServiceRule { response in
          switch response.text {
          case #"{"error": "sold"}"#: .fail(.invalid("The home has been sold."))
          case "maintenance": .swallow("The app shows a notice.")
          default: .proceed
          }
        }))

  struct Favourites: API {
    static let endpoint = Endpoint<NoParams>(ServiceRuleTests.service, "favourites", path: "/favourites")
  }

  nonisolated static let cases: [(Int, String, APIError.Kind?)] = [
    (200, "[]", nil), (401, "", .needsLogin), (403, "", .needsToken), (404, "", .status(404)),
    (200, #"{"error": "sold"}"#, .invalidResponse), (503, "maintenance", .vetoed(by: "members")),
    (200, "maintenance", .vetoed(by: "members")),
  ]

  func manager(_ status: Int, _ text: String) -> APIManager<Favourites> {
    let response = Response(status: HTTPResponse.Status(code: status), bytes: Array(text.utf8))
    return APIManager(
      Favourites(), client: APIClient(dispatcher: ScriptedDispatcher(answering: response)))
  }

  @Test("C4: The service's rule lets a response proceed, fails it or swallows it", arguments: cases)
  func verdicts(status: Int, text: String, kind: APIError.Kind?) async throws {
    let manager = manager(status, text)
    let hooks = RecordingHooks()
    let listener = Listener()
    manager.hooks = [hooks]
    manager.delegate = listener
    let isSwallowed = kind == .vetoed(by: "members")
    manager.load()
    try await hooks.wait(
      for: isSwallowed ? "didWithhold by members" : kind == nil ? "afterSuccess" : "afterFailure")
    await letOthersRun()
    // A swallowed response is not delivered, and yet reported: to the hooks and to an `async` caller.
    #expect(listener.deliveries.map { $0.failure?.kind } == (isSwallowed ? [] : [kind]))
    #expect(manager.lastError?.kind == kind)
    #expect(hooks.diary.lines.contains("RecordingHooks didReceive"))
    #expect(hooks.diary.lines.contains("RecordingHooks didWithhold by members") == isSwallowed)

    let awaited = await failure { () async throws(APIError) in try await manager.load(.response) }
    #expect(awaited?.kind == kind)
    let client = manager.client
    let loaded = await failure { () async throws(APIError) in try await client.load(Favourites()) }
    #expect(loaded?.kind == kind)
    #expect(loaded?.response?.text == (kind == nil ? nil : text))
    if isSwallowed { #expect(loaded?.reason.contains("The app shows a notice.") == true) }
  }

  @Test("A response that the rule rejects must not be stored")
  func storage() async throws {
    struct Cached: API {
      static let endpoint = Endpoint<NoParams>(
        ServiceRuleTests.service, "cached", path: "/c", cacheRule: .timed())
    }
    let dispatcher = ScriptedDispatcher()
    _ = try? await APIClient(dispatcher: dispatcher).load(Cached())
    let check = try #require(dispatcher.requests.first?.context.storageCheck)
    let head = HTTPResponse(status: .ok)
    #expect(!check.permits(head, bytes: Array("maintenance".utf8)))
    #expect(check.permits(head, bytes: Array("[]".utf8)))
  }
}
