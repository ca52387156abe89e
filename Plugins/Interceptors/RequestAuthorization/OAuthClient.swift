import Cryptography
import HTTPTypes
import Interception

/// The id and the secret with which an app authenticates to a token endpoint (RFC 6749, section 2.3).
///
/// No text or mirror reveals the secret. A secret inside a publicly available app isn't one; such an app has
/// only an id.
public struct OAuthClient: Sendable, Hashable {
  /// The id.
  package let id: String
  /// Whether the id and the secret are sent in the form, and not in a field.
  package let sendsSecretInForm: Bool
  let secret: Secret?

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - secret: The secret, or nil for a public client, whose id is sent in the form.
  ///   - sendsSecretInForm: Whether the id and the secret are sent in the form, as `client_id` and
  ///     `client_secret`. By default they are sent in the `Authorization` field by the Basic scheme, which
  ///     every server supports.
  public init(id: String, secret: String? = nil, sendsSecretInForm: Bool = false) {
    self.id = id
    self.secret = secret.map { Secret($0) }
    self.sendsSecretInForm = sendsSecretInForm
  }
}
