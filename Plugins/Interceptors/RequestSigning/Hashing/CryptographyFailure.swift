/// A failed operation of libcrypto, for lack of memory or because its configuration forbids SHA-256.
public struct CryptographyFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operation that failed.
  public let operation: String

  /// The failed operation and the remedy.
  public var description: String {
    "libcrypto could not compute \(operation); check its configuration (openssl.cnf) and the free memory."
  }
}
