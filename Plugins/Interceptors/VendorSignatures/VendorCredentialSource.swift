public import Interception

/// Obtains credentials that expire, such as those of a token service.
///
/// ```swift
/// struct ServiceKeys: VendorCredentialSource {
///   let fetch: @Sendable () async throws -> (id: String, secret: String, token: String, expires: WallTime)
///   func credentials(replacing previous: VendorCredentials?) async throws -> VendorCredentials {
///     let new = try await fetch()
///     return try VendorCredentials(
///       keyID: new.id, secret: new.secret, sessionToken: new.token, expires: new.expires)
///   }
/// }
/// ```
public protocol VendorCredentialSource: Sendable {
  /// Returns new credentials.
  ///
  /// It is called by one request at a time, before the first one and then shortly before the previous
  /// credentials expire; other requests use the previous ones meanwhile, or wait if there are none. It runs
  /// in the task of that request, whose cancellation it must notice, and it must limit its own time. If it
  /// throws while the previous credentials are still valid, they are used, and the next attempt is made ten
  /// seconds later.
  ///
  /// A request for credentials that passes a chain should have a context whose `redirects` is `.manual`, so
  /// that neither its secrets reach another server nor credentials of another server are accepted.
  ///
  /// - Parameter previous: The credentials that are about to expire; nil at first.
  func credentials(replacing previous: VendorCredentials?) async throws -> VendorCredentials

  /// Returns on whose behalf a request is signed; nil, the default, if the source doesn't know.
  ///
  /// It must return at once, without obtaining credentials. It is `.app` if they are the same for every user.
  /// Without an identity, and without a partition that the caller has set, requests share no transfers, and
  /// of their responses only public ones are stored.
  func identity(for request: Request) -> Request.Identity?
}

extension VendorCredentialSource {
  /// Nil: the account is not known.
  public func identity(for request: Request) -> Request.Identity? { nil }
}
