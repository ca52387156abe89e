import Cryptography
import Interception
import Synchronization

/// The result of claiming a nonce.
public enum NonceVerdict: Sendable, Hashable {
  /// The nonce is new, and is remembered from now on.
  case claimed
  /// The nonce was claimed before.
  case known
  /// The store can't tell whether the nonce was claimed before.
  case unavailable(NonceStoreError)
}
