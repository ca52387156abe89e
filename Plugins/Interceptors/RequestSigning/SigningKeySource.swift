import Cryptography
import HTTPTypes
public import Interception
import Synchronization

/// Provides the key with which a request is signed.
///
/// Conform to it if the key comes from a keychain, differs by service, or changes while the app runs. For one
/// key or a fixed set, use ``SigningKeys``.
public protocol SigningKeySource: Sendable {
  /// Returns the key for a request, or nil to send it unsigned, for example to a third-party host.
  ///
  /// It is called for each attempt, so a rotated key takes effect with the next one. If it throws, the
  /// request fails.
  func signingKey(for request: Request) async throws -> SigningKey?

  /// Returns on whose behalf a request is signed; nil, the default, if the source doesn't know.
  ///
  /// It must return at once, without obtaining a key. It is `.app` if the key is the same for every user, or
  /// if the request is not signed. Without an identity, and without a partition that the caller has set,
  /// requests share no transfers, and of their responses only public ones are stored.
  func identity(for request: Request) -> Request.Identity?
}

extension SigningKeySource {
  /// Nil: the account is not known.
  public func identity(for request: Request) -> Request.Identity? { nil }
}
