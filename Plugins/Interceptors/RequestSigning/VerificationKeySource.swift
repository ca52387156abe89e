import Cryptography
import HTTPTypes
import Interception
import Synchronization

/// Looks up the keys that a server accepts.
///
/// Conform to it if keys change while the server runs; ``SigningKeys`` is a fixed set. During a rotation,
/// accept both the old and the new key.
public protocol VerificationKeySource: Sendable {
  /// Returns the key with an id, or nil if it is unknown or no longer accepted.
  func verificationKey(id: String) -> SigningKey?
}
