import Interception
import Testing

@testable import VendorSignatures

@Suite struct CredentialStateTests {
  private let start = WallTime(secondsSince1970: 1_000_000)

  private func credentials(_ id: String, expiresAfter seconds: Int64? = nil) throws -> VendorCredentials {
    try VendorCredentials(
      keyID: id, secret: "s", expires: seconds.map { start.advanced(by: .seconds($0)) })
  }

  private func at(_ seconds: Int64) -> WallTime { start.advanced(by: .seconds(seconds)) }

  /// The decision as text.
  private func decide(_ state: inout CredentialState, at seconds: Int64) -> String {
    switch state.decide(at: at(seconds), for: .unknown) {
    case .use(let current): "use \(current.keyID)"
    case .refresh(let previous): "refresh \(previous?.keyID ?? "nothing")"
    case .wait: "wait"
    }
  }

  @Test("The first request obtains credentials, and others wait for it")
  func first() throws {
    var state = CredentialState()
    #expect(decide(&state, at: 0) == "refresh nothing")
    #expect(decide(&state, at: 0) == "wait")
    #expect(state.finish(with: try credentials("a"), at: at(1)))
    #expect(decide(&state, at: 1_000_000) == "use a")
  }

  @Test("Credentials are replaced five minutes before they expire, by one request at a time")
  func early() throws {
    var state = CredentialState()
    _ = state.decide(at: start, for: .unknown)
    #expect(state.finish(with: try credentials("a", expiresAfter: 3_600), at: start))
    #expect(decide(&state, at: 3_299) == "use a")
    #expect(decide(&state, at: 3_300) == "refresh a")
    #expect(decide(&state, at: 3_300) == "use a")
    #expect(decide(&state, at: 3_600) == "wait")
    #expect(state.finish(with: try credentials("b", expiresAfter: 7_200), at: at(3_600)))
    #expect(decide(&state, at: 3_601) == "use b")
  }

  @Test("Credentials that are valid for a short time are replaced after half of it")
  func short() throws {
    var state = CredentialState()
    _ = state.decide(at: start, for: .unknown)
    #expect(state.finish(with: try credentials("a", expiresAfter: 60), at: start))
    #expect(decide(&state, at: 29) == "use a")
    #expect(decide(&state, at: 30) == "refresh a")
  }

  @Test("After a failure valid credentials are used, and the next attempt is ten seconds later")
  func failure() throws {
    var state = CredentialState()
    _ = state.decide(at: start, for: .unknown)
    #expect(state.finish(with: try credentials("a", expiresAfter: 600), at: start))
    #expect(decide(&state, at: 300) == "refresh a")
    #expect(state.fail(at: at(300))?.keyID == "a")
    #expect(decide(&state, at: 309) == "use a")
    #expect(decide(&state, at: 310) == "refresh a")
    #expect(state.fail(at: at(600)) == nil)
    #expect(decide(&state, at: 600) == "refresh a")
  }

  @Test("Expired credentials are not accepted, and a cancelled refresh is started again")
  func expired() throws {
    var state = CredentialState()
    #expect(decide(&state, at: 100) == "refresh nothing")
    #expect(!state.finish(with: try credentials("a", expiresAfter: 100), at: at(100)))
    #expect(decide(&state, at: 100) == "refresh nothing")
    state.abandon()
    #expect(decide(&state, at: 100) == "refresh nothing")
  }
}
