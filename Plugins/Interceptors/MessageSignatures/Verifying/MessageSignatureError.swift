import Cryptography
public import HTTPTypes
public import Interception
package import NonceStores

/// The reason why a message can't be signed, or its signature is not accepted.
///
/// Its texts name components and fields, but quote no value of a message.
public struct MessageSignatureError: Error, LoggableError, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
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
    /// The cryptographic library could not compute a value.
    case cryptography(operation: String)
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  /// What a server does about the error.
  public enum Kind: Sendable, Hashable {
    /// The message has no signature, or none with the label or tag that was asked for.
    case unsigned
    /// No key with that id is accepted.
    case unknownKey
    /// The signature was created too early or too late, or has expired.
    case untimely
    /// The message was received before.
    case replayed
    /// Whether the message was received before can't be told, or the cryptographic library has failed.
    case unavailable
    /// The signature is malformed, doesn't cover what it must, or doesn't match the message.
    case invalid
  }

  /// What a server does about the error.
  public var kind: Kind {
    switch reason {
    case .unsigned: .unsigned
    case .unknownKey: .unknownKey
    case .createdInFuture, .tooOld, .expired: .untimely
    case .replayedNonce: .replayed
    case .forgottenNonce, .unavailableNonces, .tooManyNonces, .cryptography: .unavailable
    default: .invalid
    }
  }

  /// The status code for the response to a refused request: 400, 401, or 503 if the request is not at fault.
  public var status: HTTPResponse.Status {
    switch reason {
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

extension MessageSignatureError: CustomStringConvertible {
  /// The fault and the remedy, without any value of the message.
  public var description: String {
    switch reason {
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

extension MessageSignatureError {
  /// A rule for the components that a signature covers (RFC 9421, section 2).
  package enum ComponentRule: String, Sendable, Hashable {
    /// An identifier is a string.
    case identifierIsString = "an identifier is a string"
    /// The parameters of an identifier are `sf`, `key`, `bs`, `tr`, `req` and `name`, where they apply.
    case knownParameters = "a parameter is unknown, has another type, or doesn't apply to the component"
    /// A name with an at sign is one of RFC 9421, section 2.2.
    case knownDerivedComponent = "the derived component is unknown, or must not be covered"
    /// The name of a field is in lower case.
    case fieldNameInLowerCase = "the name of a field is a token in lower case"
    /// `bs` excludes `sf` and `key`.
    case wrappedIsNotStructured = "\"bs\" excludes \"sf\" and \"key\""
    /// The type of a field must be known for `sf`.
    case knownFieldType = "the type of the structured field is unknown; state it in the policy"
    /// `@query-param` has a parameter `name`.
    case queryParameterHasName = "a query parameter has a name"
    /// A parameter that `@query-param` names occurs once in the query.
    case queryParameterIsUnique = "the query parameter occurs more than once; cover \"@query\""
    /// `req` is for responses.
    case requestOfResponse = "\"req\" is for responses"
    /// `@status` is for responses, the other derived components for requests.
    case partOfMessage = "the component isn't part of this kind of message"
    /// A component is covered once.
    case coveredOnce = "a component is covered more than once"
    /// A value is printable ASCII.
    case printableValue = "the value isn't printable ASCII; cover a field with \"bs\""
  }
}
