/// A failed operation of libcrypto, for lack of memory or because its configuration forbids an algorithm.
package struct CryptographyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operation that failed.
  package let operation: String

  package init(operation: String) { self.operation = operation }

  /// The failed operation and the remedy.
  package var description: String {
    "libcrypto could not compute \(operation); check its configuration (openssl.cnf) and the free memory."
  }
}
