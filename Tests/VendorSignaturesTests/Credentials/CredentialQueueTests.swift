import Interception
import Testing

@testable import VendorSignatures

@Suite struct CredentialQueueTests {
  private struct Failure: Error {}

  private let now = WallTime(secondsSince1970: 1_000_000)

  private func wait(_ name: String, in queue: inout CredentialQueue<String>) -> Bool {
    let number = queue.nextWaiter()
    return queue.wait(name, as: number, at: now, for: .unknown)
  }

  private static func error(_ turn: CredentialTurn) -> (any Error)? {
    if case .fail(let error, _) = turn { error } else { nil }
  }

  @Test("The error of a refresh reaches the requests that waited for it, and not those of the next one")
  func nextRefresh() throws {
    var queue = CredentialQueue<String>()
    _ = queue.decide(at: now, for: .unknown)
    #expect(wait("first", in: &queue))
    let ending = queue.end(with: .failure(Failure()), isAbandoned: false, at: now)
    guard case .refresh = queue.decide(at: now, for: .unknown) else {
      Issue.record("The next request should refresh.")
      return
    }
    #expect(wait("second", in: &queue))
    #expect(ending.waiters == ["first"] && Self.error(ending.turn) is Failure)
    #expect(queue.waiterCount == 1)
  }

  @Test("Credentials that have expired already end the refresh once, so that the next one runs alone")
  func expired() throws {
    var queue = CredentialQueue<String>()
    _ = queue.decide(at: now, for: .unknown)
    #expect(wait("first", in: &queue))
    let expired = try VendorCredentials(keyID: "a", secret: "s", expires: now)
    let ending = queue.end(with: .success(expired), isAbandoned: false, at: now)
    #expect(Self.error(ending.turn) as? VendorSignatureError == VendorSignatureError(.expiredCredentials))
    #expect(ending.waiters == ["first"])
    _ = queue.decide(at: now, for: .unknown)
    guard case .wait = queue.decide(at: now, for: .unknown) else {
      Issue.record("Another refresh is under way.")
      return
    }
  }

  @Test("After a cancellation, and after a success, the waiting requests decide again")
  func decideAgain() throws {
    var queue = CredentialQueue<String>()
    for (result, isCancelled) in [
      (.failure(Failure()), true), (.success(try VendorCredentials(keyID: "a", secret: "s")), false),
    ] as [(Result<VendorCredentials, any Error>, Bool)] {
      _ = queue.decide(at: now, for: .unknown)
      #expect(wait("waiting", in: &queue))
      let ending = queue.end(with: result, isAbandoned: isCancelled, at: now)
      #expect(ending.waiters == ["waiting"] && Self.error(ending.turn) == nil)
    }
    #expect(!wait("late", in: &queue), "There is nothing to wait for.")
  }
}
