import Cryptography
import HTTPTypes
package import Interception
import NonceStores

/// What a valid signature states.
public struct VerifiedSignature: Sendable, Hashable {
  /// The label of the signature in the message.
  package let label: String
  /// The id of the key.
  public let keyID: String
  /// The algorithm of the key.
  package let algorithm: SignatureAlgorithm
  /// The time of signing.
  package let created: WallTime
  /// The time at which the signature expires, if it is stated.
  package let expires: WallTime?
  /// The nonce, if there is one.
  package let nonce: String?
  /// The purpose of the signature, if it is stated.
  package let tag: String?
  /// The components that the signature covers; nothing else of the message is authentic.
  public let components: [MessageComponent]
}
