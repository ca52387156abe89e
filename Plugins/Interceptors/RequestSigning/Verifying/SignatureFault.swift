public import HTTPTypes

/// Why a request's signature is not accepted.
///
/// Log it at the server; a caller needs to know no more than 401 and the server's `Date`.
public enum SignatureFault: Error, Sendable, Hashable {
  /// A field of the signature, or one that it covers, isn't there.
  case missing(HTTPField.Name)
  /// A field is there twice, or doesn't have its form.
  case malformed(HTTPField.Name)
  /// A field that must be covered where it is present isn't.
  case uncovered(HTTPField.Name)
  /// No key of that id is accepted.
  case unknownKey
  /// The request was signed too long ago, or too far in the future; the skew is the server's time less the
  /// request's.
  case staleTimestamp(skew: Duration)
  /// The request was received before.
  case replayedNonce
  /// The signature is of another request, or made with another secret.
  case mismatch
  /// More requests came within the window than nonces can be remembered.
  case tooManyNonces(limit: Int)
  /// The signature could not be computed.
  case cryptography(CryptographyFailure)

  /// The status for the answer: 401, or 503 where the request is not to blame.
  public var status: HTTPResponse.Status {
    switch self {
    case .tooManyNonces, .cryptography: .serviceUnavailable
    default: .unauthorized
    }
  }
}

extension SignatureFault: CustomStringConvertible {
  /// The culprit and the remedy, without any value of the request.
  public var description: String {
    switch self {
    case .missing(let name):
      "The field \(name) is missing; sign the request, and let proxies pass the field on."
    case .malformed(let name):
      "The field \(name) is malformed; send it once, in the form that SignatureFields describes."
    case .uncovered(let name): "The field \(name) is not covered by the signature; let the signer cover it."
    case .unknownKey: "The key is not known here; hand its id and secret to the verifier."
    case .staleTimestamp(let skew):
      "The request's time is \(skew.components.seconds) s away from the server's; set the clocks, or sign afresh."
    case .replayedNonce: "The request was received before; sign each attempt afresh."
    case .mismatch:
      "The signature is not of this request; compare secrets, and what a proxy changes of method, "
        + "authority, path, query or body."
    case .tooManyNonces(let limit):
      "More than \(limit) requests came within the window; raise the verifier's nonce capacity."
    case .cryptography(let failure): failure.description
    }
  }
}
