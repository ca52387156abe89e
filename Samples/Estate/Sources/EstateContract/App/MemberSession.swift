/// The login of the app's user.
package protocol MemberSession: Sendable {
  /// The member's name, or `nil` for a guest.
  var name: String? { get }

  /// Starts the session of a member.
  ///
  /// - Parameter lifetime: The seconds until the token expires.
  /// - Throws: An error if the token has characters that no token has.
  func begin(name: String, token: String, lifetime: Int, refreshToken: String) throws

  /// Makes the token one that has expired or, if `isForgotten` is true, one that the server doesn't know,
  /// like its refresh token.
  func invalidateToken(isForgotten: Bool)

  /// Ends the session, and returns whether there was one; the member's cookies are removed.
  @discardableResult func end() -> Bool
}

/// The responses that the app stores for members.
package protocol MemberResponses: Sendable {
  /// Removes the responses of a member, whose session has ended.
  func remove(member: String) async
}
