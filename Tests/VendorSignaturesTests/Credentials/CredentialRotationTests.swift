import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import VendorSignatures

@Suite(.timeLimit(.minutes(5))) struct CredentialRotationTests {
  /// A source that responds when the test says so.
  private final class Source: VendorCredentialSource {
    let calls = WaitableValue(0)
    let permits = WaitableValue(0)
    private let make: @Sendable (Int) throws -> VendorCredentials

    init(open: Bool = false, _ make: @escaping @Sendable (Int) throws -> VendorCredentials) {
      self.make = make
      if open { permits.update { $0 = .max } }
    }

    func credentials(replacing previous: VendorCredentials?) async throws -> VendorCredentials {
      let number = calls.update { calls in
        calls += 1
        return calls
      }
      _ = try await permits.wait { $0 >= number }
      return try make(number)
    }
  }

  private struct SecretFailure: Error, CustomStringConvertible {
    let description = "the secret is s3cret"
  }

  private func waitForWaiters(_ count: Int, in rotation: CredentialRotation) async throws {
    try await waitUntil("the requests wait for credentials") { rotation.waiterCount >= count }
  }

  @Test("Many requests share one call of the source")
  func shared() async throws {
    let source = Source { try VendorCredentials(keyID: "K\($0)", secret: "s") }
    let rotation = CredentialRotation(source, time: .system)
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await rotation.credentials(for: { .unknown }).keyID } }
      try await waitForWaiters(49, in: rotation)
      source.permits.update { $0 = 1 }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ids == Array(repeating: "K1", count: 50))
    #expect(source.calls.value == 1)
    #expect(rotation.waiterCount == 0)
  }

  @Test("A request that is cancelled while it waits ends at once, and others are unaffected")
  func cancelledWaiter() async throws {
    let source = Source { try VendorCredentials(keyID: "K\($0)", secret: "s") }
    let rotation = CredentialRotation(source, time: .system)
    let leader = Task { try await rotation.credentials(for: { .unknown }).keyID }
    _ = try await source.calls.wait { $0 == 1 }
    let waiter = Task { try await rotation.credentials(for: { .unknown }).keyID }
    try await waitForWaiters(1, in: rotation)
    waiter.cancel()
    await #expect { try await waiter.value } throws: { ($0 as? NetworkError)?.kind == .cancelled(.task) }
    source.permits.update { $0 = 1 }
    #expect(try await leader.value == "K1")
  }

  @Test("If the request that obtains credentials is cancelled, one that waits starts again")
  func cancelledLeader() async throws {
    let source = Source { try VendorCredentials(keyID: "K\($0)", secret: "s") }
    let rotation = CredentialRotation(source, time: .system)
    let leader = Task { try await rotation.credentials(for: { .unknown }).keyID }
    _ = try await source.calls.wait { $0 == 1 }
    let waiter = Task { try await rotation.credentials(for: { .unknown }).keyID }
    try await waitForWaiters(1, in: rotation)
    leader.cancel()
    _ = try await source.calls.wait { $0 == 2 }
    source.permits.update { $0 = 2 }
    #expect(try await waiter.value == "K2")
    await #expect(throws: (any Error).self) { try await leader.value }
  }

  @Test("A refresh for an account that was replaced meanwhile serves neither, and its error not the next one")
  func replacedAccount() async throws {
    let account = Mutex("alice")
    let present: @Sendable () -> Request.Identity = { .account(account.withLock(\.self)) }
    let source = Source { number in
      if number == 2 { throw SecretFailure() }
      return try VendorCredentials(keyID: "K\(number)", secret: "s")
    }
    let rotation = CredentialRotation(source, time: .system)
    let first = Task { try await rotation.credentials(for: present).keyID }
    _ = try await source.calls.wait { $0 == 1 }
    account.withLock { $0 = "bob" }
    source.permits.update { $0 = 1 }
    // The first keys may be of either account, so they are obtained again, for bob; that fails.
    _ = try await source.calls.wait { $0 == 2 }
    let alice: @Sendable () -> Request.Identity = { .account("alice") }
    let second = Task { try await rotation.credentials(for: alice).keyID }
    try await waitForWaiters(1, in: rotation)
    source.permits.update { $0 = 3 }
    await #expect(throws: NetworkError.self) { try await first.value }
    #expect(try await second.value == "K3")
  }

  @Test("C8: The error of a source fails all requests that wait, and its text isn't quoted")
  func failure() async throws {
    let source = Source { _ in throw SecretFailure() }
    let rotation = CredentialRotation(source, time: .system)
    let first = Task { try await rotation.credentials(for: { .unknown }) }
    _ = try await source.calls.wait { $0 == 1 }
    let second = Task { try await rotation.credentials(for: { .unknown }) }
    try await waitForWaiters(1, in: rotation)
    source.permits.update { $0 = 1 }
    for task in [first, second] {
      await #expect { try await task.value } throws: { error in
        guard let error = error as? NetworkError else { return false }
        return error.kind == .rejected && !error.description.contains("s3cret")
          && error.underlying(as: SecretFailure.self) != nil
      }
    }
    #expect(source.calls.value == 1)
  }

  @Test("Requests are signed with new credentials before the old ones expire")
  func rotation() async throws {
    let clock = WallClock(WallTime(secondsSince1970: 1_440_938_160))
    let source = Source(open: true) {
      try VendorCredentials(
        keyID: "K\($0)", secret: "s", sessionToken: "t\($0)", expires: clock.now.advanced(by: .seconds(3_600))
      )
    }
    let interceptor = VendorSignatureInterceptor(
      try AWSSignature(region: "r", service: "s3"), from: source, time: clock.time)
    var ids: [String?] = []
    for _ in 0..<5 {
      let request = Request(authority: "b.example", path: "/k")
      let fields = try await interceptor.signed(request).head.headerFields
      ids.append(fields[.authorization]?.part("Credential=")?.split(separator: "/").first.map(String.init))
      #expect(fields[AWSFields.securityToken] == "t\(source.calls.value)")
      clock.advance(by: .seconds(1_650))
    }
    #expect(ids == ["K1", "K1", "K2", "K2", "K3"])
  }

  /// A wall clock that only a test advances.
  private final class WallClock: Sendable {
    private let moment: Mutex<WallTime>
    init(_ moment: WallTime) { self.moment = Mutex(moment) }
    var now: WallTime { moment.withLock { $0 } }
    func advance(by duration: Duration) { moment.withLock { $0 = $0.advanced(by: duration) } }
    var time: TimeSource { TimeSource(ContinuousClock(), wall: { self.now }) }
  }

  @Test("A source that returns expired credentials is a typed error")
  func expired() async throws {
    let source = Source(open: true) { _ in
      try VendorCredentials(keyID: "K", secret: "s", expires: WallTime(secondsSince1970: 5))
    }
    let rotation = CredentialRotation(source, time: .system)
    await #expect(throws: VendorSignatureError(.expiredCredentials)) {
      try await rotation.credentials(for: { .unknown })
    }
    let fixed = VendorSignatureInterceptor(
      try AWSSignature(region: "r", service: "s3"),
      with: try VendorCredentials(keyID: "K", secret: "s", expires: WallTime(secondsSince1970: 5)))
    await #expect(throws: VendorSignatureError(.expiredCredentials)) {
      try await fixed.signed(Request(authority: "b.example", path: "/"))
    }
  }
}
