public import Interception

/// Hands out the key that a request is signed with.
///
/// Conform to it where the key comes out of a keychain, differs by service, or changes while the app runs.
/// Where one key or a fixed set will do, use ``SigningKeys``.
public protocol SigningKeySource: Sendable {
  /// Returns the key for a request, or nil when the request is to go out unsigned, as to a stranger's host.
  ///
  /// It is asked at each attempt, so a rotated key takes effect at the next one. What it throws fails the
  /// request.
  func signingKey(for request: Request) async throws -> SigningKey?
}
