import Interception
import Testing

@testable import RequestAuthorization

@Suite struct TokenStateTests {
  private static let start = WallTime(secondsSince1970: 1_700_000_000)

  private static func at(_ seconds: Double) -> TokenState.Instant {
    TokenState.Instant(wall: start.advanced(by: .seconds(seconds)), elapsed: .seconds(seconds))
  }

  private static func token(_ value: String, expiresAt seconds: Double? = nil) throws -> AccessToken {
    try AccessToken(value, expiry: seconds.map { start.advanced(by: .seconds($0)) })
  }

  private static func bearer(_ value: String) throws -> Credentials { try Credentials("Bearer \(value)") }

  private static func state(_ token: AccessToken?, canRefresh: Bool = true) -> TokenState {
    TokenState(token, leeway: .seconds(60), canRefresh: canRefresh, at: start)
  }

  @Test("A token without expiry is sent until it is refused")
  func noExpiry() throws {
    var state = Self.state(try Self.token("a"))
    let sent = try Self.bearer("a")
    #expect(state.decide(at: Self.at(1e9)) == .send(sent))
    #expect(state.validCredentials(at: Self.at(1e9).wall) == sent)
    #expect(state.canRenew(after: sent, at: .zero))
    let flight = TokenState.Flight(number: 1, replaced: try Self.token("a"))
    #expect(state.decide(after: sent, at: Self.at(0)) == .refresh(flight))
    #expect(state.flight == flight)
    // While a refused token is refreshed, no request sends it.
    #expect(state.validCredentials(at: Self.at(0).wall) == nil)
    #expect(state.decide(at: Self.at(0)) == .wait)
    #expect(state.decide(after: sent, at: Self.at(0)) == .wait)
    #expect(state.finish(1, with: try Self.token("b"), at: Self.start) == (try Self.bearer("b")))
    #expect(state.decide(at: Self.at(1)) == .send(try Self.bearer("b")))
  }

  @Test("A request with an older token gets the current one without a refresh")
  func olderToken() throws {
    var state = Self.state(try Self.token("a"))
    _ = state.decide(after: try Self.bearer("a"), at: Self.at(0))
    _ = state.finish(1, with: try Self.token("b"), at: Self.start)
    #expect(state.canRenew(after: try Self.bearer("a"), at: .zero))
    #expect(state.decide(after: try Self.bearer("a"), at: Self.at(1)) == .send(try Self.bearer("b")))
    #expect(state.flight == nil)
    // Beyond the limit, an old token can't be told from that of another login.
    for number in 2...UInt64(TokenState.earlierLimit + 1) {
      _ = state.decide(after: state.credentials, at: Self.at(Double(number) * 100))
      _ = state.finish(number, with: try Self.token("t\(number)"), at: Self.start)
    }
    #expect(!state.canRenew(after: try Self.bearer("a"), at: .seconds(10_000)))
    #expect(state.canRenew(after: try Self.bearer("b"), at: .seconds(10_000)))
  }

  @Test("Shortly before the expiry one refresh runs in the background; afterwards requests wait for it")
  func leeway() throws {
    var state = Self.state(try Self.token("a", expiresAt: 600))
    let sent = try Self.bearer("a")
    #expect(state.decide(at: Self.at(539.9)) == .send(sent))
    #expect(state.validCredentials(at: Self.at(539.9).wall) == sent)
    #expect(state.validCredentials(at: Self.at(540).wall) == nil)
    let flight = TokenState.Flight(number: 1, replaced: state.token)
    #expect(state.decide(at: Self.at(540)) == .sendAndRefresh(sent, flight))
    #expect(state.decide(at: Self.at(541)) == .send(sent))
    #expect(state.decide(at: Self.at(600)) == .wait)
    // A refusal during the background refresh waits for it, too.
    #expect(state.decide(after: sent, at: Self.at(550)) == .wait)
    #expect(state.decide(at: Self.at(551)) == .wait)
    _ = state.finish(1, with: try Self.token("b", expiresAt: 1_200), at: Self.at(560).wall)
    #expect(state.decide(at: Self.at(1_139)) == .send(try Self.bearer("b")))
  }

  @Test("A token that is valid for less than two leeways is used for half of its time")
  func shortLife() throws {
    var state = Self.state(try Self.token("a", expiresAt: 30))
    #expect(state.decide(at: Self.at(14)) == .send(try Self.bearer("a")))
    guard case .sendAndRefresh = state.decide(at: Self.at(15)) else {
      Issue.record("no refresh at half of the time")
      return
    }
  }

  @Test("A first token that is missing or expired is refreshed before the first request is sent")
  func noToken() throws {
    var missing = Self.state(nil)
    #expect(missing.decide(at: Self.at(0)) == .refresh(.init(number: 1, replaced: nil)))
    let old = try Self.token("a", expiresAt: -1)
    var expired = Self.state(old)
    #expect(expired.decide(at: Self.at(0)) == .refresh(.init(number: 1, replaced: old)))
    #expect(expired.decide(at: Self.at(0)) == .wait)
  }

