import Cryptography
public import HTTPTypes
public import Interception

/// The reason why a platform's key is invalid, or a sealed key can't be opened.
public struct SealedKeyError: Error, LoggableError, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// The id of a platform's key is not valid in a header field.
    case illegalID
    /// A key doesn't have 32 bytes.
    case keyLength(Int)
    /// The request has no sealed key.
    case missing
    /// The field occurs more than once, or isn't an id and an even number of hexadecimal digits.
    case malformed
    /// The key is sealed to a platform key that isn't accepted.
    case unknownPlatformKey
    /// The key was sealed for another request or another platform, or was changed.
    case mismatch
    /// The key was opened, but the signature is refused, or the key isn't the registered one.
    case signature(SignatureError)
    /// The cryptographic library could not open the key.
    case cryptography(operation: String)
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  /// The status code for the response: 401, or 503 if the request is not at fault.
  public var status: HTTPResponse.Status {
    switch reason {
    case .signature(let error): error.status
    case .cryptography: .serviceUnavailable
    default: .unauthorized
    }
  }
}

extension SealedKeyError: CustomStringConvertible {
  /// The fault and the remedy, without any key.
  public var description: String {
    switch reason {
    case .illegalID:
      "The id of a platform's key is not valid in a header field; use 1 to 128 visible ASCII characters, no commas."
    case .keyLength(let count): "A platform's key has \(count) bytes; give the 32 bytes of an X25519 key."
    case .missing: "The request has no sealed key; sign it with a signer that knows the platform's key."
    case .malformed: "The sealed key is malformed; send it once, as an id and hexadecimal digits."
    case .unknownPlatformKey: "The platform's key is unknown; give its private key to the opener."
    case .mismatch:
      "The sealed key does not belong to this request; compare the platform's keys, and seal it for each request."
    case .signature(let error): error.description
    case .cryptography(let operation): CryptographyError(operation: operation).description
    }
  }
}
