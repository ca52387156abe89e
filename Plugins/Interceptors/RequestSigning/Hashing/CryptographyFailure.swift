/// An operation of libcrypto that failed, as it does without memory or where its configuration forbids
/// SHA-256.
public struct CryptographyFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was asked of libcrypto.
  public let operation: String

  /// The operation and the remedy.
  public var description: String {
    "libcrypto could not compute \(operation); look at its configuration (openssl.cnf) and at free memory."
  }
}
