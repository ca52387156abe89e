import Cryptography
import NonceStores

extension MessageSignatureError: CustomStringConvertible {
  /// The fault and the remedy, without any value of the message.
  public var description: String {
    switch self {
    case .malformedField(let name, let rule, let offset):
      "The field \(name) is malformed\(offset.map { " at offset \($0)" } ?? ""): \(rule) (RFC 9651)."
    case .malformedParameter(let name):
      "The parameter \"\(name)\" of the signature is malformed; see RFC 9421, section 2.3."
    case .invalidComponent(let identifier, let rule):
      "The component \(Self.shortened(identifier)) is invalid: \(rule.rawValue) (RFC 9421, section 2)."
    case .baseTooLong(let limit):
      "The signature covers more than \(limit) bytes; cover fewer fields, or their digest."
    case .unsigned:
      "The message has no signature of the kind that is required; sign it, and forward its fields."
    case .severalSignatures(let count):
      "The message has \(count) signatures; select one by label or tag in the policy."
    case .missingComponent(let component):
      "The message has no \(component); sign what it has, and have proxies forward it."
    case .leftOrigin:
      "A redirect led the request to another origin, where no response can be verified; limit the interceptor "
        + "with only(for:), or don't follow such redirects."
    case .uncovered(let component):
      "The signature does not cover \(component); add it to the signer's components."
    case .missingParameter(let name): "The signature has no parameter \"\(name)\", which the policy requires."
    case .labelInUse(let label):
      "The message already has a signature with the label \"\(label)\"; choose another label."
    case .unknownKey: "The key is unknown; give it to the verifier."
    case .unknownAlgorithm(let name):
      "The algorithm \"\(Self.shortened(name))\" isn't supported; use one of SignatureAlgorithm."
    case .wrongAlgorithm(let stated, let expected):
      "The signature names \(stated.rawValue), but its key is for \(expected.rawValue); use the key's algorithm."
    case .publicKey(let id): "The key \"\(id)\" is public and can't sign; use the private key."
    case .createdInFuture(let difference):
      "The signature was created \(difference.components.seconds) s too far in the future; set the clocks."
    case .tooOld(let difference):
      "The signature is \(difference.components.seconds) s too old; sign each attempt separately."
    case .expired(let difference):
      "The signature expired \(difference.components.seconds) s ago; sign each attempt separately."
    case .replayedNonce: "The message was received before; sign each attempt separately."
    case .forgottenNonce:
      "The nonces of the time of signing are not remembered, because the verifier has just started or the clock "
        + "was set back; sign it again when the policy's clock skew has passed, or keep the nonces in a file."
    case .unavailableNonces(let error):
      "The message's nonce can't be checked; repair the nonce store, or accept such messages with failOpen. "
        + error.description
    case .tooManyNonces(let limit):
      "More than \(limit) messages arrived within the window; raise the verifier's nonce capacity."
    case .mismatch:
      "The signature does not match the message; compare the keys, and check whether a proxy changes what is "
        + "covered."
    case .digestMismatch(let algorithm):
      "The content does not have the stated \(algorithm.rawValue); check whether a proxy changes or decodes it."
    case .unsupportedDigest: "The content's digest is by no supported algorithm; use sha-256 or sha-512."
    case .cryptography(let operation): CryptographyError(operation: operation).description
    }
  }
}
