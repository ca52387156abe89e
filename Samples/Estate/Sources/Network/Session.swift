import Interception
public import RequestAuthorization
import Synchronization

/// The login of the app's user.
public final class Session: Sendable {
  /// Adds the member's token to requests, and refreshes it when it has expired.
  let authorization: BearerAuthorization
  private let member = Mutex<String?>(nil)

  /// Creates the session of a guest.
  ///
  /// - Parameter tokens: Refreshes the tokens of members.
  public init(tokens: some TokenSource) { authorization = BearerAuthorization(from: tokens) }

  /// The member's name, or `nil` for a guest.
  public var name: String? { member.withLock { $0 } }

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

  /// Ends the session, and returns whether there was one.
  @discardableResult public func end() -> Bool {
    let hadSession = member.withLock { member in
      defer { member = nil }
      return member != nil
    }
    authorization.replaceToken(with: nil)
    return hadSession
  }
}
