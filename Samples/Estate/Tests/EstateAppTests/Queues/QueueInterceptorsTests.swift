import APIManagers
import CookieKeeping
import HTTPTypes
import Interception
import RequestAuthorization
import SwitchyardTesting
import Testing

@testable import EstateNetwork

@Suite("The interceptors of queues", .timeLimit(.minutes(5)))
struct QueueInterceptorsTests {
  /// Refreshes no token.
  private struct NoTokens: TokenSource {
    func token(replacing previous: AccessToken?) async throws -> AccessToken {
      throw AuthorizationError.needsLogin
    }
  }

  @Test("A change of one member is not sent while a guest or another member uses the app")
  func account() async throws {
    let session = Session(tokens: NoTokens(), cookies: CookieStore())
    let server = ScriptedDispatcher { _, _ in Response(status: .created) }
    let pipeline = try Pipeline(over: server) { AccountCheckInterceptor(session: session) }
    var request = Request(method: .post, authority: "api.example.com", path: "/favourites")
    request.context.partition = "ann"
    #expect(try await pipeline.dispatch(request).status == .unauthorized)
    try session.begin(name: "bob", token: "b", lifetime: 60, refreshToken: "r")
    #expect(try await pipeline.dispatch(request).status == .unauthorized)
    #expect(server.requests.isEmpty)
    session.end()
    try session.begin(name: "ann", token: "a", lifetime: 60, refreshToken: "r")
    #expect(try await pipeline.dispatch(request).status == .created)
    #expect(server.requests.count == 1)
  }

  @Test("Nothing is uploaded while there is no network")
  func network() async throws {
    let network = ReachabilityState()
    let server = ScriptedDispatcher { _, _ in Response(status: .created) }
    let pipeline = try Pipeline(over: server) { NetworkCheckInterceptor(network: network) }
    let request = Request(method: .post, authority: "api.example.com", path: "/activity")
    #expect(try await pipeline.dispatch(request).status == .created)
    network.update(.offline)
    let error = await #expect(throws: NetworkError.self) { try await pipeline.dispatch(request) }
    #expect(error?.kind == .offline && error?.requestMayHaveBeenProcessed == false)
    network.update(.online)
    #expect(try await pipeline.dispatch(request).status == .created)
    #expect(server.requests.count == 2)
  }

  @Test("Both keep the laws of interceptors")
  func laws() async throws {
    let session = Session(tokens: NoTokens(), cookies: CookieStore())
    try session.begin(name: "ann", token: "a", lifetime: 60, refreshToken: "r")
    var request = Request(method: .post, authority: "api.example.com", path: "/a", body: .text("a"))
    request.context.partition = "ann"
    #expect(
      await checkInterceptorLaws(AccountCheckInterceptor(session: session), samples: [request]).violations
        .isEmpty)
    let network = ReachabilityState()
    #expect(await checkInterceptorLaws(NetworkCheckInterceptor(network: network)).violations.isEmpty)
  }
}
