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
  /// - Parameter previous: The credentials that are about to expire; nil at first.
  func credentials(replacing previous: VendorCredentials?) async throws -> VendorCredentials
}
