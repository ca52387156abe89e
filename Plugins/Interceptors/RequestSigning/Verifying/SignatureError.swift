import Cryptography
public import HTTPTypes
public import Interception

/// The reason why a request's signature is not accepted.
///
/// Log it on the server; the client needs only the 401 and the server's `Date`.
public enum SignatureError: Error, LoggableError, Sendable, Hashable {
  /// A field of the signature, or one that it covers, is absent.
  case missing(HTTPField.Name)
  /// A field occurs more than once or is malformed.
  case malformed(HTTPField.Name)
  /// A field that must be covered if present is not covered.
  case uncovered(HTTPField.Name)
  /// The signature is of another version of the scheme.
  case unsupportedVersion(Int)
  /// No key with that id is accepted.
  case unknownKey
  /// The request was signed too long ago, or too far in the future; the skew is the server's time minus the
  /// request's.
  case staleTimestamp(skew: Duration)
  /// The lifetime of the presigned URL ended some time ago.
  case expired(ago: Duration)
  /// The request was received before.
  case replayedNonce
  /// The signature belongs to another request, or was made with another secret.
  case mismatch
  /// More requests arrived within the window than nonces can be remembered.
  case tooManyNonces(limit: Int)
  /// The store of a fleet's nonces can't tell whether the request was received before.
  case unavailableNonces(NonceStoreError)
  /// The cryptographic library could not compute the signature.
  case cryptography(operation: String)

  /// The status code for the response: 401, or 503 if the request is not at fault.
  public var status: HTTPResponse.Status {
    switch self {
    case .tooManyNonces, .unavailableNonces, .cryptography: .serviceUnavailable
    default: .unauthorized
    }
  }
}

extension SignatureError: CustomStringConvertible {
  /// The fault and the remedy, without any value of the request.
  public var description: String {
    switch self {
    case .missing(let name):
      "The field \(name) is missing; sign the request, and have proxies forward the field."
    case .malformed(let name):
      "The field \(name) is malformed; send it once, in the form that SignatureFields describes."
    case .uncovered(let name):
      "The field \(name) is not covered by the signature; set it before signing, and add it to the covered fields."
    case .unsupportedVersion(let version):
      "The signature is of version \(version) of the scheme, not \(SignatureText.version); update the older end."
    case .unknownKey: "The key is unknown; give its id and secret to the verifier."
    case .staleTimestamp(let skew):
      "The request's time is \(skew.components.seconds) s off the server's; set the clocks, or sign again."
    case .expired(let duration):
      "The URL expired \(duration.components.seconds) s ago; request a new one."
    case .replayedNonce: "The request was received before; sign each attempt separately."
    case .mismatch:
      "The signature does not match the request; compare the secrets, and check whether a proxy changes "
        + "the method, authority, path, query or body."
    case .tooManyNonces(let limit):
      "More than \(limit) requests arrived within the window; raise the verifier's nonce capacity."
    case .unavailableNonces(let error):
      "The request's nonce can't be checked; repair the nonce store, or accept such requests with failOpen. "
        + error.description
    case .cryptography(let operation): CryptographyError(operation: operation).description
    }
  }
}
