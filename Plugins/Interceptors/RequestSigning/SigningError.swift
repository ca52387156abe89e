import Cryptography
import HTTPTypes
public import Interception
import Synchronization

/// The failure to compute a signature: the cryptographic library lacks memory, its configuration forbids
/// SHA-256, or the key of a response is not accepted any more.
public struct SigningError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// The operation that failed.
  package let operation: String
  /// The failed operation and the remedy.
  public let description: String

  init(_ error: CryptographyError) {
    operation = error.operation
    description = error.description
  }

  private init(operation: String, description: String) {
    self.operation = operation
    self.description = description
  }

  /// The error for a response to a request whose key is not accepted any more.
  static let unknownKey = SigningError(
    operation: "the signature of a response",
    description: "The key of the request is not accepted any more; keep it until its last response is signed."
  )
}
