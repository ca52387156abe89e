import Cryptography
import Interception

/// Looks up the keys whose signatures are accepted.
///
/// Conform to it if keys change while the program runs; ``MessageKeys`` is a fixed set.
public protocol TrustedMessageKeySource: Sendable {
  /// Returns the key with an id, or nil if it is unknown or no longer accepted.
  func messageKey(id: String) -> MessageKey?
}
