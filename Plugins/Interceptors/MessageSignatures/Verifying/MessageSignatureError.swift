public import HTTPTypes
public import Interception
public import NonceStores

/// The reason why a message can't be signed, or its signature is not accepted.
///
/// Its texts name components and fields, but quote no value of a message.
public enum MessageSignatureError: Error, LoggableError, Sendable, Hashable {
  // MARK: Syntax

  /// A field violates the syntax of structured fields (RFC 9651); the offset counts the bytes before the
  /// fault, in the values of all lines joined by commas.
  case malformedField(HTTPField.Name, rule: String, offset: Int? = nil)
  /// A parameter of a signature has a value of another type (RFC 9421, section 2.3).
  case malformedParameter(String)
  /// A component violates a rule of RFC 9421, section 2.
  case invalidComponent(String, ComponentRule)
  /// The signature covers more bytes than are processed.
  case baseTooLong(limit: Int)

  // MARK: Coverage

  /// The message has no signature, or none with the label or tag that was asked for.
  case unsigned
  /// Several signatures qualify, and the policy doesn't say which one counts.
  case severalSignatures(count: Int)
  /// The signature refers to a component that the message doesn't have.
  case missingComponent(MessageComponent)
  /// A redirect led the request to another origin, so that it isn't signed, and no response to it can be
  /// verified.
  case leftOrigin
  /// The signature doesn't cover a required component.
  case uncovered(MessageComponent)
  /// The signature lacks a required parameter.
  case missingParameter(String)
  /// Another signature of the message has the label.
  case labelInUse(String)

  // MARK: Keys

  /// No key with that id is accepted.
  case unknownKey
  /// The named algorithm isn't supported.
  case unknownAlgorithm(String)
  /// The named algorithm isn't that of the key.
  case wrongAlgorithm(SignatureAlgorithm, expected: SignatureAlgorithm)
  /// The key is public and can't sign.
  case publicKey(id: String)

  // MARK: Time and replay

  /// The signature was created later than the clocks may differ; the durations are in whole seconds.
  case createdInFuture(by: Duration)
  /// The signature is older than is accepted.
  case tooOld(by: Duration)
  /// The signature has expired.
  case expired(by: Duration)
  /// The message was received before.
  case replayedNonce
  /// The message may have been accepted before the verifier's start, or its time is one whose nonces are no
  /// longer remembered because the clock was set back; whether it was received before is unknown.
  case forgottenNonce
  /// The store of a fleet's nonces can't tell whether the message was received before.
  case unavailableNonces(NonceStoreError)
  /// More messages arrived within the window than nonces can be remembered.
  case tooManyNonces(limit: Int)

  // MARK: Result

  /// The signature belongs to another message, or was made with another key.
  case mismatch
  /// The content isn't the one whose digest is stated.
  case digestMismatch(DigestAlgorithm)
  /// The digest of the content is by no supported algorithm.
  case unsupportedDigest
  /// libcrypto could not compute a value.
  case cryptography(operation: String)

  /// The status code for the response to a refused request: 400, 401, or 503 if the request is not at fault.
  public var status: HTTPResponse.Status {
    switch self {
    case .tooManyNonces, .forgottenNonce, .unavailableNonces, .cryptography: .serviceUnavailable
    case .malformedField, .malformedParameter, .invalidComponent, .baseTooLong, .digestMismatch: .badRequest
    default: .unauthorized
    }
  }

  /// Returns a text of a peer with at most 80 printable characters, for messages.
  static func shortened(_ text: String) -> String {
    let printable = text.utf8.prefix(81).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    let isLong = printable.count > 80
    return String(decoding: isLong ? printable.prefix(79) : printable[...], as: UTF8.self)
      + (isLong ? "…" : "")
  }
}
