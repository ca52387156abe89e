import Cryptography
import HTTPTypes
public import Interception
import Synchronization

/// The reason why a signing key is invalid.
public enum SigningKeyError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// The id is not valid in a header field.
  case illegalID
  /// The secret is too short to be safe.
  case shortSecret(id: String, count: Int, atLeast: Int)

  /// The fault and the remedy.
  public var description: String {
    switch self {
    case .illegalID:
      "The id of a signing key is not valid in a header field; use 1 to 128 visible ASCII characters, no commas."
    case .shortSecret(let id, let count, let least):
      "The secret of the signing key \(id) has \(count) bytes; use at least \(least) random bytes."
    }
  }
}
