import Cryptography
public import Interception

/// The reason why a key for message signatures is invalid.
public struct MessageKeyError: Error, LoggableError, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// The id is empty, too long, or has characters that are not printable ASCII.
    case illegalID
    /// The secret is too short to be safe; the counts are bytes.
    case shortSecret(id: String, count: Int, atLeast: Int)
    /// The text is no key in PEM, or an encrypted one.
    case unreadableKey(id: String)
    /// The key can't be used with the algorithm.
    case wrongKind(id: String, algorithm: SignatureAlgorithm, kind: String)
    /// The RSA key is too short to be safe.
    case shortKey(id: String, bits: Int, atLeast: Int)
    /// The cryptographic library could not prepare the key, or lacks the algorithm: CryptoKit has no RSA.
    case cryptography(operation: String)
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }
}

extension MessageKeyError: CustomStringConvertible {
  /// The fault and the remedy, without the key.
  public var description: String {
    switch reason {
    case .illegalID: "The id of a message key is not valid; use 1 to 256 printable ASCII characters."
    case .shortSecret(let id, let count, let least):
      "The secret of the message key \"\(id)\" has \(count) bytes; use at least \(least) random bytes."
    case .unreadableKey(let id):
      "The message key \"\(id)\" can't be read; give an unencrypted private key or a public key in PEM."
    case .wrongKind(let id, let algorithm, let kind):
      "The message key \"\(id)\" is \(kind), which \(algorithm.rawValue) doesn't use; choose the algorithm of the key."
    case .shortKey(let id, let bits, let least):
      "The message key \"\(id)\" has \(bits) bits; use an RSA key of at least \(least) bits."
    case .cryptography(let operation): CryptographyError(operation: operation).description
    }
  }
}
