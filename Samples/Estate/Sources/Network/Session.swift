public import CookieKeeping
import Interception
public import RequestAuthorization
import Synchronization

/// The login of the app's user.
public final class Session: Sendable {
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
    authorization.replaceToken(with: try AccessToken(token, expiry: expiry, refreshToken: refreshToken))
    member.withLock { $0 = name }
  }

  /// Makes the token invalid, as it is for the member after it has expired.
  ///
  /// - Parameter isForgotten: Whether the refresh token is invalid too, as after the server has forgotten the
  ///   session.
  public func invalidateToken(isForgotten: Bool) {
    let refreshToken = isForgotten ? "invalid" : authorization.token?.refreshToken
    guard name != nil, let invalid = try? AccessToken("invalid", refreshToken: refreshToken) else { return }
    authorization.replaceToken(with: invalid)
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
