import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestMerging

/// Which requests share a batch when an interceptor behind it adds credentials.
@Suite("Merging and identities", .timeLimit(.minutes(5)))
struct MergingIdentityTests {
  /// Adds the credentials of the present login.
  private struct Logins: Interceptor, Request.IdentityProvider {
    let traits = InterceptorTraits(stage: .authorization)
    let present: WaitableValue<Request.Identity>

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      try await next.dispatch(request)
    }

    func identity(for request: Request) -> Request.Identity? { present.value }
  }

  /// Sends a request for each identity within one window, and returns the paths that the server received.
  private static func paths(
    of identities: [Request.Identity], in partition: String = ""
  ) async throws -> [String] {
    let fixture = try MergingFixture()
    let present = WaitableValue(Request.Identity.unknown)
    let pipeline = try Pipeline(over: fixture.server) {
      fixture.merging
      Logins(present: present)
    }
    var calls: [Task<Void, any Error>] = []
    let ended = WaitableValue(0)
    for (number, identity) in identities.enumerated() {
      present.update { $0 = identity }
      let request = MergingFixture.request("\(number)") { $0.context.partition = partition }
      calls.append(
        Task {
          defer { ended.update { $0 += 1 } }
          _ = try await pipeline.send(request)
        })
      try await waitUntil("the request waits or was sent") {
        fixture.merging.registry.waitingCount + fixture.server.requests.count > number
      }
    }
    // Ends the windows of all batches, however many there are.
    try await waitUntil("all calls have ended") {
      guard ended.value < calls.count else { return true }
      fixture.clock.advance(by: .milliseconds(10))
      return false
    }
    for call in calls { try await call.value }
    return fixture.paths.sorted()
  }

  @Test("Requests of one login share a batch, and those of two don't, even in one partition")
  func logins() async throws {
    let (first, second) = (Request.Identity.account("a"), Request.Identity.account("a"))
    #expect(try await Self.paths(of: [first, first]) == ["/prices?ids=0,1"])
    #expect(try await Self.paths(of: [first, second], in: "mine") == ["/prices/0", "/prices/1"])
  }

  @Test("Requests with credentials of an account that is not known are sent one by one")
  func unknown() async throws {
    #expect(try await Self.paths(of: [.unknown, .unknown]) == ["/prices/0", "/prices/1"])
    #expect(try await Self.paths(of: [.unknown, .unknown], in: "mine") == ["/prices?ids=0,1"])
  }
}
