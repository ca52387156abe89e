import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization

@testable import RequestAuthorization

/// A token source that a test answers.
final class TestTokens: TokenSource {
  typealias Script = @Sendable (_ previous: AccessToken?, _ number: Int) async throws -> AccessToken

  private let previous = Mutex<[AccessToken?]>([])
  private let script: Script

  init(_ script: @escaping Script = { _, number in try AccessToken("new\(number)") }) {
    self.script = script
  }

  /// The tokens that were to be replaced, one for each refresh.
  var calls: [AccessToken?] { previous.withLock { $0 } }

  func token(replacing token: AccessToken?) async throws -> AccessToken {
    let number = previous.withLock { previous in
      previous.append(token)
      return previous.count
    }
    return try await script(token, number)
  }
}

extension ScriptedDispatcher {
  /// A server that accepts one token, which can be read from a closure.
  static func accepting(_ token: @escaping @Sendable () -> String) -> ScriptedDispatcher {
    ScriptedDispatcher { request, _ throws(NetworkError) in
      let isAccepted = request.head.headerFields[.authorization] == "Bearer \(token())"
      return Response(status: isAccepted ? .ok : .unauthorized)
    }
  }

  /// The number of requests with a token.
  func count(of token: String) -> Int {
    requests.count { $0.head.headerFields[.authorization] == "Bearer \(token)" }
  }
}

extension BearerAuthorization {
  /// Returns a chain of this scheme over a server.
  func chain(over server: some Dispatcher) throws -> Pipeline {
    let authorization = try AuthorizationInterceptor(self, for: ["api.switchyard.test"])
    return try Pipeline(over: server) { authorization }
  }

  /// Suspends until a number of requests wait for a refresh.
  func waitForWaiters(_ count: Int) async throws {
    try await waitUntil("the requests wait for a refresh") { refresher.waiterCount >= count }
  }
}

extension Request {
  /// A request to the origin of the tests, with an id in its path.
  static func member(_ number: Int = 0) -> Request {
    Request(method: .post, authority: "api.switchyard.test", path: "/\(number)", body: .text("\(number)"))
  }
}
