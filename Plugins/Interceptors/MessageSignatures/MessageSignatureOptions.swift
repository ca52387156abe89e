import Cryptography
public import HTTPTypes
import Interception

/// What a signature covers, and its parameters.
public struct MessageSignatureOptions: Sendable {
  /// The label of the signature, which distinguishes it from others of the message: `sig1` by default.
  ///
  /// It is a key of a structured dictionary: lower-case letters, digits and `_-.*`.
  public var label = "sig1"
  /// The components that every message must have.
  package var components: [MessageComponent]
  /// The header fields that are covered if a message has them; those that override the method of a request,
  /// such as `X-HTTP-Method-Override`, are always covered.
  package var fieldsIfPresent: [HTTPField.Name]
  /// The algorithm of the `Content-Digest` that is added to and covered for messages with content; nil covers
  /// one that the message already has, and leaves other content unprotected.
  public var digest: DigestAlgorithm? = .sha256
  /// The purpose of the signature (`tag`), which the peer may require.
  public var tag: String?
  /// How long the signature is valid (`expires`), in whole seconds, at least one; nil leaves it to the
  /// verifier.
  public var lifetime: Duration?
  /// Whether the name of the algorithm is stated (`alg`); verifiers know it from the key.
  package var statesAlgorithm = true

  /// Creates options.
  ///
  /// - Parameters:
  ///   - components: The components that every message must have.
  ///   - fieldsIfPresent: The header fields that are covered if a message has them; those that override the
  ///     method of a request, such as `X-HTTP-Method-Override`, are always covered.
  ///
  ///     Choose only fields that reach the peer unchanged: never `Content-Length`, `Accept-Encoding`,
  ///     `Cookie` or `Via`, which the dispatcher or a proxy sets.
  public init(components: [MessageComponent], fieldsIfPresent: [HTTPField.Name] = []) {
    self.components = components
    self.fieldsIfPresent = fieldsIfPresent
  }

  /// For requests: method, authority, path and query, `Authorization` and `Content-Type` if present, and a
  /// SHA-256 of the content.
  public static let request = MessageSignatureOptions(
    components: [.method, .authority, .path, .query], fieldsIfPresent: [.authorization, .contentType])

  /// For responses: the status, `Content-Type` if present, a SHA-256 of the content, and of the request the
  /// method, authority, path, query, and the signature with the label `sig1`, whose nonce binds the response
  /// to this request only.
  public static let response = MessageSignatureOptions(
    components: [
      .status, .method.ofRequest, .authority.ofRequest, .path.ofRequest, .query.ofRequest,
      .field(MessageSignatureFields.signature, .member("sig1")).ofRequest,
    ], fieldsIfPresent: [.contentType])
}
