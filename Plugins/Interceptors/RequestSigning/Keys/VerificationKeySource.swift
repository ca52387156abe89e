/// Finds the keys that a server accepts.
///
/// Conform to it where keys come and go while the server runs; a fixed set is ``SigningKeys``. During a
/// rotation, accept the old key and the new one.
public protocol VerificationKeySource: Sendable {
  /// Returns the key of an id, or nil when it is unknown or no longer accepted.
  func verificationKey(id: String) -> SigningKey?
}
