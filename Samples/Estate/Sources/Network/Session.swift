public import Switchyard
import Synchronization

/// The login of the app's user.
public final class Session: MemberSession {
  /// Adds the member's token to requests, and refreshes it when it has expired.
  let authorization: BearerAuthorization
  private let cookies: CookieStore
  private let member = Mutex<String?>(nil)

  /// Creates the session of a guest.
  ///
  /// - Parameters:
  ///   - tokens: Refreshes the tokens of members.
  ///   - cookies: The cookies of members and of guests.
  public init(tokens: some TokenSource, cookies: CookieStore) {
    authorization = BearerAuthorization(from: tokens)
    self.cookies = cookies
  }

  /// The member's name, or `nil` for a guest.
  public var name: String? { member.withLock { $0 } }

  /// What happens to the token from now on: refreshes, and that a login is needed.
  public func events() -> AsyncStream<AuthorizationEvent> { authorization.events() }

  /// Starts the session of a member.
  ///
  /// - Parameter lifetime: The seconds until the token expires.
  /// - Throws: `AuthorizationError` if the token has characters that no token has.
  public func begin(name: String, token: String, lifetime: Int, refreshToken: String) throws {
    let expiry = TimeSource.system.wallTime().advanced(by: .seconds(lifetime))
    let token = try AccessToken(token, expiry: expiry, refreshToken: refreshToken)
    authorization.replaceToken(with: token, account: name)
    member.withLock { $0 = name }
  }

  /// Makes the token one that has expired or, if `isForgotten` is true, one that the server doesn't know,
  /// like its refresh token.
  public func invalidateToken(isForgotten: Bool) {
    let expiry = isForgotten ? nil : TimeSource.system.wallTime()
    let refreshToken = isForgotten ? "invalid" : authorization.token?.refreshToken
    guard let name, let invalid = try? AccessToken("invalid", expiry: expiry, refreshToken: refreshToken)
    else { return }
    authorization.replaceToken(with: invalid, account: name)
  }

  /// Ends the session, and returns whether there was one; the member's cookies are removed.
  @discardableResult public func end() -> Bool {
    let ended = member.withLock { member in
      defer { member = nil }
      return member
    }
    authorization.replaceToken(with: nil)
    if let ended { cookies.removeAll(in: ended) }
    return ended != nil
  }
}
