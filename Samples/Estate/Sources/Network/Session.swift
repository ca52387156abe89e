package import Switchyard
import Synchronization

package final class Session: MemberSession {
  /// Adds the member's token to requests, and refreshes it when it has expired.
  let authorization: BearerAuthorization
  private let cookies: CookieStore
  private let member = Mutex<String?>(nil)

  /// Creates the session of a guest.
  ///
  /// - Parameters:
  ///   - tokens: Refreshes the tokens of members.
  ///   - cookies: The cookies of members and of guests.
  package init(tokens: some TokenSource, cookies: CookieStore) {
    authorization = BearerAuthorization(from: tokens)
    self.cookies = cookies
  }

  package var name: String? { member.withLock { $0 } }

  /// What happens to the token from now on: refreshes, and that a login is needed.
  package func events() -> AsyncStream<AuthorizationEvent> { authorization.events() }

  package func begin(name: String, token: String, lifetime: Int, refreshToken: String) throws {
    let expiry = TimeSource.system.wallTime().advanced(by: .seconds(lifetime))
    let token = try AccessToken(token, expiry: expiry, refreshToken: refreshToken)
    authorization.replaceToken(with: token, account: name)
    member.withLock { $0 = name }
  }

  package func invalidateToken(isForgotten: Bool) {
    let expiry = isForgotten ? nil : TimeSource.system.wallTime()
    let refreshToken = isForgotten ? "invalid" : authorization.token?.refreshToken
    guard let name, let invalid = try? AccessToken("invalid", expiry: expiry, refreshToken: refreshToken)
    else { return }
    authorization.replaceToken(with: invalid, account: name)
  }

  @discardableResult package func end() -> Bool {
    let ended = member.withLock { member in
      defer { member = nil }
      return member
    }
    authorization.replaceToken(with: nil)
    if let ended { cookies.removeAll(in: ended) }
    return ended != nil
  }
}
