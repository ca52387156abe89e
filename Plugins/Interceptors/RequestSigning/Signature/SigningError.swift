import Cryptography

/// The failure of libcrypto to compute a signature, for lack of memory or because its configuration forbids
/// SHA-256.
public struct SigningError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operation that failed.
  public let operation: String
  /// The failed operation and the remedy.
  public let description: String

  init(_ error: CryptographyError) {
    operation = error.operation
    description = error.description
  }
}
