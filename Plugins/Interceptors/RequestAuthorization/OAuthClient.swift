import Cryptography
import HTTPTypes
import Interception

/// The id and the secret with which an app authenticates to a token endpoint (RFC 6749, section 2.3).
///
/// No text or mirror reveals the secret. A secret inside a publicly available app isn't one; such an app has
/// only an id.
public struct OAuthClient: Sendable, Hashable {
  /// How the id and the secret are sent.
  public enum Authentication: Sendable, Hashable {
    /// In the `Authorization` field, by the Basic scheme.
    case basic
    /// In the form, as `client_id` and `client_secret`.
    case body
  }

  /// The id.
  package let id: String
  /// How the id and the secret are sent.
  package let authentication: Authentication
  let secret: Secret?

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - secret: The secret, or nil for a public client, whose id is sent in the form.
  ///   - authentication: How the id and the secret are sent. By default by the Basic scheme, which every
  ///     server supports.
  public init(id: String, secret: String? = nil, authentication: Authentication = .basic) {
    self.id = id
    self.secret = secret.map { Secret($0) }
    self.authentication = authentication
  }
}
