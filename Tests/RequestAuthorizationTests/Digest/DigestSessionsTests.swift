import Testing

@testable import RequestAuthorization

@Suite struct DigestSessionsTests {
  private func challenge(_ nonce: String) throws -> DigestChallenge {
    try #require(
      DigestChallenge(Challenge(scheme: "Digest", parameters: ["realm": "r", "nonce": nonce, "qop": "auth"])))
  }

  @Test("The count of a nonce is incremented by each request, and a new nonce starts at 1")
  func counting() throws {
    var sessions = DigestSessions()
    #expect(sessions.next(of: "a") == nil)
    sessions.begin(try challenge("1"), of: "a", clientNonce: "c1")
    #expect((1...3).map { _ in sessions.next(of: "a")?.count } == [1, 2, 3])
    // A request that was refused at the same time begins the same session.
    sessions.begin(try challenge("1"), of: "a", clientNonce: "c2")
    #expect(sessions.next(of: "a")?.count == 4)
    #expect(sessions.next(of: "a")?.clientNonce == "c1")
    sessions.begin(try challenge("2"), of: "a", clientNonce: "c3")
    #expect(sessions.next(of: "a")?.count == 1)
    #expect(sessions.next(of: "b") == nil)
  }

  @Test("A counter that has ended removes the session")
  func ended() throws {
    let last = DigestSessions.Session(challenge: try challenge("1"), clientNonce: "c", count: .max - 1)
    var sessions = DigestSessions(["a": last])
    #expect(sessions.next(of: "a")?.count == .max)
    #expect(sessions.next(of: "a") == nil)
    #expect(sessions.origins.isEmpty)
  }

  @Test("The number of origins is limited")
  func capacity() throws {
    var sessions = DigestSessions(capacity: 3)
    for number in 1...9 { sessions.begin(try challenge("1"), of: "\(number)", clientNonce: "c") }
    #expect(sessions.origins.count == 3)
    #expect(sessions.next(of: "9")?.count == 1)
  }
}