  @Test("After a failure that may pass the next request tries again; needsLogin remains until a login")
  func failures() throws {
    var state = Self.state(try Self.token("a"))
    _ = state.decide(after: try Self.bearer("a"), at: Self.at(0))
    let hasFailed = state.fail(1, .other, at: .zero)
    #expect(hasFailed)
    #expect(
      state.decide(at: Self.at(1)) == .refresh(.init(number: 2, replaced: try Self.token("a"))))
    let hasEnded = state.fail(2, .needsLogin, at: .zero)
    #expect(hasEnded && state.needsLogin)
    #expect(state.decide(at: Self.at(2)) == .needsLogin)
    #expect(state.canRenew(after: try Self.bearer("a"), at: .zero))
    #expect(state.decide(after: try Self.bearer("a"), at: Self.at(2)) == .needsLogin)
    _ = state.replace(with: try Self.token("c"), at: Self.start)
    #expect(!state.needsLogin)
    #expect(state.decide(at: Self.at(3)) == .send(try Self.bearer("c")))
  }

  @Test("If a background refresh requires a login, the token is used until it expires")
  func loginAhead() throws {
    var state = Self.state(try Self.token("a", expiresAt: 600))
    _ = state.decide(at: Self.at(550))
    _ = state.fail(1, .needsLogin, at: .zero)
    #expect(state.decide(at: Self.at(599)) == .send(try Self.bearer("a")))
    #expect(state.decide(at: Self.at(600)) == .needsLogin)
  }

  @Test("After five refreshes within 30 s a refusal is returned, and no refresh runs ahead")
  func limit() throws {
    var state = Self.state(try Self.token("t0"))
    for number in 1...UInt64(TokenState.limit) {
      let sent = try Self.bearer("t\(number - 1)")
      #expect(state.canRenew(after: sent, at: .seconds(Double(number))))
      _ = state.decide(after: sent, at: Self.at(Double(number)))
      _ = state.finish(number, with: try Self.token("t\(number)", expiresAt: 40), at: Self.start)
    }
    let sent = try Self.bearer("t5")
    #expect(!state.canRenew(after: sent, at: .seconds(30.9)))
    #expect(state.decide(at: Self.at(30.9)) == .send(sent))
    #expect(state.canRenew(after: sent, at: .seconds(31)))
    guard case .sendAndRefresh = state.decide(at: Self.at(31)) else {
      Issue.record("no refresh after the window")
      return
    }
  }

  @Test("Tokens that expire at once are refreshed five times in 30 s, and then sent as they are")
  func expiringAtOnce() throws {
    var state = Self.state(try Self.token("t0", expiresAt: 0))
    for number in 1...UInt64(TokenState.limit) {
      guard case .refresh = state.decide(at: Self.at(Double(number))) else {
        Issue.record("no refresh \(number)")
        return
      }
      let token = try Self.token("t\(number)", expiresAt: Double(number))
      _ = state.finish(number, with: token, at: Self.at(Double(number)).wall)
    }
    let sent = try Self.bearer("t5")
    for second in [5.5, 20, 30.9] { #expect(state.decide(at: Self.at(second)) == .send(sent)) }
    // A refusal is returned, and after the window there is another refresh.
    #expect(!state.canRenew(after: sent, at: .seconds(30.9)))
    #expect(state.decide(at: Self.at(31)) == .refresh(.init(number: 6, replaced: state.token)))
  }

  @Test("Refreshes without a network don't count, so that the first one with a network is not too many")
  func offline() throws {
    var state = Self.state(try Self.token("a", expiresAt: 0))
    for number in 1...UInt64(TokenState.limit + 2) {
      #expect(state.decide(at: Self.at(1)) == .refresh(.init(number: number, replaced: state.token)))
      let hasFailed = state.fail(number, .offline, at: .seconds(1))
      #expect(hasFailed)
    }
  }

  @Test("The result of a superseded refresh is ignored")
  func superseded() throws {
    var state = Self.state(try Self.token("a"))
    _ = state.decide(after: try Self.bearer("a"), at: Self.at(0))
    #expect(state.replace(with: try Self.token("z"), at: Self.start) == nil)
    #expect(state.finish(1, with: try Self.token("b"), at: Self.start) == nil)
    let hasFailed = state.fail(1, .needsLogin, at: .zero)
    #expect(!hasFailed && !state.needsLogin)
    #expect(state.credentials == (try Self.bearer("z")))
  }

  @Test("A refused request is never repeated with the token of another login")
  func otherLogin() throws {
    var state = Self.state(try Self.token("a"))
    _ = state.decide(after: try Self.bearer("a"), at: Self.at(0))
    _ = state.finish(1, with: try Self.token("b"), at: Self.start)
    #expect(state.replace(with: try Self.token("z"), at: Self.start) == nil)
    for old in ["a", "b"] {
      #expect(!state.canRenew(after: try Self.bearer(old), at: .zero))
      // The login may happen after that check.
      #expect(state.decide(after: try Self.bearer(old), at: Self.at(0)) == .tokenReplaced)
    }
    #expect(state.canRenew(after: try Self.bearer("z"), at: .zero))
    _ = state.replace(with: nil, at: Self.start)
    #expect(state.token == nil)
    #expect(!state.canRenew(after: try Self.bearer("z"), at: .zero))
    #expect(state.decide(after: try Self.bearer("z"), at: Self.at(0)) == .tokenReplaced)
    // There was no login before, so waiting requests may continue with the first token.
    _ = state.decide(at: Self.at(0))
    #expect(state.replace(with: try Self.token("y"), at: Self.start) == (try Self.bearer("y")))
  }

  @Test("Without a source a token is sent even after its expiry, and a refusal is returned")
  func fixed() throws {
    var state = Self.state(try Self.token("a", expiresAt: 600), canRefresh: false)
    #expect(state.decide(at: Self.at(599)) == .send(try Self.bearer("a")))
    #expect(state.decide(at: Self.at(601)) == .send(try Self.bearer("a")))
    #expect(!state.canRenew(after: try Self.bearer("a"), at: .zero))
    var empty = Self.state(nil, canRefresh: false)
    #expect(empty.decide(at: Self.at(0)) == .needsLogin)
  }
}
