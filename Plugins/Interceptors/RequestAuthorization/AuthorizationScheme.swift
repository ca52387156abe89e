import HTTPTypes
public import Interception

/// A way to authenticate requests (RFC 9110, section 11).
///
/// ``BearerAuthorization``, ``BasicAuthorization`` and ``DigestAuthorization`` are the standard schemes.
/// Write your own for a header field or a login of your own design; a scheme with a fixed key needs one
/// function:
///
/// ```swift
/// struct KeyAuthorization: AuthorizationScheme {
///   let key: Credentials
///   init(key: String) throws(AuthorizationError) {
///     self.key = try Credentials("key=\(key)")
///   }
///   func credentials(for request: Request) async throws -> Credentials? { key }
///   // The key is the app's own, the same for every user.
///   func identity(for request: Request) -> Request.Identity? { .app }
/// }
/// ```
///
/// Return the ``identity(for:)`` of the account if the scheme knows it: without one, requests with the same
/// credentials are sent one by one, and their responses are stored in memory only.
///
/// An error other than `NetworkError`, ``AuthorizationError`` and `CancellationError` fails the request as
/// rejected, with the error as the underlying one; its text isn't quoted, because it may contain secrets.
public protocol AuthorizationScheme: Sendable {
  /// Returns the credentials to send with a request, or nil to send it without.
  ///
  /// It is called for each attempt and each hop of a redirect, but only for the interceptor's origins.
  func credentials(for request: Request) async throws -> Credentials?

  /// Returns on whose behalf requests are sent; nil, the default, if the scheme doesn't know.
  ///
  /// It must return at once, without obtaining credentials. The value is created at login and kept until
  /// another login replaces the credentials; a refresh is no login. One that is created anew for each request
  /// must have the account's name, and prevents that requests share a transfer.
  func identity(for request: Request) -> Request.Identity?

  /// Whether the request is to be sent again with ``renewedCredentials(for:after:)``.
  ///
  /// It must return immediately: the refused response is released afterwards, so that its connection is free
  /// while the credentials are renewed.
  func canRenewCredentials(for request: Request, after refusal: Refusal) -> Bool

  /// Returns the credentials with which a refused request is sent again, once.
  func renewedCredentials(for request: Request, after refusal: Refusal) async throws -> Credentials
}

extension AuthorizationScheme {
  /// Nil: the account is not known.
  public func identity(for request: Request) -> Request.Identity? { nil }

  /// False: the refused response is returned as it is.
  public func canRenewCredentials(for request: Request, after refusal: Refusal) -> Bool { false }

  /// The same credentials as for any other request.
  ///
  /// - Throws: ``AuthorizationError/needsLogin`` if there are none.
  public func renewedCredentials(for request: Request, after refusal: Refusal) async throws -> Credentials {
    guard let credentials = try await credentials(for: request) else { throw AuthorizationError(.needsLogin) }
    return credentials
  }
}

/// A scheme whose credentials are usually available, so that a request that leaves need not be suspended.
protocol ImmediateAuthorizationScheme: AuthorizationScheme {
  /// Returns the credentials for a request together with their login, which are read in one step; nil if
  /// ``AuthorizationScheme/credentials(for:)`` must obtain them.
  func immediateCredentials(for request: Request) -> (credentials: Credentials, identity: Request.Identity)?
}

/// A text that no description or mirror reveals.
struct Secret: Sendable, Hashable {
  let text: String

  init(_ text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "(secret)" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
